import { expect, it } from "vitest";
import { moved, movedBeside, withCurrent } from "./order.ts";

const order = ["a", "b", "c", "d"];

it.each([
  ["a", "c", "before", "bacd"],
  ["a", "c", "after", "bcad"],
  ["a", "d", "after", "bcda"],
  ["d", "b", "before", "adbc"],
  ["d", "b", "after", "abdc"],
  ["b", "b", "after", "abcd"],
  ["b", "gone", "after", "abcd"],
] as const)("%s that is dropped on %s, %s it: %s", (id, target, side, expected) => {
  expect(movedBeside(order, id, target, side).join("")).toBe(expected);
});

it.each([
  ["b", 1, "acbd"],
  ["b", -1, "bacd"],
  ["a", -1, "abcd"],
  ["d", 1, "abcd"],
  ["gone", 1, "abcd"],
] as const)("%s one step by %i: %s", (id, by, expected) => {
  expect(moved(order, id, by).join("")).toBe(expected);
});

it("leaves out what others have removed, and puts last what they have added", () => {
  expect(withCurrent(["c", "a", "b"], ["a", "c", "x"])).toEqual(["c", "a", "x"]);
});
