import { expect, it } from "vitest";
import { lifetimes, reminderOf } from "./key-data.ts";

it("names each lifetime by its days", () => {
  expect(lifetimes.map(({ value, label }) => [value, label])).toEqual([
    ["7", "7 days"],
    ["30", "30 days"],
    ["60", "60 days"],
    ["90", "90 days, the longest"],
  ]);
});

it("reminds of a key in the second half of its life, at most 14 days before", () => {
  expect(lifetimes.map(({ value }) => /\d+/.exec(reminderOf(value))?.[0])).toEqual(["3", "14", "14", "14"]);
});
