import { shortText } from "./bounded.js";
import { type Change, changesBetween } from "./changes.js";

const shownChanges = 25;
const shownText = 400;

/** Some of the differences between two recorded states, and how many there are in all. */
export type BoundedChanges = { changes: Change[]; changes_in_all: number };

export function boundedChanges(before: unknown, after: unknown): BoundedChanges {
  const changes = before === null && after === null ? [] : changesBetween(before ?? {}, after ?? {});
  return {
    changes: changes.slice(0, shownChanges).map((change) => shortened(change, shownText)),
    changes_in_all: changes.length,
  };
}

const fewChanges = 4;
const fewCharacters = 80;

/** Less of the same, for lists that a model reads: some of the differences, and how many more there are. */
export function shortChanges({ changes, changes_in_all: all }: BoundedChanges): { changes: Change[]; more: number } {
  const few = changes.slice(0, fewChanges).map((change) => shortened(change, fewCharacters));
  return { changes: few, more: all - few.length };
}

function shortened({ path, from, to }: Change, maximum: number): Change {
  return { path, from: shortValue(from, maximum), to: shortValue(to, maximum) };
}

/** A value whose JSON is short, or the beginning of that text. */
function shortValue(value: unknown, maximum: number): unknown {
  if (typeof value === "string") return shortText(value, maximum);
  const json = JSON.stringify(value) ?? "null";
  return json.length <= maximum ? value : shortText(json, maximum);
}
