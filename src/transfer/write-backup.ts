import { createHash } from "node:crypto";
import { raw } from "sql-template-tag";
import type { Database, Queryable } from "../infra/database/db.js";
import { type AppliedMigration, findAppliedMigrations } from "../infra/database/migrate.js";
import { findMigratedTables } from "../infra/database/migrated-tables.js";
import {
  findBackupTables,
  findKnownMigrations,
  quoted,
  readSequences,
  readTable,
  type TableDigest,
  useBackupSettings,
} from "./backup-tables.js";

/*
 * A backup is lines of JSON: a header; for each table its columns, an array of texts per row and its digest; the
 * sequences; and at the end the digest of all lines before. docs/decisions/backup-format.md explains it.
 */
export type BackupHeader = { format: "svc backup"; version: 1; created_at: string; migrations: AppliedMigration[] };

export type BackupSummary = { created_at: string; tables: TableDigest[]; rows: number; sha256: string };

/** `others` are the tables and columns that are not in it, because no migration of this version makes them. */
export type WrittenBackup = BackupSummary & { others: string[] };

export type BackupOptions = {
  /** The migrations of this version. */
  migrations?: URL;
  onRows?: (done: number, total: number, label: string) => void;
};

/**
 * Writes everything that the migrations of this version have made in the database, from one snapshot. The next batch is only
 * read after `write` has resolved.
 */
export async function writeBackup(
  db: Database,
  write: (text: string) => Promise<void>,
  options: BackupOptions = {},
): Promise<WrittenBackup> {
  const hash = createHash("sha256");
  const writeText = async (text: string) => {
    hash.update(text);
    await write(text);
  };
  const writeLine = (value: object) => writeText(`${JSON.stringify(value)}\n`);
  return db.transaction(
    async (tx) => {
      await useBackupSettings(tx);
      const header = await makeHeader(tx);
      const migrated = findMigratedTables(await findKnownMigrations("database", header.migrations, options.migrations));
      const { tables, others } = await findBackupTables(tx, migrated);
      await writeLine(header);
      const digests: TableDigest[] = [];
      const total = await countRows(
        tx,
        tables.map(({ name }) => name),
      );
      let done = 0;
      for (const table of tables) {
        await writeLine({ table: table.name, columns: table.columns.map(({ name }) => name) });
        const digest = await readTable(tx, table, async (rows) => {
          await writeText(`${rows.join("\n")}\n`);
          done += rows.length;
          options.onRows?.(done, total, table.name);
        });
        await writeLine({ table_end: table.name, rows: digest.rows, sha256: digest.sha256 });
        digests.push(digest);
      }
      await writeLine({ sequences: await readSequences(tx, tables) });
      const sha256 = hash.digest("hex");
      await write(`${JSON.stringify({ end: "svc backup", rows: done, sha256 })}\n`);
      return { created_at: header.created_at, tables: digests, rows: done, sha256, others };
    },
    { mode: "repeatable read, read only" },
  );
}

async function makeHeader(tx: Queryable): Promise<BackupHeader> {
  const migrations = await findAppliedMigrations(tx);
  if (migrations.length === 0) throw new Error("the database has no tables: there is nothing to back up");
  return {
    format: "svc backup",
    version: 1,
    created_at: new Date().toISOString(),
    migrations,
  };
}

async function countRows(tx: Queryable, names: string[]): Promise<number> {
  const counts = names.map((name) => `(select count(*) from ${quoted(name)})`);
  const [row] = await tx.query<{ total: number }>(raw(`select ${counts.join(" + ")} as total`));
  return row?.total ?? 0;
}
