import sql, { raw } from "sql-template-tag";
import type { Database, Queryable } from "../infra/database/db.js";
import { type AppliedMigration, migrate, readAppliedMigrations } from "../infra/database/migrate.js";
import { findMigratedTables } from "../infra/database/migrated-tables.js";
import {
  type BackupTable,
  columnsInBackup,
  findBackupTables,
  findKnownMigrations,
  quoted,
  readTable,
  type SequenceState,
  useBackupSettings,
} from "./backup-tables.js";
import { requireComplete, requireKnown } from "./check-backup.js";
import type { BackupPart } from "./read-backup.js";
import type { BackupSummary } from "./write-backup.js";

export type RestoreOptions = {
  /** The migrations of this version. */
  migrations?: URL;
  onRows?: (done: number, label: string) => void;
};

/**
 * Restores a backup into an empty database, completely or not at all: creates the schema that the backup was made with,
 * inserts all rows in one transaction, reads them back and compares them with the checksums of the backup. Migrations
 * that are newer than the backup are applied afterwards, with its rows in place.
 */
export async function restoreBackup(
  db: Database,
  parts: AsyncIterable<BackupPart>,
  options: RestoreOptions = {},
): Promise<BackupSummary> {
  const reader = parts[Symbol.asyncIterator]();
  const first = await reader.next();
  if (first.done || first.value.kind !== "header") throw new Error("the backup has no header");
  const { created_at, migrations } = first.value;
  const migrated = findMigratedTables(await findKnownMigrations("backup", migrations, options.migrations));
  await createSchema(db, migrations, options);
  const restored = await db.transaction(async (tx) => {
    await useBackupSettings(tx);
    const { tables } = await findBackupTables(tx, migrated);
    await requireEmpty(tx, tables);
    await setTriggers(tx, tables, "disable");
    const { summary, inserted } = await insertParts(tx, tables, { [Symbol.asyncIterator]: () => reader }, options);
    requireComplete(columnsOf(inserted), columnsInBackup(migrated));
    await tx.query(raw("set constraints all immediate"));
    await setTriggers(tx, tables, "enable");
    await verify(tx, inserted, summary);
    return { created_at, ...summary };
  });
  await db.query(raw("analyze"));
  await migrate(db, migrateOptions(options));
  return restored;
}

type Restored = Omit<BackupSummary, "created_at">;

function migrateOptions({ migrations }: RestoreOptions) {
  // Nobody uses the database yet.
  return { offline: true, ...(migrations === undefined ? {} : { directory: migrations }) };
}

async function createSchema(db: Database, wanted: AppliedMigration[], options: RestoreOptions): Promise<void> {
  const names = new Set(wanted.map(({ name }) => name));
  await migrate(db, { ...migrateOptions(options), only: names });
  const additional = (await readAppliedMigrations(db)).filter(({ name }) => !names.has(name));
  if (additional.length > 0) {
    throw new Error(
      `the database has migration ${additional[0]?.name}, which is newer than the backup: restore into a database without tables`,
    );
  }
}

async function requireEmpty(tx: Queryable, tables: BackupTable[]): Promise<void> {
  const names = tables.map(({ name }) => quoted(name));
  await tx.query(raw(`lock table ${names.join(", ")} in share row exclusive mode`));
  for (const name of names) {
    const rows = await tx.query(raw(`select from ${name} limit 1`));
    if (rows.length > 0) throw new Error(`the database is not empty (table ${name}): restore into an empty database`);
  }
}

/** Rows are restored as they were: triggers would fill in derived tables and columns a second time. */
async function setTriggers(tx: Queryable, tables: BackupTable[], state: "enable" | "disable"): Promise<void> {
  await tx.query(raw(tables.map(({ name }) => `alter table ${quoted(name)} ${state} trigger user`).join("; ")));
}

/** `inserted` are the tables with their columns in the order of the backup. */
async function insertParts(
  tx: Queryable,
  tables: BackupTable[],
  parts: AsyncIterable<BackupPart>,
  { onRows }: RestoreOptions,
): Promise<{ summary: Restored; inserted: BackupTable[] }> {
  const summary: Restored = { tables: [], rows: 0, sha256: "" };
  const inserted: BackupTable[] = [];
  let insert: ((rows: (string | null)[][]) => Promise<void>) | undefined;
  let label = "";
  for await (const part of parts) {
    if (part.kind === "table") {
      const table = tableOf(tables, part);
      inserted.push(table);
      insert = inserterOf(tx, table);
      label = part.table;
    } else if (part.kind === "rows") {
      await insert?.(part.rows);
      summary.rows += part.rows.length;
      onRows?.(summary.rows, label);
    } else if (part.kind === "table end") {
      summary.tables.push({ name: part.name, rows: part.rows, sha256: part.sha256 });
    } else if (part.kind === "sequences") {
      await restartSequences(tx, part.sequences);
    } else if (part.kind === "end") {
      summary.sha256 = part.sha256;
    }
  }
  return { summary, inserted };
}

const columnsOf = (tables: BackupTable[]) =>
  new Map(tables.map(({ name, columns }) => [name, columns.map((column) => column.name)]));

/** Names and types come from the catalog: those in the backup are only compared with it. */
function tableOf(tables: BackupTable[], part: Extract<BackupPart, { kind: "table" }>): BackupTable {
  requireKnown(new Map([[part.table, part.columns]]), columnsOf(tables));
  const table = tables.find(({ name }) => name === part.table);
  const columns = part.columns.flatMap((given) => table?.columns.filter(({ name }) => name === given) ?? []);
  return { name: part.table, columns, key: table?.key ?? null };
}

function inserterOf(tx: Queryable, { name, columns }: BackupTable) {
  const names = columns.map((column) => quoted(column.name));
  const values = columns.map((column, index) => `given.c${index}::${column.type}`);
  const insert = `insert into ${quoted(name)} (${names.join(", ")}) overriding system value select ${values.join(", ")}`;
  const aliases = columns.map((_, index) => `c${index}`).join(", ");
  return async (rows: (string | null)[][]): Promise<void> => {
    const given = columns.map((_, index) => sql`${rows.map((row) => row[index] ?? null)}::text[]`);
    const arrays = given.reduce((list, array) => sql`${list}, ${array}`);
    await tx.query(sql`${raw(insert)} from unnest(${arrays}) as given (${raw(aliases)})`);
  };
}

async function restartSequences(tx: Queryable, sequences: SequenceState[]): Promise<void> {
  for (const { name, value, called } of sequences) {
    await tx.query(sql`select setval(${quoted(name)}::regclass, ${value}::bigint, ${called})`);
  }
}

async function verify(tx: Queryable, tables: BackupTable[], restored: Restored): Promise<void> {
  for (const table of tables) {
    const expected = restored.tables.find(({ name }) => name === table.name);
    const found = await readTable(tx, table);
    if (expected?.rows !== found.rows || expected.sha256 !== found.sha256) {
      throw new Error(`table ${table.name} differs from the backup after it was restored; nothing was restored`);
    }
  }
}
