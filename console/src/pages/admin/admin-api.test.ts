import { expect, it } from "vitest";
import { queryOf } from "./admin-api.ts";
import { categoryLabel, conferenceCategories, eventCategories } from "./categories.ts";

it("leaves out filters that are empty", () => {
  expect(queryOf({ q: "a&b", status: "", cursor: undefined, limit: "20" })).toBe("q=a%26b&limit=20");
});

it("has a category for sponsored events, but not for conferences", () => {
  expect(conferenceCategories.map(({ value }) => value)).toEqual(["mainline", "community", "vip"]);
  expect(eventCategories.map(({ value }) => value)).toEqual(["mainline", "community", "vip", "sponsored"]);
  expect(["vip", "sponsored", "other"].map(categoryLabel)).toEqual(["VIP", "Sponsored", "other"]);
});
