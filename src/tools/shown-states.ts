import { canonicalJson } from "./canonical-json.js";
import { inDisplayOrder } from "./display-order.js";
import type { ToolState } from "./mutation.js";

/** A list of a state shows so many of its rows. */
export const shownRows = 100;

/**
 * Two states of the same shape as results show them: of a long list the rows that differ come first, the rest is counted in
 * `left_out`, by the name of the list.
 */
export function shownStates(from: ToolState, to: ToolState, rows = shownRows): [ToolState, ToolState] {
  const [before, after] = boundedPair(from, to, rows);
  return [inDisplayOrder(before) as ToolState, inDisplayOrder(after) as ToolState];
}

function boundedPair(from: ToolState, to: ToolState, rows: number): [ToolState, ToolState] {
  const before: ToolState = {};
  const after: ToolState = {};
  const leftOut = [countsOf(from), countsOf(to)] as const;
  for (const name of new Set([...Object.keys(from), ...Object.keys(to)])) {
    if (name === "left_out") continue;
    const [a, b] = [from[name], to[name]];
    if (isRows(a) && isRows(b) && Math.max(a.length, b.length) > rows) {
      const kept = keptRows(a, b, rows);
      before[name] = a.filter((row) => kept.has(row));
      after[name] = b.filter((row) => kept.has(row));
      for (const [place, list, shown] of [
        [0, a, before[name]],
        [1, b, after[name]],
      ] as const) {
        const more = list.length - (shown as unknown[]).length;
        if (more > 0) leftOut[place][name] = more + (leftOut[place][name] ?? 0);
      }
    } else {
      if (a !== undefined) before[name] = a;
      if (b !== undefined) after[name] = b;
    }
  }
  return [withLeftOut(before, leftOut[0]), withLeftOut(after, leftOut[1])];
}

/** What was left out before. */
function countsOf({ left_out: counts }: ToolState): Record<string, number> {
  return { ...(counts as Record<string, number> | undefined) };
}

function withLeftOut(state: ToolState, leftOut: Record<string, number>): ToolState {
  return Object.keys(leftOut).length === 0 ? state : { ...state, left_out: leftOut };
}

type Row = Record<string, unknown> & { id: unknown };

/** At most so many rows of each list: first those that are not in the other list, or not so. */
function keptRows(from: Row[], to: Row[], rows: number): Set<Row> {
  const shownOf = (list: Row[], others: Row[]) => {
    const known = new Set(others.map(canonicalJson));
    const differing = list.filter((row) => !known.has(canonicalJson(row)));
    const same = list.filter((row) => known.has(canonicalJson(row)));
    return [...differing, ...same].slice(0, rows);
  };
  return new Set([...shownOf(from, to), ...shownOf(to, from)]);
}

function isRows(value: unknown): value is Row[] {
  return Array.isArray(value) && value.every((row) => typeof row === "object" && row !== null && "id" in row);
}
