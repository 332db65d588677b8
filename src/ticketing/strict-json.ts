import { ServiceError } from "../platform/errors.js";
import { storable } from "../schema/fields.js";

const maximumDepth = 32;

/**
 * JSON with one meaning only. A key that appears twice in an object, a number that would change when it is written
 * again and bytes that are not UTF-8 are refused: another reader could see something else in them than was checked.
 */
export function parseStrictJson(bytes: Uint8Array): unknown {
  const text = decode(bytes);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw refusal("expects valid JSON");
  }
  checkTokens(text);
  return value;
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw refusal("expects JSON in UTF-8");
  }
}

/** Walks a text that is known to be valid JSON. */
function checkTokens(text: string): void {
  const open: { keys: Set<string> | null; expectsKey: boolean }[] = [];
  for (let at = 0; at < text.length; ) {
    const character = text[at] ?? "";
    const end = endOfToken(text, at);
    const top = open.at(-1);
    if (character === "{" || character === "[") {
      if (open.length === maximumDepth) throw refusal(`expects at most ${maximumDepth} levels`);
      open.push({ keys: character === "{" ? new Set() : null, expectsKey: character === "{" });
    } else if (character === "}" || character === "]") {
      open.pop();
    } else if (character === "," && top !== undefined) {
      top.expectsKey = top.keys !== null;
    } else if (character === '"') {
      const string = JSON.parse(text.slice(at, end)) as string;
      if (!storable(string)) throw refusal("expects valid Unicode without NUL characters");
      if (top?.keys && top.expectsKey) noteKey(top.keys, string);
      if (top !== undefined) top.expectsKey = false;
    } else if (/[-0-9]/.test(character)) {
      checkNumber(text.slice(at, end));
    }
    at = end;
  }
}

function endOfToken(text: string, from: number): number {
  const character = text[from] ?? "";
  if (character === '"') {
    let at = from + 1;
    while (text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
    return at + 1;
  }
  if (!/[-0-9]/.test(character)) return from + 1;
  let at = from + 1;
  while (/[-+.0-9eE]/.test(text[at] ?? "")) at += 1;
  return at;
}

function noteKey(keys: Set<string>, key: string): void {
  if (keys.has(key)) throw refusal(`expects each key once, but ${JSON.stringify(key)} is repeated`);
  if (key === "__proto__") throw refusal("expects no key __proto__");
  keys.add(key);
}

function checkNumber(text: string): void {
  const value = Number(text);
  const exact = /[.eE]/.test(text) ? Number.isFinite(value) : Number.isSafeInteger(value);
  if (!exact) throw refusal(`expects numbers that fit a 64-bit float, but found ${text.slice(0, 40)}`);
}

function refusal(problem: string): ServiceError {
  return new ServiceError("invalid_input", `body: ${problem}`);
}
