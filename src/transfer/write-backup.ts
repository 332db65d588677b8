import { createHash } from "node:crypto";
import sql, { raw } from "sql-template-tag";
import type { Database, Queryable } from "../platform/database/db.js";
import { type AppliedMigration, readAppliedMigrations } from "../platform/database/migrate.js";
import {
  findBackupTables,
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

/** Writes everything in the database, from one snapshot. The next batch is only read after `write` has resolved. */
export async function writeBackup(
  db: Database,
  write: (text: string) => Promise<void>,
  onRows: (done: number, total: number, label: string) => void = () => {},
): Promise<BackupSummary> {
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
      await writeLine(header);
      const digests: TableDigest[] = [];
      const tables = await findBackupTables(tx);
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
          onRows(done, total, table.name);
        });
        await writeLine({ table_end: table.name, rows: digest.rows, sha256: digest.sha256 });
        digests.push(digest);
      }
      await writeLine({ sequences: await readSequences(tx) });
      const sha256 = hash.digest("hex");
      await write(`${JSON.stringify({ end: "svc backup", rows: done, sha256 })}\n`);
      return { created_at: header.created_at, tables: digests, rows: done, sha256 };
    },
    { mode: "repeatable read, read only" },
  );
}

async function makeHeader(tx: Queryable): Promise<BackupHeader> {
  const [table] = await tx.query<{ exists: boolean }>(
    sql`select to_regclass('schema_migrations') is not null as exists`,
  );
  if (!table?.exists) throw new Error("the database has no tables: there is nothing to back up");
  return {
    format: "svc backup",
    version: 1,
    created_at: new Date().toISOString(),
    migrations: await readAppliedMigrations(tx),
  };
}

async function countRows(tx: Queryable, names: string[]): Promise<number> {
  const counts = names.map((name) => `(select count(*) from ${quoted(name)})`);
  const [row] = await tx.query<{ total: number }>(raw(`select ${counts.join(" + ")} as total`));
  return row?.total ?? 0;
}
