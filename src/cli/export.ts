import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createWriteStream, rmSync, type WriteStream } from "node:fs";
import { realpath, rename, stat, unlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Writable } from "node:stream";
import { finished } from "node:stream/promises";
import type { Command } from "commander";
import { withDatabase } from "../open-database.js";
import type { Database } from "../platform/db.js";
import { type ExportCounts, exportDocument } from "../transfer/document-export.js";
import { isBrokenPipe, printJson, printTable, showProgress, writerOf } from "./output.js";

export function addExportCommand(program: Command): void {
  program
    .command("export")
    .description("write the whole database as one JSON document for svc import, without API keys and other secrets")
    .argument("[file]", "output file (default: standard output)")
    .option("--json", "with a file: print the row counts as JSON")
    .addHelpText("after", "\nExample:\n  $ svc export backup.json\n  $ svc export | gzip > backup.json.gz")
    .action(runExport);
}

async function runExport(file: string | undefined, options: { json?: true }): Promise<void> {
  if (file === undefined || file === "-") {
    await withDatabase("export", writeToStandardOutput);
    return;
  }
  const counts = await withDatabase("export", (db) => writeToFile(db, file));
  if (options.json) printJson({ file, lists: counts });
  else printTable(Object.entries(counts).map(([list, rows]) => ({ list, rows: String(rows) })));
}

async function writeToStandardOutput(db: Database): Promise<void> {
  try {
    await exportWithProgress(db, process.stdout);
  } catch (error) {
    if (!isBrokenPipe(error)) throw error;
  }
}

/** Writes to a temporary file in the same directory and renames it, so that a failure leaves an existing file intact. */
async function writeToFile(db: Database, file: string): Promise<ExportCounts> {
  const target = await realpath(file).catch(() => file);
  const existing = await stat(target).catch(() => undefined);
  if (existing?.isDirectory()) throw new Error(`${file} is a directory: expected a file`);
  // A device or pipe cannot be replaced by renaming a file over it.
  if (existing !== undefined && !existing.isFile()) return writeStream(db, file, createWriteStream(target));
  const temporary = join(dirname(target), `.${basename(target)}.${randomUUID()}.part`);
  const abort = () => {
    rmSync(temporary, { force: true });
    process.exit(130);
  };
  process.once("SIGINT", abort).once("SIGTERM", abort);
  try {
    // Readable by the owner only: the document contains guest lists.
    const counts = await writeStream(db, file, createWriteStream(temporary, { flags: "wx", flush: true, mode: 0o600 }));
    await rename(temporary, target);
    return counts;
  } catch (error) {
    await unlink(temporary).catch(() => undefined);
    throw error;
  } finally {
    process.off("SIGINT", abort).off("SIGTERM", abort);
  }
}

async function writeStream(db: Database, file: string, stream: WriteStream): Promise<ExportCounts> {
  try {
    await once(stream, "open");
  } catch (error) {
    throw new Error(`cannot write ${file}: ${(error as NodeJS.ErrnoException).code}`);
  }
  try {
    const counts = await exportWithProgress(db, stream);
    stream.end();
    await finished(stream);
    return counts;
  } finally {
    stream.destroy();
  }
}

async function exportWithProgress(db: Database, stream: Writable): Promise<ExportCounts> {
  const progress = showProgress();
  try {
    return await exportDocument(db, writerOf(stream), progress.update);
  } finally {
    progress.finish();
  }
}
