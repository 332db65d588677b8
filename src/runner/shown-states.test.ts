import { describe, expect, it } from "vitest";
import { shownStates } from "./shown-states.js";

type Row = { id: string | null; n: number };

const rows = (count: number, n = 0) => Array.from({ length: count }, (_, place): Row => ({ id: `r${place}`, n }));
const idsOf = (list: unknown) => (list as Row[]).map(({ id }) => id);

describe("states with a list of more rows than are shown", () => {
  it("show the same rows of both, those that differ first, and count the rest", () => {
    const from = rows(9);
    const to = from.map((row, place) => (place >= 7 ? { ...row, n: 1 } : row));
    const [before, after] = shownStates({ list: from, venue: "A" }, { list: to, venue: "B" }, 3);
    expect([idsOf(before.list), idsOf(after.list)]).toEqual([
      ["r0", "r7", "r8"],
      ["r0", "r7", "r8"],
    ]);
    expect([before.left_out, after.left_out]).toEqual([{ list: 6 }, { list: 6 }]);
    expect([before.venue, after.venue]).toEqual(["A", "B"]);
  });

  it("show rows that come and go, never more than there is room for", () => {
    const from = rows(5);
    const to = [{ id: null, n: 1 }, { id: null, n: 2 }, ...from.slice(2)];
    const [before, after] = shownStates({ list: from }, { list: to }, 3);
    expect([idsOf(before.list), idsOf(after.list)]).toEqual([["r0"], [null, null]]);
    expect([before.left_out, after.left_out]).toEqual([{ list: 4 }, { list: 3 }]);
  });

  it("show the same rows in either order", () => {
    const [before, after] = shownStates({ list: rows(4) }, { list: rows(4, 1).reverse() }, 2);
    expect([idsOf(before.list), idsOf(after.list)]).toEqual([
      ["r2", "r3"],
      ["r3", "r2"],
    ]);
  });

  it("add to what was left out before", () => {
    const [once] = shownStates({ list: rows(9) }, { list: rows(9) }, 5);
    const [twice] = shownStates(once, once, 2);
    expect(twice).toEqual({ list: rows(2), left_out: { list: 7 } });
  });
});

it("states are shown whole otherwise", () => {
  const state = { list: rows(3), ids: ["a", "b", "c", "d"], row: { id: "x" } };
  expect(shownStates(state, state, 3)).toEqual([state, state]);
});
