import type { Writable } from "node:stream";
import type { Command } from "commander";
import type { Database } from "../infra/database/db.js";
import { onSnapshot, withDatabase } from "../open-database.js";
import { countOmittedRows, type ExportCounts, exportDocument } from "../transfer/document-export.js";
import { counted, isBrokenPipe, printJson, showProgress, writerOf } from "./output.js";
import { writeOutputFile } from "./output-file.js";
import { printTable } from "./table.js";

export function addExportCommand(program: Command): void {
  program
    .command("export")
    .description("write people, organizations, conferences and events as one JSON document for svc import")
    .argument("[file]", "output file (default: standard output)")
    .option("--json", "with a file: print the row counts as JSON")
    .addHelpText(
      "after",
      `
The document leaves out stored images, API keys and records, and is therefore not a complete copy: use svc backup for one.

Example:
  $ svc export events.json
  $ svc export | gzip > events.json.gz`,
    )
    .action(runExport);
}

async function runExport(file: string | undefined, options: { json?: true }): Promise<void> {
  const isFile = file !== undefined && file !== "-";
  const write = (db: Database): Promise<ExportCounts | undefined> =>
    isFile ? writeOutputFile(file, (stream) => exportWithProgress(db, stream)) : writeToStandardOutput(db);
  const counts = await withDatabase("export", (_, __, opened) => onSnapshot(opened, "export", write), {
    pending: "refuse",
  });
  if (counts === undefined) return;
  if (options.json) printJson({ file, lists: counts });
  else printTable(Object.entries(counts).map(([list, rows]) => ({ list, rows: String(rows) })));
}

async function writeToStandardOutput(db: Database): Promise<undefined> {
  try {
    await exportWithProgress(db, process.stdout);
  } catch (error) {
    if (!isBrokenPipe(error)) throw error;
  }
}

async function exportWithProgress(db: Database, stream: Writable): Promise<ExportCounts> {
  const progress = showProgress();
  try {
    const counts = await exportDocument(db, writerOf(stream), progress.update);
    await announceOmittedRows(db);
    return counts;
  } finally {
    progress.finish();
  }
}

async function announceOmittedRows(db: Database): Promise<void> {
  const { images, keys, records } = await countOmittedRows(db);
  process.stderr.write(
    `Left out: ${counted(images, "stored image")}, ${counted(keys, "API key")}, ${counted(records, "record")}. svc backup writes everything.\n`,
  );
}
