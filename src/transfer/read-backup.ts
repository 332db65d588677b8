import { createHash, type Hash } from "node:crypto";
import { z } from "zod";
import { messageOf } from "../../contract/errors.js";
import { notBackedUp } from "./backup-tables.js";

const digest = z.string().regex(/^[0-9a-f]{64}$/);
const count = z.int().min(0);
const header = z.object({
  format: z.literal("svc backup"),
  version: z.int(),
  created_at: z.string(),
  migrations: z.array(z.object({ name: z.string(), checksum: z.string(), compatible: z.boolean() })),
});
const tableStart = z.object({ table: z.string(), columns: z.array(z.string()).min(1) });
const tableEnd = z.object({ table_end: z.string(), rows: count, sha256: digest });
const sequences = z.object({
  sequences: z.array(z.object({ name: z.string(), value: z.string().regex(/^-?\d+$/), called: z.boolean() })),
});
const end = z.object({ end: z.literal("svc backup"), rows: count, sha256: digest });
const row = z.array(z.string().nullable());

/** The parts of a backup in their order; `rows` follow the `table` that they belong to. */
export type BackupPart =
  | ({ kind: "header" } & z.infer<typeof header>)
  | ({ kind: "table" } & z.infer<typeof tableStart>)
  | { kind: "rows"; rows: Row[] }
  | { kind: "table end"; name: string; rows: number; sha256: string }
  | ({ kind: "sequences" } & z.infer<typeof sequences>)
  | { kind: "end"; rows: number; sha256: string };

const supportedVersion = 1;
const batchRows = 1000;
const batchBytes = 4 * 1024 * 1024;
/** More than the longest row: JavaScript strings have at most 512 MiB. */
const defaultMaximumLineBytes = 256 * 1024 * 1024;

/**
 * Reads a backup and checks everything that can be checked without a database: the order of its parts, the number of rows,
 * and the digest of each table and of the whole. A backup that ends early or was changed is an error.
 */
export async function* readBackup(
  chunks: AsyncIterable<Uint8Array>,
  options: { maximumLineBytes?: number } = {},
): AsyncGenerator<BackupPart> {
  const reader: BackupReader = { line: 0, rows: 0, table: undefined, hash: createHash("sha256"), isComplete: false };
  let rows: Row[] = [];
  let bytes = 0;
  for await (const line of readLines(chunks, options.maximumLineBytes ?? defaultMaximumLineBytes)) {
    const part = readLine(reader, line);
    if (Array.isArray(part)) {
      rows.push(part);
      bytes += line.length;
    }
    if (rows.length > 0 && (!Array.isArray(part) || rows.length === batchRows || bytes >= batchBytes)) {
      yield { kind: "rows", rows };
      rows = [];
      bytes = 0;
    }
    if (!Array.isArray(part)) yield part;
  }
  if (!reader.isComplete) throw invalid("it ends early");
}

/**
 * Without the tables that this version leaves out of backups. Earlier versions have written all tables of a newer schema, also
 * those that they did not know.
 */
export async function* withoutLeftOut(
  parts: AsyncIterable<BackupPart>,
  onLeftOut: (table: string) => void,
): AsyncGenerator<BackupPart> {
  let isLeftOut = false;
  for await (const part of parts) {
    if (part.kind === "table") {
      isLeftOut = notBackedUp.has(part.table);
      if (isLeftOut) onLeftOut(part.table);
    }
    if (!isLeftOut) yield part;
    if (part.kind === "table end") isLeftOut = false;
  }
}

type Row = (string | null)[];

type BackupReader = {
  line: number;
  rows: number;
  table: { name: string; columns: number; rows: number; hash: Hash } | undefined;
  hash: Hash;
  isComplete: boolean;
};

/** One line is one part, or one row. */
function readLine(reader: BackupReader, line: string): Row | BackupPart {
  reader.line += 1;
  if (reader.isComplete) throw invalid("more lines after its end");
  if (line.startsWith('{"end":')) return readEnd(reader, line);
  reader.hash.update(line).update("\n");
  if (reader.line === 1) return readHeader(line);
  if (line.startsWith("[")) return readRow(reader, line);
  if (line.startsWith('{"table":')) return readTableStart(reader, line);
  if (line.startsWith('{"table_end":')) return readTableEnd(reader, line);
  return { kind: "sequences", ...parse(sequences, line, reader.line) };
}

function readHeader(line: string): BackupPart {
  const found = parse(header, line, 1);
  if (found.version !== supportedVersion) {
    throw new Error(
      `the backup has format version ${found.version}, this version reads ${supportedVersion}: run a newer version`,
    );
  }
  return { kind: "header", ...found };
}

function readRow(reader: BackupReader, line: string): Row {
  const values = parse(row, line, reader.line);
  if (values.length !== reader.table?.columns) throw invalid(`unexpected row in line ${reader.line}`);
  reader.table.hash.update(line).update("\n");
  reader.table.rows += 1;
  reader.rows += 1;
  return values;
}

function readTableStart(reader: BackupReader, line: string): BackupPart {
  const found = parse(tableStart, line, reader.line);
  if (reader.table !== undefined) throw invalid(`table ${reader.table.name} has no end`);
  reader.table = { name: found.table, columns: found.columns.length, rows: 0, hash: createHash("sha256") };
  return { kind: "table", ...found };
}

function readTableEnd(reader: BackupReader, line: string): BackupPart {
  const { table_end: name, rows, sha256 } = parse(tableEnd, line, reader.line);
  const { table } = reader;
  if (table?.name !== name || table.rows !== rows || table.hash.digest("hex") !== sha256) {
    throw invalid(`table ${name} does not match its checksum`);
  }
  reader.table = undefined;
  return { kind: "table end", name, rows, sha256 };
}

function readEnd(reader: BackupReader, line: string): BackupPart {
  const { rows, sha256 } = parse(end, line, reader.line);
  if (reader.table !== undefined || rows !== reader.rows || sha256 !== reader.hash.digest("hex")) {
    throw invalid("it does not match its checksum");
  }
  reader.isComplete = true;
  return { kind: "end", rows, sha256 };
}

function invalid(problem: string): Error {
  return new Error(`the backup is incomplete or damaged: ${problem}`);
}

function parse<Schema extends z.ZodType>(schema: Schema, line: string, lineNumber: number): z.infer<Schema> {
  const expected = lineNumber === 1 ? "this is not a file of svc backup" : `line ${lineNumber} is not valid`;
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw invalid(expected);
  }
  const result = schema.safeParse(value);
  if (!result.success) throw invalid(expected);
  return result.data;
}

async function* readLines(chunks: AsyncIterable<Uint8Array>, maximumBytes: number): AsyncGenerator<string> {
  let parts: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of chunks) {
      let from = 0;
      for (let at = chunk.indexOf(0x0a); at !== -1; at = chunk.indexOf(0x0a, from)) {
        parts.push(chunk.subarray(from, at));
        yield Buffer.concat(parts).toString("utf8");
        parts = [];
        bytes = 0;
        from = at + 1;
      }
      if (from < chunk.length) parts.push(chunk.subarray(from));
      bytes += chunk.length - from;
      if (bytes > maximumBytes) throw invalid(`a line has more than ${maximumBytes} bytes`);
    }
  } catch (error) {
    // zlib reports a file that is cut off, damaged or not compressed.
    if (/^Z_/.test(String((error as NodeJS.ErrnoException).code))) throw invalid(messageOf(error));
    throw error;
  }
  if (bytes > 0) throw invalid("it ends early");
}
