import { randomUUID } from "node:crypto";

/**
 * Node cannot parse an integer beyond 2^53 without changing it. In free-form objects, such as the metadata of a poster, it
 * is kept as a string of this mark and the digits, which `stringifyExactly` writes as the number again. The mark is random,
 * so that no document contains it.
 */
const mark = `exact number ${randomUUID()} `;
const markedNumber = new RegExp(`"${mark}(-?\\d+)"`, "g");

const longNumber = /\d{16}/;
const numbers = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

export function parseExactly(text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (!longNumber.test(text) || value === null || typeof value !== "object") return value;
  const marked = JSON.parse(markNumbers(text));
  // All other fields have a type of their own, which says what it makes of such a number.
  for (const [name, field] of Object.entries(value)) {
    if (field === null || typeof field !== "object" || Array.isArray(field)) marked[name] = field;
  }
  return marked;
}

export function stringifyExactly(value: unknown): string {
  return JSON.stringify(value).replace(markedNumber, "$1");
}

/** The text is valid JSON. Strings are skipped without a pattern: one that matches strings of megabytes overflows the stack. */
function markNumbers(text: string): string {
  const parts: string[] = [];
  let at = 0;
  while (at < text.length) {
    const quote = text.indexOf('"', at);
    const start = quote === -1 ? text.length : quote;
    parts.push(text.slice(at, start).replace(numbers, (token) => (isInexact(token) ? `"${mark}${token}"` : token)));
    at = quote === -1 ? text.length : endOfString(text, quote);
    parts.push(text.slice(start, at));
  }
  return parts.join("");
}

function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end + 1;
}

function isEscaped(text: string, at: number): boolean {
  let before = at;
  while (text[before - 1] === "\\") before -= 1;
  return (at - before) % 2 === 1;
}

/** An integer that is finite, but not exact, as a number of Node. */
function isInexact(token: string): boolean {
  return /^-?\d+$/.test(token) && Number.isFinite(Number(token)) && BigInt(token) !== BigInt(Number(token));
}
