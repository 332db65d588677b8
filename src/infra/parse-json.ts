import { isUtf8 } from "node:buffer";
import { fieldError } from "../../contract/errors.js";

export type ParseOptions = CheckOptions & { maximumValues: number };

export type CheckOptions = {
  /** Fields and list items in total: checking and refusing costs time for each of them. An empty container counts as one. */
  maximumValues?: number;
  maximumDepth?: number;
  /** Called for each string, decoded, and each number, as written; it may throw. */
  onString?: (text: string) => void;
  onNumber?: (text: string) => void;
  /** The error for text that is not JSON or repeats a key; by default one about the body of a request. */
  invalid?: (position: { line: number; column: number }, problem: string) => Error;
};

/**
 * Parses the JSON body of a request. Unlike JSON.parse it reports where the text is invalid, and refuses repeated keys:
 * of two values, parsers keep different ones.
 */
export function parseJson(bytes: Uint8Array, options: ParseOptions): unknown {
  if (!isUtf8(bytes)) throw fieldError("body", "expected UTF-8");
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();
  checkJson(text, options);
  return JSON.parse(text);
}

/** What may come next. The names are used in messages. */
type Expected =
  | "a value"
  | 'a value or "]"'
  | "a key"
  | 'a key or "}"'
  | '":"'
  | '"," or "]"'
  | '"," or "}"'
  | "the end";

type Scan = {
  text: string;
  at: number;
  /** The open objects, each with its keys so far, and the open arrays (null). */
  open: (Set<string> | null)[];
  expected: Expected;
  values: number;
  options: CheckOptions;
};

const defaultDepth = 32;

/** Throws unless the text is JSON within the limits and no object repeats a key. */
export function checkJson(text: string, options: CheckOptions): void {
  const scan: Scan = { text, at: 0, open: [], expected: "a value", values: 0, options };
  for (;;) {
    skipSpace(scan);
    if (scan.at < text.length) readToken(scan);
    else if (scan.expected === "the end") return;
    else throw invalid(scan, "the text ends too early");
  }
}

const closedBy: Partial<Record<Expected, string>> = {
  'a value or "]"': "]",
  '"," or "]"': "]",
  'a key or "}"': "}",
  '"," or "}"': "}",
};

function readToken(scan: Scan): void {
  const { expected } = scan;
  const character = scan.text[scan.at] ?? "";
  if (character === closedBy[expected]) closeParent(scan);
  else if (expected === "the end") throw invalid(scan);
  else if (expected === '":"') readSeparator(scan, ":", "a value");
  else if (expected === '"," or "]"') readSeparator(scan, ",", "a value");
  else if (expected === '"," or "}"') readSeparator(scan, ",", "a key");
  else if (expected === "a key" || expected === 'a key or "}"') readKey(scan, character);
  else readValue(scan, character);
}

function readSeparator(scan: Scan, separator: string, next: Expected): void {
  if (scan.text[scan.at] !== separator) throw invalid(scan);
  if (separator === ",") countValue(scan);
  scan.at += 1;
  scan.expected = next;
}

function countValue(scan: Scan): void {
  const { maximumValues = Number.POSITIVE_INFINITY } = scan.options;
  scan.values += 1;
  if (scan.values > maximumValues) {
    throw fieldError("body", `expected at most ${maximumValues} fields and list items in total`);
  }
}

function readValue(scan: Scan, character: string): void {
  if (character === "{" || character === "[") {
    open(scan, character);
    return;
  }
  if (character === '"') {
    const raw = readString(scan);
    scan.options.onString?.(decoded(raw));
  } else if (character === "-" || (character >= "0" && character <= "9")) {
    const number = match(scan, numberPattern);
    if (number === undefined) throw invalid(scan, "expected a number");
    scan.options.onNumber?.(number);
  } else if (match(scan, literalPattern) === undefined) {
    throw invalid(scan);
  }
  endValue(scan);
}

function readKey(scan: Scan, character: string): void {
  if (character !== '"') throw invalid(scan, `expected ${scan.expected} in double quotes`);
  const start = scan.at;
  const key = decoded(readString(scan));
  const keys = scan.open.at(-1);
  if (keys?.has(key)) throw invalid({ ...scan, at: start }, `expected each key once, but ${shown(key)} is repeated`);
  if (key === "__proto__") throw invalid({ ...scan, at: start }, "expected no key named __proto__");
  keys?.add(key);
  scan.options.onString?.(key);
  scan.expected = '":"';
}

function open(scan: Scan, character: string): void {
  const { maximumDepth = defaultDepth } = scan.options;
  if (scan.open.length === maximumDepth) throw fieldError("body", `expected at most ${maximumDepth} levels of nesting`);
  countValue(scan);
  scan.open.push(character === "{" ? new Set() : null);
  scan.expected = character === "{" ? 'a key or "}"' : 'a value or "]"';
  scan.at += 1;
}

function closeParent(scan: Scan): void {
  scan.open.pop();
  scan.at += 1;
  endValue(scan);
}

function endValue(scan: Scan): void {
  const parent = scan.open.at(-1);
  scan.expected = parent === undefined ? "the end" : parent === null ? '"," or "]"' : '"," or "}"';
}

/** Moves past the string and returns it as written, with its quotes. */
function readString(scan: Scan): string {
  const { text, at: start } = scan;
  let at = start + 1;
  for (;;) {
    const code = text.charCodeAt(at);
    if (code === 0x22) break;
    if (code === 0x5c) {
      escapePattern.lastIndex = at;
      if (!escapePattern.test(text)) throw invalid({ ...scan, at }, "expected a valid escape");
      at = escapePattern.lastIndex;
    } else if (code >= 0x20) {
      at += 1;
    } else {
      // NaN, past the last character, is not a control character.
      throw invalid(
        { ...scan, at },
        code < 0x20 ? "expected control characters as \\u00.." : "the text ends too early",
      );
    }
  }
  scan.at = at + 1;
  return text.slice(start, at + 1);
}

const numberPattern = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const literalPattern = /true|false|null/y;
const escapePattern = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

function match(scan: Scan, pattern: RegExp): string | undefined {
  pattern.lastIndex = scan.at;
  const found = pattern.exec(scan.text)?.[0];
  scan.at += found?.length ?? 0;
  return found;
}

function decoded(raw: string): string {
  return raw.includes("\\") ? (JSON.parse(raw) as string) : raw.slice(1, -1);
}

function skipSpace(scan: Scan): void {
  const { text } = scan;
  let { at } = scan;
  for (;;) {
    const code = text.charCodeAt(at);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) break;
    at += 1;
  }
  scan.at = at;
}

/** Keys come from the caller: the message must not grow with them. */
function shown(key: string): string {
  return JSON.stringify(key.length > 64 ? `${key.slice(0, 64)}…` : key);
}

function invalid({ text, at, expected, options }: Scan, problem = `expected ${expected}`): Error {
  const before = text.slice(0, at);
  const line = before.split("\n").length;
  const column = at - before.lastIndexOf("\n");
  if (options.invalid !== undefined) return options.invalid({ line, column }, problem);
  return fieldError("body", `invalid JSON at line ${line}, column ${column}: ${problem}`);
}
