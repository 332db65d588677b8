import { conferenceCategories, eventCategories } from "../../../contract/nouns.ts";

type Category = (typeof eventCategories)[number];

export const categoryLabels: Record<Category, string> = {
  mainline: "Mainline",
  community: "Community",
  sponsored: "Sponsored",
  vip: "VIP",
};

const optionsOf = (categories: readonly Category[]) =>
  categories.map((value) => ({ value, label: categoryLabels[value] }));

export const conferenceCategoryOptions = optionsOf(conferenceCategories);

export const eventCategoryOptions = optionsOf(eventCategories);
