import { isUtf8 } from "node:buffer";
import { ServiceError } from "../platform/errors.js";

export type ListItem<Name extends string> = { list: Name; n: number; value: unknown };

const maximumItemBytes = 16 * 1024 * 1024;
const maximumDepth = 100;

/**
 * Reads a document `{"list": [item, …], …}` of any length, piece by piece, and yields the items of each piece.
 * Only the outline is read here: it finds where an item ends, and JSON.parse judges what is inside. Anything that
 * keeps the rest from being read is thrown, with its line.
 */
export async function* readLists<Name extends string>(
  chunks: AsyncIterable<Uint8Array>,
  options: { source: string; names: readonly Name[] },
): AsyncGenerator<ListItem<Name>[]> {
  const reader: Reader<Name> = {
    ...options,
    state: "start",
    line: 1,
    buffer: Buffer.alloc(0),
    scan: undefined,
    list: undefined,
    n: 0,
    seen: new Set(),
  };
  for await (const chunk of chunks) yield push(reader, chunk);
  finish(reader);
}

type State =
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

const expectations: Record<State, string> = {
  start: 'expects an object of lists, as in {"events": […]}',
  "first name": "expects the name of a list, or }",
  name: "expects the name of a list",
  colon: "expects : after the name of a list",
  list: "expects a list [ … ]",
  "first item": "expects an item, or ]",
  item: "expects an item",
  "after item": "expects , or ]",
  "after list": "expects , or }",
  end: "expects nothing after the closing }",
};

type Reader<Name extends string> = {
  source: string;
  names: readonly Name[];
  state: State;
  line: number;
  /** The bytes at hand; a value that is not complete yet starts at `scan.start`. */
  buffer: Buffer;
  scan: Scan | undefined;
  list: Name | undefined;
  n: number;
  seen: Set<Name>;
};

/** Reads as far as the bytes go, and returns the items that are complete. */
function push<Name extends string>(reader: Reader<Name>, chunk: Uint8Array): ListItem<Name>[] {
  const items: ListItem<Name>[] = [];
  takeBytes(reader, chunk);
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
      reader.scan = { kind, start: at, at, line: reader.line, newlines: 0, depth: 0, inString: false, escaped: false };
    } else {
      at += 1;
    }
  }
  return items;
}

function takeBytes(reader: Reader<string>, chunk: Uint8Array): void {
  const { scan } = reader;
  if (scan === undefined) {
    reader.buffer = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    return;
  }
  reader.buffer = Buffer.concat([reader.buffer.subarray(scan.start), chunk]);
  scan.at -= scan.start;
  scan.start = 0;
}

/** Takes one byte between values; true when a value starts at it. */
function startsValue(reader: Reader<string>, byte: number): boolean {
  const { state, list } = reader;
  if (state === "start" && (byte === 0xef || byte >= 0xfe)) {
    throw failure(reader, "starts with a byte order mark: save it as UTF-8 without one");
  }
  const character = String.fromCharCode(byte);
  const next = transitions[state][character];
  if (next === "name starts") return true;
  if (next !== undefined) {
    reader.state = next;
    return false;
  }
  if ((state === "first item" || state === "item") && !",:]}".includes(character)) return true;
  throw failure(reader, `${state === "list" ? `"${list}" ` : ""}${expectations[state]}`);
}

/** Continues the value that is being read; false when it goes on after the bytes at hand. */
function finishValue<Name extends string>(reader: Reader<Name>, scan: Scan, items: ListItem<Name>[]): boolean {
  const complete = scanValue(reader.buffer, scan);
  reader.line += scan.newlines;
  scan.newlines = 0;
  if (scan.depth > maximumDepth) {
    throw failure(reader, `${placeOf(reader)}is nested more than ${maximumDepth} levels deep`);
  }
  if (scan.at - scan.start > maximumItemBytes) throw failure(reader, `${placeOf(reader)}is longer than 16 MiB`);
  if (!complete) return false;
  const value = parse(reader, reader.buffer.subarray(scan.start, scan.at), scan.line);
  if (scan.kind === "name") {
    startList(reader, value);
  } else if (reader.list !== undefined) {
    items.push({ list: reader.list, n: reader.n, value });
    reader.n += 1;
    reader.state = "after item";
  }
  return true;
}

function startList<Name extends string>(reader: Reader<Name>, name: unknown): void {
  const known = reader.names.find((candidate) => candidate === name);
  if (known === undefined) {
    throw failure(reader, `${JSON.stringify(name)} is not a known list: expects ${reader.names.join(", ")}`);
  }
  if (reader.seen.has(known)) throw failure(reader, `"${known}" is given twice`);
  reader.seen.add(known);
  reader.list = known;
  reader.n = 0;
  reader.state = "colon";
}

function parse(reader: Reader<string>, bytes: Buffer, firstLine: number): unknown {
  if (!isUtf8(bytes)) throw failure(reader, `${placeOf(reader)}is not valid UTF-8`, firstLine);
  const text = bytes.toString("utf8");
  try {
    return JSON.parse(text);
  } catch (error) {
    throw failure(reader, `${placeOf(reader)}is not valid JSON`, firstLine + linesBefore(text, error));
  }
}

function finish(reader: Reader<string>): void {
  if (reader.state === "start") {
    throw new ServiceError("invalid_input", `${reader.source} is empty: ${expectations.start}`);
  }
  if (reader.state !== "end") throw failure(reader, "ends too early: the document is not complete");
}

function failure(reader: Reader<string>, what: string, line = reader.line): ServiceError {
  return new ServiceError("invalid_input", `${reader.source}, line ${line}: ${what}`);
}

function placeOf(reader: Reader<string>): string {
  return reader.list === undefined || reader.scan?.kind === "name" ? "" : `${reader.list}[${reader.n}] `;
}

/** What a byte between values leads to. A byte that is not here is an error, or starts an item. */
const transitions: Record<State, Record<string, State | "name starts" | undefined>> = {
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

type Scan = {
  kind: "name" | "item";
  start: number;
  at: number;
  /** The line on which the value starts. */
  line: number;
  newlines: number;
  depth: number;
  inString: boolean;
  escaped: boolean;
};

const newline = 0x0a;
const quote = 0x22;
const comma = 0x2c;
const openBracket = 0x5b;
const backslash = 0x5c;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/** Moves `scan.at` to the end of the value, or of the bytes; true when the value is complete. */
function scanValue(bytes: Buffer, scan: Scan): boolean {
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
      // At depth 0 the bracket belongs to the list: it ends a number or a word, and is not part of it.
      if (depth === 0) at -= 1;
      else depth -= 1;
      complete = depth === 0;
    } else if (depth === 0 && (byte === comma || isSpace(byte))) {
      at -= 1;
      complete = true;
    } else if (byte === newline) scan.newlines += 1;
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

function linesBefore(text: string, error: unknown): number {
  const position = /at position (\d+)/.exec(error instanceof Error ? error.message : "")?.[1];
  return position === undefined ? 0 : text.slice(0, Number(position)).split("\n").length - 1;
}
