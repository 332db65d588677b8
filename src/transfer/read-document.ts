import { isUtf8 } from "node:buffer";
import { ServiceError } from "../../contract/errors.js";
import { checkJson } from "../infra/parse-json.js";
import { parseExactly } from "./exact-numbers.js";

export type DocumentItem<Name extends string> = { list: Name; n: number; value: unknown };

const maximumItemBytes = 16 * 1024 * 1024;
const maximumDepth = 100;

/**
 * Parses a document `{"list": [item, …], …}` of any size incrementally and yields the items completed by each chunk. It
 * only finds where an item ends; JSON.parse parses the item. Syntax errors are thrown with their line number.
 */
export async function* readDocument<Name extends string>(
  chunks: AsyncIterable<Uint8Array>,
  options: { source: string; names: readonly Name[] },
): AsyncGenerator<DocumentItem<Name>[]> {
  const reader: DocumentReader<Name> = {
    ...options,
    state: "start",
    line: 1,
    buffer: Buffer.alloc(0),
    scan: undefined,
    list: undefined,
    n: 0,
    seen: new Set(),
  };
  for await (const chunk of chunks) yield readChunk(reader, chunk);
  finish(reader);
}

type ReaderState =
  | "start"
  | "first name"
  | "name"
  | "colon"
  | "list"
  | "first item"
  | "item"
  | "after item"
  | "after list"
  | "end";

const expectedIn: Record<ReaderState, string> = {
  start: 'expected an object of lists, such as {"events": […]}',
  "first name": "expected the name of a list or }",
  name: "expected the name of a list",
  colon: "expected : after the name of a list",
  list: "expected an array",
  "first item": "expected an item or ]",
  item: "expected an item",
  "after item": "expected , or ]",
  "after list": "expected , or }",
  end: "expected the end of the file after the closing }",
};

type DocumentReader<Name extends string> = {
  source: string;
  names: readonly Name[];
  state: ReaderState;
  line: number;
  /** Unprocessed bytes; an incomplete value starts at `scan.start`. */
  buffer: Buffer;
  scan: ValueScan | undefined;
  list: Name | undefined;
  n: number;
  seen: Set<Name>;
};

/** Processes a chunk and returns the items that it completes. */
function readChunk<Name extends string>(reader: DocumentReader<Name>, chunk: Uint8Array): DocumentItem<Name>[] {
  const items: DocumentItem<Name>[] = [];
  appendBytes(reader, chunk);
  let at = 0;
  while (at < reader.buffer.length) {
    if (reader.scan !== undefined) {
      if (!finishValue(reader, reader.scan, items)) break;
      at = reader.scan.at;
      reader.scan = undefined;
      continue;
    }
    const byte = reader.buffer[at] ?? 0;
    if (byte === newline) reader.line += 1;
    if (!isSpace(byte) && startsValue(reader, byte)) {
      const kind = reader.state === "first name" || reader.state === "name" ? "name" : "item";
      reader.scan = {
        kind,
        start: at,
        at,
        line: reader.line,
        newlines: 0,
        colons: 0,
        depth: 0,
        inString: false,
        escaped: false,
      };
    } else {
      at += 1;
    }
  }
  return items;
}

function appendBytes(reader: DocumentReader<string>, chunk: Uint8Array): void {
  const { scan } = reader;
  if (scan === undefined) {
    reader.buffer = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    return;
  }
  reader.buffer = Buffer.concat([reader.buffer.subarray(scan.start), chunk]);
  scan.at -= scan.start;
  scan.start = 0;
}

/** Handles one byte between values; true if a value starts at it. */
function startsValue(reader: DocumentReader<string>, byte: number): boolean {
  const { state, list } = reader;
  if (state === "start" && (byte === 0xef || byte >= 0xfe)) {
    throw syntaxError(reader, "unexpected byte order mark: save the file as UTF-8 without BOM");
  }
  const character = String.fromCharCode(byte);
  const next = transitions[state][character];
  if (next === "name starts") return true;
  if (next !== undefined) {
    reader.state = next;
    return false;
  }
  if ((state === "first item" || state === "item") && !",:]}".includes(character)) return true;
  throw syntaxError(reader, `${state === "list" ? `"${list}": ` : ""}${expectedIn[state]}`);
}

/** Continues the current value; false if it is still incomplete. */
function finishValue<Name extends string>(
  reader: DocumentReader<Name>,
  scan: ValueScan,
  items: DocumentItem<Name>[],
): boolean {
  const complete = scanValue(reader.buffer, scan);
  reader.line += scan.newlines;
  scan.newlines = 0;
  if (scan.depth > maximumDepth) {
    throw syntaxError(reader, `${itemPrefix(reader)}nested more than ${maximumDepth} levels deep`);
  }
  if (scan.at - scan.start > maximumItemBytes) throw syntaxError(reader, `${itemPrefix(reader)}larger than 16 MiB`);
  if (!complete) return false;
  const value = parse(reader, reader.buffer.subarray(scan.start, scan.at), scan);
  if (scan.kind === "name") {
    startList(reader, value);
  } else if (reader.list !== undefined) {
    items.push({ list: reader.list, n: reader.n, value });
    reader.n += 1;
    reader.state = "after item";
  }
  return true;
}

