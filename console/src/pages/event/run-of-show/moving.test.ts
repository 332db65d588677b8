import { describe, expect, it } from "vitest";
import { moveReducer, movesFor, noMoves, openMoves, placedInNewOrder, resizedTo, snap, stepFrom } from "./moving.ts";
import { at, minutes, plan, segment } from "./test-segments.ts";

const placed = (clock: string, length: number) => {
  const [only] = plan([segment("a", clock, length)]).placed;
  if (only === undefined) throw new Error("nothing was placed");
  return only;
};

describe("steps", () => {
  it("snap to five minutes", () => {
    expect([at("18:02"), at("18:03"), at("18:05")].map(snap)).toEqual([at("18:00"), at("18:05"), at("18:05")]);
  });

  it.each([
    ["18:00", 1, "18:05"],
    ["18:00", -1, "17:55"],
    ["18:02", 1, "18:05"],
    ["18:02", -1, "18:00"],
    ["18:02", 6, "18:30"],
    ["23:55", 1, "24:00"],
  ])("lead from %s by %i to %s", (from, steps, to) => {
    const expected = to === "24:00" ? at("00:00", "2031-05-02") : at(to);
    expect(stepFrom(at(from), steps)).toBe(expected);
  });
});

describe("resizing", () => {
  it("moves one edge and keeps the other", () => {
    expect(resizedTo(placed("18:00", 30), "end", at("18:45"))).toEqual({ start: at("18:00"), minutes: 45 });
    expect(resizedTo(placed("18:00", 30), "start", at("18:10"))).toEqual({ start: at("18:10"), minutes: 20 });
  });

  it("stops at one step, or at the length of a shorter segment", () => {
    expect(resizedTo(placed("18:00", 30), "end", at("17:00")).minutes).toBe(5);
    expect(resizedTo(placed("18:00", 30), "start", at("19:00"))).toEqual({ start: at("18:25"), minutes: 5 });
    expect(resizedTo(placed("18:00", 2), "end", at("18:00")).minutes).toBe(2);
  });

  it("stops at a week", () => {
    expect(resizedTo(placed("18:00", 30), "end", at("18:00") + minutes(20_000)).minutes).toBe(10_080);
    const early = resizedTo(placed("18:00", 30), "start", at("18:00") - minutes(20_000));
    expect(early).toEqual({ start: at("18:30") - minutes(10_080), minutes: 10_080 });
  });
});

describe("moving what follows", () => {
  const show = plan([
    segment("a", "18:00", 30),
    segment("b", "18:20", 20),
    segment("c", "18:30", 10),
    segment("d", "19:00", 10),
  ]);

  it("leaves the others where they are by default", () => {
    expect([...movesFor(show, "a", { start: at("18:05"), minutes: 30 }, false).keys()]).toEqual(["a"]);
  });

  it("shifts all that start when it is over, by as much as its end", () => {
    const moves = movesFor(show, "a", { start: at("18:00"), minutes: 45 }, true);
    expect([...moves.keys()]).toEqual(["a", "c", "d"]);
    expect(moves.get("d")).toEqual({ start: at("19:15"), minutes: 10 });
  });

  it("shifts them back too, and leaves what came before", () => {
    const moves = movesFor(show, "c", { start: at("18:20"), minutes: 10 }, true);
    expect([...moves]).toEqual([
      ["c", { start: at("18:20"), minutes: 10 }],
      ["d", { start: at("18:50"), minutes: 10 }],
    ]);
  });
});

it("puts segments into a new order, back to back from the first start", () => {
  const show = plan([segment("a", "18:00", 10), segment("b", "18:30", 20), segment("c", "19:00", 5)]);
  const rows = placedInNewOrder(show, ["c", "a", "b"], false).map(({ id, start, isMoved }) => [id, start, isMoved]);
  expect(rows).toEqual([
    ["c", at("18:00"), true],
    ["a", at("18:05"), true],
    ["b", at("18:15"), true],
  ]);
});

it("keeps pauses at their places in a new order", () => {
  const show = plan([segment("a", "18:00", 10), segment("b", "18:30", 20), segment("c", "18:40", 30)]);
  const rows = placedInNewOrder(show, ["c", "a", "b"], true).map(({ id, start }) => [id, start]);
  expect(rows).toEqual([
    ["c", at("18:00")],
    ["a", at("18:50")],
    ["b", at("19:00")],
  ]);
});

describe("moves that are not saved", () => {
  const segments = [segment("a", "18:00", 30), segment("b", "19:00", 30)];
  const later = new Map([["a", { start: at("18:05"), minutes: 30 }]]);

  it("are collected and undone one after the other", () => {
    const one = moveReducer(noMoves, { type: "move", moves: later });
    const two = moveReducer(one, { type: "move", moves: new Map([["b", { start: at("19:05"), minutes: 30 }]]) });
    expect(openMoves(two.moves, segments).map(({ segment: { id } }) => id)).toEqual(["a", "b"]);
    expect(moveReducer(two, { type: "undo" })).toEqual(one);
    expect(moveReducer(moveReducer(one, { type: "undo" }), { type: "undo" })).toEqual(noMoves);
    expect(moveReducer(two, { type: "discard" })).toEqual(noMoves);
  });

  it("are none when a segment is back where it is stored, or gone", () => {
    expect(openMoves(new Map([["a", { start: at("18:00"), minutes: 30 }]]), segments)).toEqual([]);
    expect(openMoves(later, segments.slice(1))).toEqual([]);
    expect(openMoves(new Map([["a", { start: at("18:00"), minutes: 31 }]]), segments)).toHaveLength(1);
  });

  it("keep those that were not saved when saving stops in between", () => {
    const two = moveReducer(noMoves, { type: "move", moves: new Map([...later, ["b", { start: 0, minutes: 5 }]]) });
    const saved = moveReducer(two, { type: "saved", ids: ["a"] });
    expect([...saved.moves.keys()]).toEqual(["b"]);
    expect(saved.before).toEqual([]);
  });

  it("can be undone a hundred times", () => {
    let history = noMoves;
    for (let count = 0; count < 150; count++) history = moveReducer(history, { type: "move", moves: later });
    expect(history.before).toHaveLength(100);
  });
});
