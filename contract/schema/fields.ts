import { z } from "zod";
import { fieldError, type ServiceError } from "../errors.js";
import { maximumEmail, maximumSlug, maximumUrl, slugPattern } from "../nouns.js";
import { parseUrl } from "../urls.js";
import { everyText, isTidy, isVisible, mapTexts, refusedCharacter, tidyText } from "./characters.js";

/** Field types that the schemas of all nouns are built from. */

export const uuidExpected = "expected a uuid, as lists return it in id";

export const uuid = z
  .guid({ error: uuidExpected })
  .transform((text) => text.toLowerCase())
  .meta({ type: "string", format: "uuid" });

export const storable = (text: string) => !text.includes("\0") && text.isWellFormed();

/** A string that the database can store: no NUL, no lone surrogate. */
const storableText = (maximum: number) =>
  z
    .string({ error: "expected a string" })
    .max(maximum, { error: `expected at most ${maximum} characters` })
    .refine(storable, { error: unstorable });

export const unstorable = "expected valid Unicode without NUL characters";

/** A text of one or more lines. */
export const text = (maximum: number) =>
  storableText(maximum)
    .overwrite(tidyText)
    .refine((value) => refusedCharacter(value) === undefined, {
      error: ({ input }) => refusedCharacter(String(input)),
    });

/** A single-line string that is not blank. */
export const line = (maximum: number) => oneLine(text(maximum));

/** The name of an entry. Nothing is removed from it: two names could become equal. */
export const label = (maximum: number) => oneLine(storableText(maximum).refine(isTidy, { error: untidy }));

const untidy = "expected a name without control, direction or invisible characters";

function oneLine(string: z.ZodString): z.ZodString {
  return string
    .refine(isVisible, { error: "expected a string that is not blank" })
    .refine((value) => !/[\t\n\r]/.test(value), { error: "expected one line, without line breaks and tabs" })
    .meta({ pattern: "\\S" });
}

export const slug = z.string({ error: "expected a string" }).max(maximumSlug).regex(slugPattern, {
  error: "expected lower-case letters, digits and single hyphens, such as open-web-days",
});

export function slugTaken(taken: string, by: string): ServiceError {
  return fieldError("slug", `${taken} is the slug of ${by}; choose another`, "conflict");
}

export const email = z
  .email({ error: "expected an e-mail address such as ada@example.com" })
  .max(maximumEmail, { error: `expected at most ${maximumEmail} characters` });

export function isWebUrl(value: string): boolean {
  if (value.length > maximumUrl || !storable(value) || !/^https?:\/\/[^\s/]/i.test(value)) return false;
  return parseUrl(value) !== undefined && !/[\s\p{Cc}]/u.test(value) && isTidy(value);
}

export const webUrl = z
  .string({ error: "expected a URL" })
  .refine(isWebUrl, { error: `expected an absolute http or https URL of at most ${maximumUrl} characters` })
  .meta({ format: "uri", pattern: "^https?://[^\\s/]\\S*$", maxLength: maximumUrl });

/** A web URL, or the path of an image that the service stores itself. */
export const imageUrl = z
  .string({ error: "expected a URL" })
  .refine((value) => isWebUrl(value) || /^\/images\/[0-9a-f]{64}\.(png|jpg|webp)$/.test(value), {
    error: `expected an absolute http or https URL of at most ${maximumUrl} characters`,
  })
  .meta({ format: "uri-reference" });

/** Accepted with any offset, stored and returned in UTC with milliseconds. */
export const timestamp = z
  .string({ error: "expected a timestamp" })
  .refine(isTimestamp, { error: "expected an ISO 8601 timestamp with an offset, such as 2027-03-01T18:30:00Z" })
  .transform((value) => new Date(value).toISOString())
  .meta({ type: "string", format: "date-time", pattern: "^[12]" });

export const date = z.iso.date({ error: "expected a date such as 2027-03-01" }).meta({ format: "date" });

/** The longest name has 32 characters. */
const maximumTimezoneLength = 64;

