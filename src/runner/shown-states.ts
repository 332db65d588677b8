import { canonicalJson } from "../../contract/canonical-json.js";
import type { ToolState } from "./mutation.js";

/** The most rows of a list that a state shows. */
export const shownRows = 100;

/**
 * Two states of the same shape as results show them. Of a long list both show the same rows, those that differ before
 * others; `left_out` in both counts the rest by the name of the list.
 */
export function shownStates(from: ToolState, to: ToolState, rows = shownRows): [ToolState, ToolState] {
  const isShown = new Map(
    Object.entries(from).flatMap(([name, list]) => {
      const other = to[name];
      const isLong = isRows(list) && isRows(other) && Math.max(list.length, other.length) > rows;
      return isLong ? [[name, shownOf(list, other, rows)] as const] : [];
    }),
  );
  const bounded = (state: ToolState) => inDisplayOrder(isShown.size === 0 ? state : withRows(state, isShown));
  return [bounded(from) as ToolState, bounded(to) as ToolState];
}

type Row = Record<string, unknown> & { id: unknown };
type IsShown = (row: Row) => boolean;

/** Which rows of two lists are shown, at most `rows` of them. They are told apart by id; new ones have none. */
function shownOf(from: Row[], to: Row[], rows: number): IsShown {
  const before = new Map(from.map((row) => [row.id, canonicalJson(row)]));
  const after = new Set(to.map(({ id }) => id));
  const differs = (row: Row) => row.id === null || before.get(row.id) !== canonicalJson(row);
  const changed = [...to.filter(differs), ...from.filter(({ id }) => !after.has(id))];
  const kept = [...changed, ...to.filter((row) => !differs(row))].slice(0, rows);
  const ids = new Set(kept.map(({ id }) => id));
  return (row) => (row.id === null ? kept.includes(row) : ids.has(row.id));
}

function withRows(state: ToolState, isShown: Map<string, IsShown>): ToolState {
  const leftOut: Record<string, number> = { ...(state.left_out as Record<string, number> | undefined) };
  const lists = [...isShown].map(([name, isOne]) => {
    const all = state[name] as Row[];
    const shown = all.filter(isOne);
    leftOut[name] = (leftOut[name] ?? 0) + all.length - shown.length;
    return [name, shown];
  });
  return { ...state, ...Object.fromEntries(lists), left_out: leftOut };
}

function isRows(value: unknown): value is Row[] {
  return Array.isArray(value) && value.every((row) => typeof row === "object" && row !== null && "id" in row);
}

/** The fields that come first wherever they are; the others follow by name. */
const first = [
  "id",
  "name",
  "title",
  "email",
  "slug",
  "kind",
  "role",
  "status",
  "code",
  "message",
  "path",
  "from",
  "to",
];
const positions = new Map(first.map((name, index) => [name, index]));

/** The same value with its fields in one order, so that a result is the same text when it was read back from its record. */
export function inDisplayOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inDisplayOrder);
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value).filter(([, inner]) => inner !== undefined);
  return Object.fromEntries(
    fields
      .toSorted(([a], [b]) => placeOf(a) - placeOf(b) || (a < b ? -1 : 1))
      .map(([name, inner]) => [name, inDisplayOrder(inner)]),
  );
}

function placeOf(name: string): number {
  return positions.get(name) ?? first.length;
}
