import { createWriteStream } from "node:fs";
import { type FileHandle, mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { Command } from "commander";
import { withDatabase } from "../open-database.js";
import { type ImportOutcome, importDocument } from "../transfer/import-document.js";
import { type Progress, print, printJson, printTable, showProgress } from "./output.js";

const printedProblems = 100;
const chunkBytes = 256 * 1024;

export function addImportCommand(program: Command): void {
  program
    .command("import")
    .description("import a JSON document: all of it or, when anything in it is wrong, nothing")
    .argument("<file>", "the document; - reads it from standard input")
    .option("--check", "only say what would be imported, or what is wrong")
    .option("--json", "print the outcome as JSON")
    .addHelpText(
      "after",
      `
Rows are matched by id where given, else by their natural key (slug, e-mail, event and name …): importing the same
document twice changes nothing. A field that is left out keeps what is stored.

Example:
  $ svc import --check events.json     say what is wrong, if anything
  $ svc import events.json
  $ svc export | DATABASE_URL=postgres://… svc import -`,
    )
    .action(runImport);
}

type Options = { check?: true; json?: true };

async function runImport(file: string, options: Options): Promise<void> {
  const source = await openSource(file);
  const progress = showProgress();
  const outcome = await withDatabase("import", (db) =>
    importDocument(db, source.read(progress), {
      source: source.name,
      checkOnly: options.check === true,
      onStep: (done, total, label) => progress.update(done, total, label),
    }),
  ).finally(() => {
    progress.finish();
    return source.close();
  });
  if (options.json) printJson(asDocument(outcome, options));
  else if (outcome.ok) printCounts(outcome.lists, options);
  else printProblems(outcome);
  if (!outcome.ok) process.exitCode = 1;
}

type Source = { name: string; read(progress: Progress): AsyncIterable<Uint8Array>; close(): Promise<void> };

async function openSource(file: string): Promise<Source> {
  if (file === "-") return openStandardInput();
  const handle = await open(file).catch((error: NodeJS.ErrnoException) => {
    throw new Error(error.code === "ENOENT" ? `there is no file ${file}` : `cannot read ${file}: ${error.code}`);
  });
  const found = await handle.stat();
  if (found.isDirectory()) throw new Error(`${file} is a folder: expects a file`);
  return sourceOf(file, handle, found.size);
}

/** Copied to a file first: a program that writes slowly must not hold a transaction open. */
async function openStandardInput(): Promise<Source> {
  const folder = await mkdtemp(join(tmpdir(), "svc-import-"));
  try {
    const copy = join(folder, "document.json");
    await pipeline(process.stdin, createWriteStream(copy));
    const handle = await open(copy);
    return sourceOf("standard input", handle, (await handle.stat()).size);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function sourceOf(name: string, handle: FileHandle, size: number): Source {
  const stream = () => handle.createReadStream({ highWaterMark: chunkBytes, autoClose: false });
  return { name, read: (progress) => track(stream(), size, progress), close: () => handle.close() };
}

async function* track(
  chunks: AsyncIterable<Uint8Array>,
  total: number,
  progress: Progress,
): AsyncGenerator<Uint8Array> {
  let done = 0;
  for await (const chunk of chunks) {
    done += chunk.byteLength;
    progress.update(done, Math.max(done, total), `reading ${Math.ceil(done / 1e6)} MB`);
    yield chunk;
  }
}

function asDocument(outcome: ImportOutcome, options: Options): object {
  const checked_only = options.check === true;
  if (outcome.ok) return { ok: true, checked_only, lists: outcome.lists };
  return { ok: false, checked_only, error_count: outcome.problemCount, errors: outcome.problems };
}

function printCounts(lists: Extract<ImportOutcome, { ok: true }>["lists"], options: Options): void {
  printTable(
    Object.entries(lists).map(([list, counts]) => ({
      list,
      added: String(counts.added),
      changed: String(counts.changed),
      unchanged: String(counts.unchanged),
    })),
  );
  if (Object.keys(lists).length === 0) print("The document has no rows.");
  if (options.check) print("Checked only: nothing was imported.");
}

function printProblems(outcome: Extract<ImportOutcome, { ok: false }>): void {
  const lines = outcome.problems.slice(0, printedProblems).map(({ path, message }) => `${path}: ${message}`);
  const more = outcome.problemCount - lines.length;
  if (more > 0) lines.push(`… and ${more} more`);
  lines.push("Nothing was imported.");
  // Names come from the file: control characters must not reach the terminal.
  process.stderr.write(`${lines.map((line) => line.replace(/\p{Cc}/gu, "�")).join("\n")}\n`);
}
