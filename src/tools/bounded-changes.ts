import { type Change, changesBetween } from "../../contract/changes.js";
import { shortText } from "../../contract/shortened.js";
import { rowsWithin } from "./bounded.js";
import { namedChanges } from "./named-changes.js";
import { textDifference } from "./text-difference.js";

const shownChanges = 25;
const shownText = 400;

/** Some of the differences between two recorded states, and how many there are in all. */
export type BoundedChanges = { changes: Change[]; changes_in_all: number };

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

/** A value whose JSON is short, or the beginning of that text. */
function shortValue(value: unknown, maximum: number): unknown {
  if (typeof value === "string") return shortText(value, maximum);
  const json = JSON.stringify(value) ?? "null";
  return json.length <= maximum ? value : shortText(json, maximum);
}
