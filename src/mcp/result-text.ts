import { type Change, changesBetween } from "../../contract/changes.js";
import { placeInList } from "../../contract/list-places.js";
import { namedChanges } from "../records/named-changes.js";
import { textDifference } from "../records/text-difference.js";
import { withLocalTimes } from "../runner/local-times.js";
import { isObject } from "./protocol.js";

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

/**
 * Results as text, for clients that pass only text to a model: one line for each field, one for each row of a list, and
 * nothing twice. It can be read back: what a text contains cannot look like a line, a cell or a value of another type.
 */
export function textOf(result: Record<string, unknown>): string {
  return linesOf(result, "").join("\n");
}

function linesOf(fields: Record<string, unknown>, indent: string): string[] {
  return Object.entries(fields).flatMap(([name, value]) => field(nameText(name), value, indent));
}

function field(name: string, value: unknown, indent: string): string[] {
  if (value === undefined) return [];
  // The arguments of a call are copied, so they are JSON.
  if (name === "commit_with") return [`${indent}${name}: ${json(value)}`];
  const inner = `${indent}  `;
  if (isRows(value)) return table(name, value, indent);
  if (isRecord(value) && Object.keys(value).length > 0) return [`${indent}${name}:`, ...linesOf(value, inner)];
  return [`${indent}${name}: ${cell(value)}`];
}

/** The columns that any row has a value for, in the order of the fields, and a line for each row. */
function table(name: string, rows: Record<string, unknown>[], indent: string): string[] {
  const columns = [...new Set(rows.flatMap(Object.keys))].filter((key) =>
    rows.some((row) => Object.hasOwn(row, key) && row[key] != null),
  );
  const line = (cells: string[]) => cells.join(" | ");
  return [
    `${indent}${name} (${rows.length}): ${line(columns.map(nameText))}`,
    // A column can have the name of something that every object inherits, such as "constructor".
    ...rows.map(
      (row) => `${indent}  ${line(columns.map((column) => cell(Object.hasOwn(row, column) ? row[column] : null)))}`,
    ),
  ];
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return "-";
  if (typeof value === "string") return isPlain(value) ? value : json(value);
  return Array.isArray(value) && value.every(isScalar) ? `[${value.map(item).join(", ")}]` : json(value);
}

function item(value: unknown): string {
  return typeof value === "string" && /[,\]]/.test(value) ? json(value) : cell(value);
}

/** Whether a text can stand without quotation marks. */
function isPlain(text: string): boolean {
  return /^[^\s"[{]/.test(text) && text.trim() === text && !special.test(text) && !otherType.test(text);
}

/** The separator of cells, ends of lines, other control characters, and what reverses the direction of writing. */
const special = /[|\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;
const everySpecial = new RegExp(special.source, "gu");
const otherType = /^(-|true|false|-?\d+(\.\d+)?(e[+-]?\d+)?)$/i;

/** JSON on one line, without characters that could end it or a cell. */
function json(value: unknown): string {
  return oneLine(JSON.stringify(value));
}

/** The text with what could end a line or a cell as escape sequences. */
export function oneLine(text: string): string {
  return text.replace(everySpecial, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** Names of fields come from callers too, such as those of links. */
function nameText(name: string): string {
  return /^\w[\w.-]*$/.test(name) ? name : json(name);
}

function isRows(value: unknown): value is Record<string, unknown>[] {
  return Array.isArray(value) && value.length > 0 && value.every((row) => isRecord(row) && hasValue(row));
}

function hasValue(row: Record<string, unknown>): boolean {
  return Object.values(row).some((value) => value != null);
}

function isScalar(value: unknown): boolean {
  return typeof value !== "object" || value === null;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
