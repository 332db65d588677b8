import { expect, it } from "vitest";
import { moved, movedBeside, withCurrent } from "./order.ts";

const order = ["a", "b", "c"];

it("moves a row by one step, and not beyond the ends", () => {
  expect([moved(order, "b", -1), moved(order, "b", 1), moved(order, "a", -1), moved(order, "c", 1)]).toEqual([
    ["b", "a", "c"],
    ["a", "c", "b"],
    order,
    order,
  ]);
});

it("moves a row beside another", () => {
  expect(movedBeside(order, "a", "c", "after")).toEqual(["b", "c", "a"]);
  expect(movedBeside(order, "c", "a", "before")).toEqual(["c", "a", "b"]);
  expect(movedBeside(order, "a", "a", "after")).toEqual(order);
});

it("follows what others add and remove meanwhile", () => {
  expect(withCurrent(["c", "b", "a"], ["a", "c", "d"])).toEqual(["c", "a", "d"]);
});
