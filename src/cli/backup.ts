import type { Readable, Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import type { Command } from "commander";
import { withDatabase, withSnapshot } from "../open-database.js";
import type { Database } from "../platform/database/db.js";
import type { TableDigest } from "../transfer/backup-tables.js";
import { type BackupPart, readBackup } from "../transfer/read-backup.js";
import { restoreBackup } from "../transfer/restore-backup.js";
import { type BackupSummary, writeBackup } from "../transfer/write-backup.js";
import { openInputFile } from "./input-file.js";
import { counted, print, printJson, showProgress, writerOf } from "./output.js";
import { writeOutputFile } from "./output-file.js";
import { printTable } from "./table.js";

export function addBackupCommand(program: Command): void {
  program
    .command("backup")
    .description("write everything in the database to a compressed file: rows, images, key hashes, records")
    .argument("<file>", "output file, or - for standard output")
    .option("--json", "with a file: print the tables and checksums as JSON")
    .addHelpText(
      "after",
      `
The service keeps running; the file is one consistent snapshot, readable by its owner only. It replaces an existing file
when it is complete.

Example:
  $ svc backup backup.svc.gz
  $ svc backup - | DATABASE_URL=postgres://… svc restore -     move to PostgreSQL`,
    )
    .action(runBackup);
}

export function addRestoreCommand(program: Command): void {
  program
    .command("restore")
    .description("restore a file of svc backup into an empty database, completely or not at all")
    .argument("<file>", "file of svc backup, or - for standard input")
    .option("--check", "only check that the file is complete and matches its checksums")
    .option("--json", "print the tables and checksums as JSON")
    .addHelpText(
      "after",
      `
The database must be empty: a new one on PostgreSQL, or a new DATA_DIR. All rows are read back and compared with the
checksums of the file before they are committed.

Example:
  $ svc restore --check backup.svc.gz
  $ DATABASE_URL=postgres://localhost/restored svc restore backup.svc.gz`,
    )
    .action(runRestore);
}

async function runBackup(file: string, options: { json?: true }): Promise<void> {
  const write = (db: Database) =>
    file === "-" ? compress(db, process.stdout) : writeOutputFile(file, (stream) => compress(db, stream));
  // Not migrated: the backup before an upgrade has the schema before the upgrade.
  const summary = await withSnapshot("backup", write, { pending: "ignore" });
  if (file === "-")
    process.stderr.write(`Wrote ${counted(summary.rows, "row")} of ${counted(summary.tables.length, "table")}.\n`);
  else if (options.json) printJson({ file, ...summary });
  else printSummary(summary, "Wrote");
}

async function compress(db: Database, stream: Writable): Promise<BackupSummary> {
  const gzip = createGzip();
  const progress = showProgress();
  const piped = pipeline(gzip, stream, { end: false });
  // Reported by the writer, or by the await below.
  piped.catch(() => undefined);
  try {
    const summary = await writeBackup(db, writerOf(gzip), (done, total, label) => progress.update(done, total, label));
    gzip.end();
    await piped;
    return summary;
  } finally {
    progress.finish();
    gzip.destroy();
  }
}

async function runRestore(file: string, options: { check?: true; json?: true }): Promise<void> {
  const input = await openInput(file);
  const progress = showProgress();
  const gunzip = createGunzip();
  const piped = pipeline(input, gunzip);
  piped.catch(() => undefined);
  try {
    const parts = readBackup(gunzip);
    const summary = options.check
      ? await summarize(parts)
      : await withDatabase("restore", (db) => restoreBackup(db, parts, { onRows: progressOf(progress) }), {
          create: true,
          pending: "ignore",
        });
    progress.finish();
    if (options.json) printJson({ checked_only: options.check === true, ...summary });
    else printSummary(summary, options.check ? "The file is complete:" : "Restored and verified");
  } finally {
    progress.finish();
    gunzip.destroy();
    input.destroy();
  }
}

function progressOf(progress: ReturnType<typeof showProgress>) {
  return (done: number, label: string) => progress.update(0, 1, `${done} rows, ${label}`);
}

async function openInput(file: string): Promise<Readable> {
  if (file === "-") return process.stdin;
  const { handle } = await openInputFile(file);
  return handle.createReadStream();
}

async function summarize(parts: AsyncIterable<BackupPart>): Promise<BackupSummary> {
  const tables: TableDigest[] = [];
  let created_at = "";
  let total = { rows: 0, sha256: "" };
  for await (const part of parts) {
    if (part.kind === "header") created_at = part.created_at;
    if (part.kind === "table end") tables.push({ name: part.name, rows: part.rows, sha256: part.sha256 });
    if (part.kind === "end") total = { rows: part.rows, sha256: part.sha256 };
  }
  return { created_at, tables, ...total };
}

function printSummary({ created_at, tables, rows, sha256 }: BackupSummary, verb: string): void {
  printTable(
    tables.map((table) => ({ table: table.name, rows: String(table.rows), sha256: table.sha256.slice(0, 16) })),
  );
  print(
    `${verb} ${counted(rows, "row")} of ${counted(tables.length, "table")}; snapshot of ${created_at}, sha256 ${sha256}.`,
  );
}
