import { expect, it } from "vitest";
import { countOf, listOf } from "./counts.ts";

it.each([
  [0, "0 guests"],
  [1, "1 guest"],
  [2000, "2,000 guests"],
])("%i is: %s", (count, words) => {
  expect(countOf(count, "guest")).toBe(words);
});

it("takes a plural of its own", () => {
  expect([1, 2].map((count) => countOf(count, "guest waits", "guests wait"))).toEqual([
    "1 guest waits",
    "2 guests wait",
  ]);
});

it("lists names as people do", () => {
  expect([["Ana"], ["Ana", "Ben"], ["Ana", "Ben", "Cem"]].map(listOf)).toEqual([
    "Ana",
    "Ana and Ben",
    "Ana, Ben and Cem",
  ]);
});
