/** Whose data is removed: the address, and the names that were registered with it or that its account has had. */
export type Person = { email: string; names: string[] };

export const erased = "[erased]";

/** What guests say about themselves, where it is stored next to their address. */
const personalFields = new Set(["name", "answers", "note", "source"]);

/** The same JSON value without anything of the person. */
export function eraseFrom(value: unknown, person: Person): unknown {
  if (typeof value === "string") return eraseText(value, person);
  if (Array.isArray(value)) return value.map((inner) => eraseFrom(inner, person));
  if (typeof value !== "object" || value === null) return value;
  const { email } = value as { email?: unknown };
  const isPerson = typeof email === "string" && email.toLowerCase() === person.email.toLowerCase();
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      eraseText(name, person),
      isPerson && personalFields.has(name) && inner !== null ? erased : eraseFrom(inner, person),
    ]),
  );
}

/** The same JSON value without inviters of these names. */
export function eraseInviters(value: unknown, isErased: (name: string) => boolean): unknown {
  if (Array.isArray(value)) return value.map((inner) => eraseInviters(inner, isErased));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      const isInviter = name === "invited_by" && typeof inner === "string";
      return [name, isInviter && isErased(inner) ? erased : eraseInviters(inner, isErased)];
    }),
  );
}

/** Whether a text, or any within a JSON value, contains the address. */
export function containsAddress(value: unknown, email: string): boolean {
  if (typeof value === "string") return addressPattern(email).test(value);
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(value).some(([name, inner]) => containsAddress(name, email) || containsAddress(inner, email));
}

/** Whether an idempotency key contains the address: losing one of somebody else costs a replay only. */
export function keyContainsAddress(key: string, email: string): boolean {
  return addressInKeyPattern(email).test(key);
}

/** The address as it is written, and as URLs have it. */
export function spellingsOf(email: string): string[] {
  return [...new Set([email, encodeURIComponent(email)])];
}

function eraseText(text: string, { email, names }: Person): string {
  const without = text.replaceAll(addressPattern(email), erased);
  // Names may be words that mean something else, so they are removed only where they stand alone.
  return names.reduce((rest, name) => rest.replaceAll(wholeWords(name), erased), without);
}

/** The address where it is not a part of a longer one: ana@example.com is neither joana@example.com nor ana@example.com.br. */
function addressPattern(email: string): RegExp {
  const before = String.raw`(?:(?<=%[0-9a-f]{2})|(?<![\p{L}\p{N}_][.+%-]?))`;
  return spelledBetween(email, before, String.raw`(?![\p{L}\p{N}]|\.\p{L}|-[\p{L}\p{N}-]*\.\p{L})`);
}

/** In a key that a program has made, such as approve-ana@example.com or ana@example.com_2, the address ends where its letters end. */
function addressInKeyPattern(email: string): RegExp {
  return spelledBetween(
    email,
    String.raw`(?:(?<=%[0-9a-f]{2})|(?<![\p{L}\p{N}]))`,
    String.raw`(?![\p{L}\p{N}]|\.\p{L})`,
  );
}

function spelledBetween(email: string, before: string, after: string): RegExp {
  return new RegExp(`${before}(?:${spellingsOf(email).map(escaped).join("|")})${after}`, "giu");
}

function wholeWords(name: string): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}])${escaped(name)}(?![\\p{L}\\p{N}])`, "giu");
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/]/g, "\\$&");
}
