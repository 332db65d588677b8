import { isUtf8 } from "node:buffer";
import { ServiceError } from "../../platform/errors.js";

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
  const reader = createReader(options.source, options.names);
  for await (const chunk of chunks) yield reader.push(chunk);
  reader.end();
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
  start: "expects an object of lists, as in {\"events\": […]}",
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

function createReader<Name extends string>(source: string, names: readonly Name[]) {
  let state: State = "start";
  let line = 1;
  let buffer: Buffer = Buffer.alloc(0);
  let scan: Scan | undefined;
  let list: Name | undefined;
  let n = 0;
  const seen = new Set<Name>();

  const fail = (what: string, atLine = line) =>
    new ServiceError("invalid_input", `${source}, line ${atLine}: ${what}`);

  const place = () => (list === undefined || scan?.kind === "name" ? "" : `${list}[${n}] `);

  function parse(bytes: Buffer, firstLine: number): unknown {
    if (!isUtf8(bytes)) throw fail(`${place()}is not valid UTF-8`, firstLine);
    const text = bytes.toString("utf8");
    try {
      return JSON.parse(text);
    } catch (error) {
      throw fail(`${place()}is not valid JSON`, firstLine + linesBefore(text, error));
    }
  }

  function startList(name: unknown): void {
    const known = names.find((candidate) => candidate === name);
    if (known === undefined) {
      throw fail(`${JSON.stringify(name)} is not a known list: expects ${names.join(", ")}`);
    }
    if (seen.has(known)) throw fail(`"${known}" is given twice`);
    seen.add(known);
    list = known;
    n = 0;
  }

  /** Takes one byte between values; true when a value starts at it. */
  function step(byte: number): boolean {
    const next = transitions[state][String.fromCharCode(byte)];
    if (next === undefined) {
      const opensItem = (state === "first item" || state === "item") && !",:]}".includes(String.fromCharCode(byte));
      if (!opensItem) throw fail(list !== undefined && state === "list" ? `"${list}" ${expectations.list}` : expectations[state]);
      return true;
    }
    if (next === "name starts") return true;
    state = next;
    return false;
  }

  /** Continues the value that is being read; false when it goes on after the bytes that are here. */
  function finishValue(current: Scan, items: ListItem<Name>[]): boolean {
    const complete = scanValue(buffer, current);
    line += current.newlines;
    current.newlines = 0;
    if (current.depth > maximumDepth) throw fail(`${place()}is nested more than ${maximumDepth} levels deep`);
    if (current.at - current.start > maximumItemBytes) throw fail(`${place()}is longer than 16 MiB`);
    if (!complete) return false;
    const value = parse(buffer.subarray(current.start, current.at), current.line);
    if (current.kind === "name") {
      startList(value);
      state = "colon";
    } else if (list !== undefined) {
      items.push({ list, n, value });
      n += 1;
      state = "after item";
    }
    return true;
  }

  return {
    push(chunk: Uint8Array): ListItem<Name>[] {
      const items: ListItem<Name>[] = [];
      const kept = scan === undefined ? 0 : buffer.length - scan.start;
      if (scan !== undefined) {
        buffer = Buffer.concat([buffer.subarray(scan.start), chunk]);
        scan.at -= scan.start;
        scan.start = 0;
      } else {
        buffer = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
      }
      let at = kept;
      while (at < buffer.length) {
        if (scan !== undefined) {
          if (!finishValue(scan, items)) break;
          at = scan.at;
          scan = undefined;
          continue;
        }
        const byte = buffer[at] ?? 0;
        if (byte === newline) line += 1;
        if (!isSpace(byte) && step(byte)) {
          const kind = state === "first name" || state === "name" ? "name" : "item";
          scan = { kind, start: at, at, line, newlines: 0, depth: 0, inString: false, escaped: false };
        } else {
          at += 1;
        }
      }
      return items;
    },

    end(): void {
      if (state === "start") throw new ServiceError("invalid_input", `${source} is empty: ${expectations.start}`);
      if (state !== "end" || scan !== undefined) throw fail("ends too early: the document is not complete");
    },
  };
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
