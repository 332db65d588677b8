import { ServiceError } from "../platform/errors.js";
import { exceededLimit, jsonDepth } from "../platform/json-limits.js";
import { storable } from "../schema/fields.js";

/** A list of 500 guests with ten fields each. */
const limits = { values: 5_000, depth: jsonDepth };

/**
 * Parses JSON that every parser reads alike. Repeated keys, numbers that would change when serialized again and bytes
 * that are not UTF-8 are refused: the platform could read something other than what was checked here.
 */
export function parseStrictJson(bytes: Uint8Array): unknown {
  const text = decodeUtf8(bytes);
  const exceeded = exceededLimit(text, limits);
  if (exceeded !== undefined) throw invalidBody(exceeded);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw invalidBody("expected valid JSON");
  }
  checkTokens(text);
  return value;
}

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw invalidBody("expected JSON in UTF-8");
  }
}

/** The text is known to be valid JSON. */
function checkTokens(text: string): void {
  const open: { keys: Set<string> | null; expectsKey: boolean }[] = [];
  for (let at = 0; at < text.length; ) {
    const character = text[at] ?? "";
    if (character <= " ") {
      at += 1;
      continue;
    }
    const end = endOfToken(text, at);
    const top = open.at(-1);
    if (character === "{" || character === "[") {
      open.push({ keys: character === "{" ? new Set() : null, expectsKey: character === "{" });
    } else if (character === "}" || character === "]") {
      open.pop();
    } else if (character === "," && top !== undefined) {
      top.expectsKey = top.keys !== null;
    } else if (character === '"') {
      const string = JSON.parse(text.slice(at, end)) as string;
      if (!storable(string)) throw invalidBody("expected valid Unicode without NUL characters");
      if (top?.keys && top.expectsKey) addKey(top.keys, string);
      if (top !== undefined) top.expectsKey = false;
    } else if (/[-0-9]/.test(character)) {
      checkNumber(text.slice(at, end));
    }
    at = end;
  }
}

function endOfToken(text: string, start: number): number {
  const character = text[start] ?? "";
  if (character === '"') {
    let at = start + 1;
    while (text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
    return at + 1;
  }
  if (!/[-0-9]/.test(character)) return start + 1;
  const number = /[-+.0-9eE]+/y;
  number.lastIndex = start;
  number.exec(text);
  return number.lastIndex;
}

function addKey(keys: Set<string>, key: string): void {
  if (keys.has(key)) throw invalidBody(`expected each key once, but ${JSON.stringify(key)} is repeated`);
  if (key === "__proto__") throw invalidBody("expected no key named __proto__");
  keys.add(key);
}

function checkNumber(text: string): void {
  const value = Number(text);
  const exact = /[.eE]/.test(text) ? Number.isFinite(value) : Number.isSafeInteger(value);
  if (!exact) throw invalidBody(`expected numbers that fit a 64-bit float, got ${text.slice(0, 40)}`);
}

function invalidBody(problem: string): ServiceError {
  return new ServiceError("invalid_input", `body: ${problem}`);
}
