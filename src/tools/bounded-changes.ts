import { shortText } from "./bounded.js";
import { type Change, changesBetween } from "./changes.js";

const shownChanges = 25;
const shownText = 400;

/** Some of the differences between two recorded states, and how many there are in all. */
export type BoundedChanges = { changes: Change[]; changes_in_all: number };

export function boundedChanges(before: unknown, after: unknown): BoundedChanges {
  const changes = before === null && after === null ? [] : changesBetween(before ?? {}, after ?? {});
  return { changes: changes.slice(0, shownChanges).map(shortened), changes_in_all: changes.length };
}

function shortened({ path, from, to }: Change): Change {
  return { path, from: shortValue(from), to: shortValue(to) };
}

/** A value whose JSON is short, or the beginning of that text. */
function shortValue(value: unknown): unknown {
  if (typeof value === "string") return shortText(value, shownText);
  const json = JSON.stringify(value) ?? "null";
  return json.length <= shownText ? value : shortText(json, shownText);
}
