import { expect } from "vitest";
import { valuesIn } from "./spec-table.js";

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const types: Record<string, (value: unknown) => boolean> = {
  uuid: (value) => typeof value === "string" && uuid.test(value),
  string: (value) => typeof value === "string",
  number: (value) => typeof value === "number",
  boolean: (value) => typeof value === "boolean",
  array: (value) => Array.isArray(value),
  object: (value) => typeof value === "object" && value !== null && !Array.isArray(value),
  null: (value) => value === null,
};

const formats: [note: RegExp, matches: (text: string) => boolean][] = [
  [/^date, YYYY-MM-DD$/, (text) => /^\d{4}-\d{2}-\d{2}$/.test(text)],
  [/timestamp$/, (text) => new Date(text).toISOString() === text],
  [/^IANA time zone name$/, (text) => Intl.DateTimeFormat("en", { timeZone: text }).resolvedOptions().timeZone !== ""],
  [/\bURL$|^link to/, (text) => /^https?:\/\//.test(new URL(text).href)],
];

/**
 * Every value has one of the types of the row, and the form that its notes name. All types occur among the values, and
 * exactly the values that the notes list.
 */
export function expectField([field = "", type = "", notes = ""]: string[], values: unknown[]): void {
  const allowed = type.split(" or ");
  const typeOf = (value: unknown) => allowed.find((name) => types[name]?.(value));
  expect(values.map((value) => [value, typeOf(value)])).toEqual(values.map((value) => [value, expect.any(String)]));
  expect(new Set(values.map(typeOf))).toEqual(new Set(occurringTypes(field, allowed)));
  const set = values.filter((value) => value !== null);
  const listed = valuesIn(notes);
  if (listed.length > 0) expect(new Set(set)).toEqual(new Set(listed));
  for (const [note, matches] of formats) {
    if (note.test(notes)) {
      for (const value of set) expect(matches(String(value)), String(value)).toBe(true);
    }
  }
}

/** Every event has a conference (2.2), so a poster always has one too. */
function occurringTypes(field: string, allowed: string[]): string[] {
  return field === "conference_id" ? ["uuid"] : allowed;
}
