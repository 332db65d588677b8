import type { Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import type { Command } from "commander";
import { messageOf } from "../../contract/errors.js";
import { databaseMessage } from "../infra/database/database-errors.js";
import { type Database, sqlState } from "../infra/database/db.js";
import { type OpenedDatabase, onSnapshot, withDatabase } from "../open-database.js";
import { noteBackup, noteVerifiedBackup } from "../transfer/backup-state.js";
import { checkBackup } from "../transfer/check-backup.js";
import { restoreBackup } from "../transfer/restore-backup.js";
import { type BackupSummary, type WrittenBackup, writeBackup } from "../transfer/write-backup.js";
import { withBackupFile } from "./backup-file.js";
import { counted, print, printJson, showProgress, writerOf } from "./output.js";
import { writeOutputFile } from "./output-file.js";
import { printTable } from "./table.js";
import { verifyBackup } from "./verify-backup.js";

export function addBackupCommand(program: Command): void {
  program
    .command("backup")
    .description("write everything in the database to a compressed file: rows, images, key hashes, records")
    .argument("<file>", "output file, or - for standard output")
    .option("--verify", "then restore the file into a scratch database, which is removed again, and compare")
    .option("--json", "with a file: print the tables and checksums as JSON")
    .addHelpText(
      "after",
      `
The service keeps running; the file is one consistent snapshot, readable by its owner only. It replaces an existing file
when it is complete. Tables and columns that other programs have added are not part of it, and are named on stderr.

--verify creates a database on the configured server, for which the role of DATABASE_URL needs CREATEDB, or a folder in
DATA_DIR. If it fails, the exit code is 1 and the file stays.

Examples:
  $ svc backup backup.svc.gz
  $ svc backup --verify "/backups/$(date +%F).svc.gz"          daily, from a timer
  $ svc backup - | DATABASE_URL=postgres://… svc restore -     move to PostgreSQL`,
    )
    .action(runBackup);
}

export function addRestoreCommand(program: Command): void {
  program
    .command("restore")
    .description("restore a file of svc backup into an empty database, completely or not at all")
    .argument("<file>", "file of svc backup, or - for standard input")
    .option("--check", "only check that the file is complete and that this version can restore it")
    .option("--json", "print the tables and checksums as JSON")
    .addHelpText(
      "after",
      `
The database must be empty: a new one on PostgreSQL, or a new DATA_DIR. All rows are read back and compared with the
checksums of the file before they are committed.

--check needs no database. It compares the checksums, and the tables and migrations of the file with those of this version.

Example:
  $ svc restore --check backup.svc.gz
  $ DATABASE_URL=postgres://localhost/restored svc restore backup.svc.gz`,
    )
    .action(runRestore);
}

type BackupFlags = { verify?: true; json?: true };

async function runBackup(file: string, options: BackupFlags, command: Command): Promise<void> {
  if (options.verify && file === "-") command.error("error: --verify needs a file, because it reads it again");
  // Not migrated: the backup before an upgrade has the schema before the upgrade.
  await withDatabase("backup", (_, __, opened) => backUp(file, options, opened), { pending: "ignore" });
}

async function backUp(file: string, options: BackupFlags, opened: OpenedDatabase): Promise<void> {
  const write = (db: Database) =>
    file === "-" ? compress(db, process.stdout) : writeOutputFile(file, (stream) => compress(db, stream));
  const { others, ...summary } = await onSnapshot(opened, "backup", write);
  const { changes } = opened.db;
  const warnings = new Set<string>();
  const warn = (text: string) => {
    if (!warnings.has(text)) process.stderr.write(`svc: ${text}\n`);
    warnings.add(text);
  };
  if (others.length > 0) warn(`not in the backup, because no migration of this version makes it: ${others.join(", ")}`);
  await noteBackup(changes, summary.created_at).catch((error: unknown) => warn(notNoted(error)));
  if (options.verify) {
    await verifyBackup(file, summary, opened).catch((error: unknown) => {
      throw new Error(`${file} was written, but not verified: ${messageOf(error)}`);
    });
    await noteVerifiedBackup(changes, summary.created_at).catch((error: unknown) => warn(notNoted(error)));
  }
  if (file === "-")
    process.stderr.write(`Wrote ${counted(summary.rows, "row")} of ${counted(summary.tables.length, "table")}.\n`);
  else if (options.json) printJson({ file, ...summary, verified: options.verify === true, warnings: [...warnings] });
  else printSummary(summary, options.verify ? "Wrote, restored into a scratch database and compared" : "Wrote");
}

const undefinedTable = "42P01";

/** The backup is complete nevertheless: a standby, or a role that only reads, can make backups too. */
function notNoted(error: unknown): string {
  const reason = sqlState(error) === undefinedTable ? "the schema is older than this version" : databaseMessage(error);
  return `the backup is complete, but metrics will not show its time, which could not be stored: ${reason}`;
}

async function compress(db: Database, stream: Writable): Promise<WrittenBackup> {
  const gzip = createGzip();
  const progress = showProgress();
  const piped = pipeline(gzip, stream, { end: false });
  // Reported by the writer, or by the await below.
  piped.catch(() => undefined);
  try {
    const onRows = (done: number, total: number, label: string) => progress.update(done, total, label);
    const summary = await writeBackup(db, writerOf(gzip), { onRows });
    gzip.end();
    await piped;
    return summary;
  } finally {
    progress.finish();
    gzip.destroy();
  }
}

async function runRestore(file: string, options: { check?: true; json?: true }): Promise<void> {
  const { leftOut, ...summary } = await withBackupFile(file, async ({ parts, onRows, leftOut }) => {
    const restore = (db: Database) => restoreBackup(db, parts, { onRows });
    const restored = options.check
      ? await checkBackup(parts)
      : await withDatabase("restore", restore, { create: true, pending: "ignore" });
    return { ...restored, leftOut };
  });
  const warnings =
    leftOut.length === 0
      ? []
      : [`not restored, because backups of this version leave these tables out: ${leftOut.join(", ")}`];
  for (const text of warnings) process.stderr.write(`svc: ${text}\n`);
  if (options.json) printJson({ checked_only: options.check === true, ...summary, warnings });
  else
    printSummary(
      summary,
      options.check ? "The file is complete, and this version can restore it:" : "Restored and verified",
    );
}

function printSummary({ created_at, tables, rows, sha256 }: BackupSummary, verb: string): void {
  printTable(
    tables.map((table) => ({ table: table.name, rows: String(table.rows), sha256: table.sha256.slice(0, 16) })),
  );
  print(
    `${verb} ${counted(rows, "row")} of ${counted(tables.length, "table")}; snapshot of ${created_at}, sha256 ${sha256}.`,
  );
}
