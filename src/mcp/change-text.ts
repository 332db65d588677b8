import { type Change, changesBetween } from "../../contract/changes.js";
import { placeInList } from "../../contract/list-places.js";
import { namedChanges } from "../records/named-changes.js";
import { textDifference } from "../records/text-difference.js";
import { withLocalTimes } from "../runner/local-times.js";
import { isObject } from "./protocol.js";
import { textOf } from "./result-text.js";

type Json = Record<string, unknown>;

/**
 * A preview, a commit or a conflict as text: one line for each change, with names and local times, in the place of both
 * states. `verdicts` say the same of the rows that they are about.
 */
export function changeText(result: Json, timezone: string | undefined): string {
  const { error: _, current, proposed, before, after, expected_version: __, ...rest } = result;
  const [from, to] = proposed === undefined ? [before ?? current, after ?? current] : [current, proposed];
  const judged = idsOf(rest.verdicts);
  const names = namedChanges(from, to);
  const changes = changesBetween(from, to)
    .map((change, place) => ({ change, named: names[place] ?? change }))
    .filter(({ change: { path } }) => !judged.some((id) => path.includes(id)))
    .map(({ change, named }) => {
      const shown = (value: unknown, state: unknown) =>
        lineInList(state, change, value) ?? localValue(withoutEmptyFields(value), change, zoneIn(state) ?? timezone);
      const { from: old, to: now } = differing(named);
      return { what: named.path, from: shown(old, from), to: shown(now, to) };
    });
  return textOf(withLocalTimes(withChanges(rest, changes), timezone) as Json);
}

/** "Ada Lovelace, 2 of 4". */
function lineInList(state: unknown, change: Change, value: unknown): string | undefined {
  const found = placeInList(state, change, value);
  return found && `${found.name}, ${found.place}`;
}

/** The changes come before the warnings. */
function withChanges(rest: Json, changes: object[]): Json {
  const { untrusted_text, about, dry_run, event, message, ...others } = rest;
  return { untrusted_text, about, dry_run, event, message, ...(changes.length === 0 ? {} : { changes }), ...others };
}

function differing({ from, to }: Change): Pick<Change, "from" | "to"> {
  return typeof from === "string" && typeof to === "string" ? textDifference(from, to) : { from, to };
}

function localValue(value: unknown, { path }: Change, timezone: string | undefined): unknown {
  return withLocalTimes(value, timezone, path.split(".").at(-1));
}

/** A change can be about the zone itself. */
function zoneIn(state: unknown): string | undefined {
  return isObject(state) && typeof state.timezone === "string" ? state.timezone : undefined;
}

/** Of a row that is added or removed, the fields that have a value. */
function withoutEmptyFields(value: unknown): unknown {
  return isObject(value) ? Object.fromEntries(Object.entries(value).filter(([, inner]) => !isEmpty(inner))) : value;
}

function isEmpty(value: unknown): boolean {
  return value === null || (typeof value === "object" && Object.keys(value).length === 0);
}

function idsOf(rows: unknown): string[] {
  return Array.isArray(rows) ? rows.filter(isObject).map(({ id }) => String(id)) : [];
}
