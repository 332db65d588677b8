import { type Change, changesBetween } from "../../contract/changes.js";
import { shortText } from "../../contract/shortened.js";
import { rowsWithin } from "../infra/bounded.js";
import { namedChanges } from "./named-changes.js";
import { textDifference } from "./text-difference.js";

const shownChanges = 25;
const shownText = 400;

/** Some of the differences between two recorded states, and how many there are in all. */
type BoundedChanges = { changes: Change[]; changes_in_all: number };

type States = { before: unknown; after: unknown };

export function boundedChanges({ before, after }: States): BoundedChanges {
  const changes = before === null && after === null ? [] : changesBetween(before ?? {}, after ?? {});
  return { changes: changes.slice(0, shownChanges).map(differing), changes_in_all: changes.length };
}

/** What a model reads of the differences, and how many more there are. */
export type ReadChanges = { changes: Change[]; more: number };

const fewChanges = 4;
const fewCharacters = 80;

/** A few of them, with rows by their names, and of long texts what differs. */
export function fewNamedChanges({ before, after }: States): ReadChanges {
  const all = namedChanges(before, after);
  const changes = all.slice(0, fewChanges).map(differing);
  return { changes, more: all.length - changes.length };
}

/** The same with the beginnings of long values. */
export function briefChanges({ changes, more }: ReadChanges): ReadChanges {
  return {
    changes: changes.map(({ path, from, to }) => ({
      path,
      from: shortValue(from, fewCharacters),
      to: shortValue(to, fewCharacters),
    })),
    more,
  };
}

/** Less than a result may have. */
const completeBytes = 48_000;

/** All that fit into a result, with complete values. */
export function completeChanges({ before, after }: States): ReadChanges {
  const all = namedChanges(before, after);
  const changes = rowsWithin(all, completeBytes);
  return { changes, more: all.length - changes.length };
}

function differing({ path, from, to }: Change): Change {
  if (typeof from === "string" && typeof to === "string")
    return { path, ...textDifference(from, to, { longest: shownText }) };
  return { path, from: shortValue(from, shownText), to: shortValue(to, shownText) };
}

/** Long enough for an id. */
const innerText = 40;

/** In the place of items that are not shown. */
const dropped = "…";

/** A value whose JSON is short: a longer one has shorter inner texts, and then fewer fields or items. */
function shortValue(value: unknown, maximum: number): unknown {
  if (typeof value === "string") return shortText(value, maximum);
  if (typeof value !== "object" || value === null || jsonLength(value) <= maximum) return value;
  const inner = (item: unknown) => shortValue(item, Math.max(innerText, maximum / 4));
  if (Array.isArray(value)) {
    // A list that was shortened before ends with it.
    const items = value.at(-1) === dropped ? value.slice(0, -1) : value;
    const first = firstWithin(items.map(inner), maximum);
    return first.length < value.length ? [...first, dropped] : first;
  }
  const { more_fields: earlier = 0, ...fields } = value as Record<string, unknown>;
  const all = Object.entries(fields).map(([name, field]) => [name, inner(field)] as const);
  const kept = firstWithin(all, maximum);
  const left = Number(earlier) + all.length - kept.length;
  return { ...Object.fromEntries(kept), ...(left === 0 ? {} : { more_fields: left }) };
}

/** The first items, as many as there is room for. */
function firstWithin<Item>(items: Item[], maximum: number): Item[] {
  const first: Item[] = [];
  let room = maximum;
  for (const item of items) {
    room -= jsonLength(item);
    if (room < 0) break;
    first.push(item);
  }
  return first;
}

function jsonLength(value: unknown): number {
  return JSON.stringify(value)?.length ?? 0;
}
