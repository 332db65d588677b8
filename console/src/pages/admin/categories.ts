export const conferenceCategories = [
  { value: "mainline", label: "Mainline" },
  { value: "community", label: "Community" },
  { value: "vip", label: "VIP" },
];

export const eventCategories = [...conferenceCategories, { value: "sponsored", label: "Sponsored" }];

export const categoryLabel = (category: string): string =>
  eventCategories.find(({ value }) => value === category)?.label ?? category;
