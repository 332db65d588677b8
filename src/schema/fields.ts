import { z } from "zod";

/** Building blocks of the nouns' schemas: what a field of a kind accepts, said once. */

export const uuid = z
  .guid({ error: "expects a uuid" })
  .transform((text) => text.toLowerCase())
  .meta({ type: "string", format: "uuid" });

export const storable = (text: string) => !text.includes("\0") && text.isWellFormed();

/** Any text that the database can hold: no NUL, no half of a surrogate pair. */
export const text = (maximum: number) =>
  z
    .string({ error: "expects a text" })
    .max(maximum, { error: `expects at most ${maximum} characters` })
    .refine(storable, { error: "expects valid Unicode without NUL characters" });

const controlCharacters = /\p{Cc}/u;

/** A text on one line that is not blank. */
export const line = (maximum: number) =>
  text(maximum)
    .refine((value) => value.trim() !== "", { error: "expects a text that is not blank" })
    .refine((value) => !controlCharacters.test(value), { error: "expects one line without control characters" });

export const slug = z
  .string({ error: "expects a text" })
  .max(100)
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, {
    error: "expects lower-case letters, digits and single hyphens, as in open-web-days",
  });

export const email = z
  .email({ error: "expects an e-mail address" })
  .max(254, { error: "expects at most 254 characters" });

export const maximumUrlLength = 2048;

export function isWebUrl(value: string): boolean {
  if (value.length > maximumUrlLength || !storable(value) || !/^https?:\/\/[^\s/]/i.test(value)) return false;
  return URL.canParse(value) && !/[\s\p{Cc}]/u.test(value);
}

export const webUrl = z
  .string({ error: "expects a URL" })
  .refine(isWebUrl, { error: `expects an absolute http or https URL of at most ${maximumUrlLength} characters` })
  .meta({ format: "uri" });

/** A web URL, or the path of an image that the service keeps itself. */
export const imageUrl = z
  .string({ error: "expects a URL" })
  .refine((value) => isWebUrl(value) || /^\/images\/[0-9a-f]{64}\.(png|jpg|webp)$/.test(value), {
    error: `expects an absolute http or https URL of at most ${maximumUrlLength} characters`,
  })
  .meta({ format: "uri" });

/** Read in any offset, kept and answered in UTC with milliseconds. */
export const timestamp = z
  .string({ error: "expects a timestamp" })
  .refine(isTimestamp, { error: "expects an ISO 8601 timestamp with an offset, as in 2027-03-01T18:30:00Z" })
  .transform((value) => new Date(value).toISOString())
  .meta({ type: "string", format: "date-time" });

export const date = z.iso.date({ error: "expects a date as in 2027-03-01" }).meta({ format: "date" });

export const timezone = z
  .string({ error: "expects a time zone" })
  .refine(isTimezone, { error: "expects an IANA time zone name, as in Europe/Lisbon" });

export const color = z
  .string({ error: "expects a colour" })
  .regex(/^#[0-9a-fA-F]{6}$/, { error: "expects a colour as in #1a2b3c" });

export function wholeNumber(minimum: number, maximum: number) {
  const error = `expects a whole number from ${minimum} to ${maximum}`;
  return z.int({ error }).min(minimum, { error }).max(maximum, { error });
}

export const jsonObject = z
  .record(z.string(), z.unknown(), { error: "expects an object" })
  .refine((value) => storable(JSON.stringify(value).replaceAll("\\u0000", "\0")), {
    error: "expects valid Unicode without NUL characters",
  });

const timestampSchema = z.iso.datetime({ offset: true });

function isTimestamp(value: string): boolean {
  return timestampSchema.safeParse(value).success && /^[12]/.test(value);
}

const knownTimezones = new Map<string, boolean>();

function isTimezone(name: string): boolean {
  let known = knownTimezones.get(name);
  if (known === undefined) {
    known = /^[A-Za-z]/.test(name) && canFormatIn(name);
    if (knownTimezones.size < 1000) knownTimezones.set(name, known);
  }
  return known;
}

function canFormatIn(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** Agents often send booleans as text: exactly "true" and "false" count, nothing else does. */
export const flag = z
  .preprocess(
    (value) => (value === "true" ? true : value === "false" ? false : value),
    z.boolean({ error: "expects true or false" }),
  )
  .meta({ type: "boolean" });