function startList<Name extends string>(reader: DocumentReader<Name>, name: unknown): void {
  const known = reader.names.find((candidate) => candidate === name);
  if (known === undefined) {
    throw syntaxError(reader, `unknown list ${JSON.stringify(name)}: expected one of ${reader.names.join(", ")}`);
  }
  if (reader.seen.has(known)) throw syntaxError(reader, `duplicate list "${known}"`);
  reader.seen.add(known);
  reader.list = known;
  reader.n = 0;
  reader.state = "colon";
}

function parse(reader: DocumentReader<string>, bytes: Buffer, { line: firstLine, colons }: ValueScan): unknown {
  if (!isUtf8(bytes)) throw syntaxError(reader, `${itemPrefix(reader)}invalid UTF-8`, firstLine);
  const text = bytes.toString("utf8");
  const value = parseUnrepeated(text, colons);
  if (value !== undefined) return value;
  checkJson(text, {
    maximumDepth,
    invalid: ({ line }, problem) =>
      syntaxError(reader, `${itemPrefix(reader)}invalid JSON: ${problem}`, firstLine + line - 1),
  });
  return parseExactly(text);
}

/**
 * The value, or undefined if the text is not JSON, or an object repeats a key or has one named `__proto__`: checkJson, which
 * takes several times as long, then says where. Of a repeated key only one is left, and so fewer keys than colons.
 */
function parseUnrepeated(text: string, colons: number): unknown {
  try {
    const value = parseExactly(text);
    return countKeys(value) === colons ? value : undefined;
  } catch {
    return undefined;
  }
}

function countKeys(value: unknown): number {
  if (value === null || typeof value !== "object") return 0;
  let count = 0;
  if (Array.isArray(value)) for (const item of value) count += countKeys(item);
  else {
    for (const key of Object.keys(value)) {
      if (key === "__proto__") return Number.NaN;
      count += 1 + countKeys((value as Record<string, unknown>)[key]);
    }
  }
  return count;
}

function finish(reader: DocumentReader<string>): void {
  if (reader.state === "start") {
    throw new ServiceError("invalid_input", `${reader.source} is empty: ${expectedIn.start}`);
  }
  if (reader.state !== "end") throw syntaxError(reader, "unexpected end of file");
}

function syntaxError(reader: DocumentReader<string>, message: string, line = reader.line): ServiceError {
  return new ServiceError("invalid_input", `${reader.source}, line ${line}: ${message}`);
}

function itemPrefix(reader: DocumentReader<string>): string {
  return reader.list === undefined || reader.scan?.kind === "name" ? "" : `${reader.list}[${reader.n}]: `;
}

/** The next state for a byte between values; any other byte is an error or starts an item. */
const transitions: Record<ReaderState, Record<string, ReaderState | "name starts" | undefined>> = {
  start: { "{": "first name" },
  "first name": { '"': "name starts", "}": "end" },
  name: { '"': "name starts" },
  colon: { ":": "list" },
  list: { "[": "first item" },
  "first item": { "]": "after list" },
  item: {},
  "after item": { ",": "item", "]": "after list" },
  "after list": { ",": "name", "}": "end" },
  end: {},
};

type ValueScan = {
  kind: "name" | "item";
  start: number;
  at: number;
  /** The line of the first byte. */
  line: number;
  newlines: number;
  /** Outside of strings: as many as there are keys. */
  colons: number;
  depth: number;
  inString: boolean;
  escaped: boolean;
};

const newline = 0x0a;
const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const openBracket = 0x5b;
const backslash = 0x5c;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/** Advances `scan.at` to the end of the value or of the bytes; true if the value is complete. */
function scanValue(bytes: Buffer, scan: ValueScan): boolean {
  let { at, depth, inString, escaped } = scan;
  let complete = false;
  while (at < bytes.length && !complete && depth <= maximumDepth) {
    const byte = bytes[at];
    at += 1;
    if (inString) {
      if (escaped) escaped = false;
      else if (byte === backslash) escaped = true;
      else if (byte === quote) {
        inString = false;
        complete = depth === 0;
      }
    } else if (byte === quote) inString = true;
    else if (byte === openBrace || byte === openBracket) depth += 1;
    else if (byte === closeBrace || byte === closeBracket) {
      // At depth 0 the bracket closes the list: it ends a number or literal without being part of it.
      if (depth === 0) at -= 1;
      else depth -= 1;
      complete = depth === 0;
    } else if (depth === 0 && (byte === comma || isSpace(byte))) {
      at -= 1;
      complete = true;
    } else if (byte === colon) scan.colons += 1;
    else if (byte === newline) scan.newlines += 1;
  }
  scan.at = at;
  scan.depth = depth;
  scan.inString = inString;
  scan.escaped = escaped;
  return complete;
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === newline || byte === 0x0d || byte === 0x09;
}