export const timezone = z
  .string({ error: "expected a time zone" })
  .refine(isTimezone, { error: "expected an IANA time zone name, such as Europe/Lisbon" })
  .meta({ pattern: "^[A-Za-z]", maxLength: maximumTimezoneLength, description: "IANA name, such as Europe/Lisbon" });

export const color = z
  .string({ error: "expected a colour" })
  .regex(/^#[0-9a-fA-F]{6}$/, { error: "expected a colour such as #1a2b3c" });

/**
 * Agents often send booleans and integers as strings. One rule for all of them: exactly "true" and "false", and an integer
 * as JSON writes it, such as "15", are accepted; anything else is refused.
 */
const booleans = new Map<unknown, boolean>([
  ["true", true],
  ["false", false],
]);
const integerText = /^(?:0|-?[1-9]\d{0,14})$/;

export const flag = z
  .preprocess((value) => booleans.get(value) ?? value, z.boolean({ error: "expected true or false" }))
  .meta({ type: "boolean" });

export function integer(minimum: number, maximum: number) {
  const error = `expected an integer from ${minimum} to ${maximum}`;
  return z.preprocess(
    (value) => (typeof value === "string" && integerText.test(value) ? Number(value) : value),
    z.int({ error }).min(minimum, { error }).max(maximum, { error }),
  );
}

/**
 * Checks how many entries a list or record has before checking any of them: zod checks all entries first, and the caller
 * would see their problems instead of the one that matters.
 */
export function atMost<Schema extends z.ZodType>(maximum: number, error: string, schema: Schema) {
  return z
    .preprocess((value, context) => {
      if (typeof value !== "object" || value === null || Object.keys(value).length <= maximum) return value;
      context.addIssue({ code: "custom", message: error });
      return z.NEVER;
    }, schema)
    .meta(schema instanceof z.ZodRecord ? { maxProperties: maximum } : {});
}

/** A list of ids, each once. */
export function uuidList(maximum: number, { required = false, advice = "" } = {}) {
  const error = `expected ${required ? "1 to" : "at most"} ${maximum} ids`;
  const list = z.array(uuid).max(maximum);
  return atMost(
    maximum,
    error + advice,
    (required ? list.min(1, { error }) : list)
      .refine((ids) => new Set(ids).size === ids.length, { error: ({ input }) => repeatedIds(input as string[]) })
      .meta({ uniqueItems: true }),
  );
}

const shownRepeated = 10;

function repeatedIds(ids: string[]): string {
  const repeated = [...new Set(ids.filter((id, index) => ids.indexOf(id) !== index))];
  const shown = repeated.length > shownRepeated ? [...repeated.slice(0, shownRepeated), "…"] : repeated;
  return `expected each id once; repeated: ${shown.join(", ")}`;
}

export const jsonObject = z.record(z.string(), z.unknown(), { error: "expected an object" }).check((payload) => {
  // One pass over the texts: nearly all of them are stored as they are.
  if (everyText(payload.value, (text) => storable(text) && isTidy(text))) return;
  const refuse = (message: string) => payload.issues.push({ code: "custom", message, input: payload.value });
  if (!everyText(payload.value, storable)) {
    refuse(unstorable);
    return;
  }
  payload.value = mapTexts(payload.value, tidyText) as typeof payload.value;
  if (!everyText(payload.value, isTidy)) refuse("expected texts without control and direction characters");
});

const timestampSchemas = [z.iso.datetime({ offset: true }), z.iso.datetime({ offset: true, precision: -1 })];

/** With or without seconds. */
function isTimestamp(value: string): boolean {
  return /^[12]/.test(value) && timestampSchemas.some((schema) => schema.safeParse(value).success);
}

/** Only valid names, and not all spellings of them: letters of either case are valid. */
const knownTimezones = new Set<string>();
const maximumKnownTimezones = 1_000;

function isTimezone(name: string): boolean {
  if (name.length > maximumTimezoneLength || !/^[A-Za-z]/.test(name)) return false;
  if (knownTimezones.has(name)) return true;
  if (!canFormatIn(name)) return false;
  if (knownTimezones.size < maximumKnownTimezones) knownTimezones.add(name);
  return true;
}

function canFormatIn(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
