import { expect, it } from "vitest";
import { categoryLabel, conferenceCategories, eventCategories } from "./categories.ts";

it("has a category for sponsored events, but not for conferences", () => {
  expect(conferenceCategories.map(({ value }) => value)).toEqual(["mainline", "community", "vip"]);
  expect(eventCategories.map(({ value }) => value)).toEqual(["mainline", "community", "vip", "sponsored"]);
  expect(["vip", "sponsored", "other"].map(categoryLabel)).toEqual(["VIP", "Sponsored", "other"]);
});
