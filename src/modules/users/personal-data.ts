/** A guest whose data is removed: the address, and the names that were registered with it. */
export type Person = { email: string; names: string[] };

export const erased = "[erased]";

/** What guests say about themselves, where it stands beside their address. */
const personalFields = new Set([
  ...["name", "first_name", "last_name", "answers", "registration_answers", "note", "source", "phone_number"],
]);
const addressFields = ["email", "user_email", "api_email"];

/** The same JSON value without anything of the person. */
export function eraseFrom(value: unknown, person: Person): unknown {
  if (typeof value === "string") return eraseText(value, person);
  if (Array.isArray(value)) return value.map((inner) => eraseFrom(inner, person));
  if (typeof value !== "object" || value === null) return value;
  const belongsToPerson = addressFields.some((field) => isAddress((value as Record<string, unknown>)[field], person));
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      eraseText(name, person),
      belongsToPerson && personalFields.has(name) && inner !== null ? erased : eraseFrom(inner, person),
    ]),
  );
}

function isAddress(value: unknown, { email }: Person): boolean {
  return typeof value === "string" && value.toLowerCase() === email.toLowerCase();
}

function eraseText(text: string, { email, names }: Person): string {
  const without = text.replaceAll(new RegExp(escaped(email), "gi"), erased);
  // Names may be words that mean something else, so they are removed only where they stand alone.
  return names.reduce((rest, name) => rest.replaceAll(wholeWords(name), erased), without);
}

function wholeWords(name: string): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}])${escaped(name)}(?![\\p{L}\\p{N}])`, "giu");
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/]/g, "\\$&");
}
