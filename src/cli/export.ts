import { once } from "node:events";
import { createWriteStream, rmSync } from "node:fs";
import { realpath, rename, stat, unlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Writable } from "node:stream";
import { finished } from "node:stream/promises";
import type { Command } from "commander";
import { withDatabase } from "../open-database.js";
import type { Database } from "../platform/db.js";
import { type ExportCounts, exportDocument } from "../transfer/export-document.js";
import { isBrokenPipe, printJson, printTable, showProgress, writerOf } from "./output.js";

export function addExportCommand(program: Command): void {
  program
    .command("export")
    .description("write the whole database as one JSON document, the one that import reads; keys and secrets stay out")
    .argument("[file]", "where to write it; standard output when left out")
    .option("--json", "with FILE, print how many rows were written as JSON")
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
    // A reader that has seen enough, such as head, is no error.
    if (!isBrokenPipe(error)) throw error;
  }
}

/** The file appears when it is complete: until then it is written under another name beside it. */
async function writeToFile(db: Database, file: string): Promise<ExportCounts> {
  const target = await realpath(file).catch(() => file);
  const existing = await stat(target).catch(() => undefined);
  if (existing?.isDirectory()) throw new Error(`${file} is a folder: expects a file`);
  if (existing !== undefined && !existing.isFile())
    return writeThrough(db, { path: target, shown: file, flush: false });
  const unfinished = join(dirname(target), `.${basename(target)}.${process.pid}.part`);
  const forget = () => {
    rmSync(unfinished, { force: true });
    process.exit(130);
  };
  process.once("SIGINT", forget).once("SIGTERM", forget);
  try {
    const counts = await writeThrough(db, { path: unfinished, shown: file, flush: true });
    await rename(unfinished, target);
    return counts;
  } catch (error) {
    await unlink(unfinished).catch(() => undefined);
    throw error;
  } finally {
    process.off("SIGINT", forget).off("SIGTERM", forget);
  }
}

async function writeThrough(
  db: Database,
  { path, shown, flush }: { path: string; shown: string; flush: boolean },
): Promise<ExportCounts> {
  const stream = createWriteStream(path, { flush, mode: 0o600 });
  try {
    await once(stream, "open");
  } catch (error) {
    throw new Error(`cannot write ${shown}: ${(error as NodeJS.ErrnoException).code}`);
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
