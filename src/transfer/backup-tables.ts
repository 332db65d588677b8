import { createHash } from "node:crypto";
import sql, { raw } from "sql-template-tag";
import type { Queryable } from "../infra/database/db.js";
import { type AppliedMigration, type Migration, readMigrations } from "../infra/database/migrate.js";
import type { MigratedTables } from "../infra/database/migrated-tables.js";

/** `key` are the columns of the primary key as ORDER BY has them, or null. */
export type BackupTable = { name: string; columns: { name: string; type: string }[]; key: string | null };
export type TableDigest = { name: string; rows: number; sha256: string };
export type SequenceState = { name: string; value: string; called: boolean };

const batchBytes = 4 * 1024 * 1024;
const maximumBatchRows = 1000;

/** Settings that decide how values are written as text: the same on every database. */
export async function useBackupSettings(tx: Queryable): Promise<void> {
  const settings = {
    timezone: "UTC",
    datestyle: "ISO, MDY",
    intervalstyle: "postgres",
    bytea_output: "hex",
    extra_float_digits: "1",
    search_path: "public",
    cursor_tuple_fraction: "1",
    jit: "off",
  };
  await tx.query(
    raw(
      Object.entries(settings)
        .map(([name, value]) => `set local ${name} = '${value}'`)
        .join("; "),
    ),
  );
}

/**
 * What only lets people in where it was made (sessions, links and the generated secret), numbers of transactions, which
 * every server gives anew, and when backups were made. A table that backups have had stays in them: from those, a version that
 * left it out would not restore it.
 */
export const notBackedUp: ReadonlySet<string> = new Set([
  ...["sessions", "door_sessions", "password_resets", "service_secrets"],
  ...["changes", "change_horizon", "backup_state"],
]);

/** Which tables and columns a backup of a database with these migrations has: no more and no less. */
export function columnsInBackup(migrated: MigratedTables): Map<string, string[]> {
  const tables = [...migrated].filter(([name]) => !notBackedUp.has(name));
  return new Map(
    tables.map(([name, columns]) => [
      name,
      [...columns].filter(([, { generated }]) => !generated).map(([column]) => column),
    ]),
  );
}

export type FoundTables = {
  /** Each after those that it refers to. */
  tables: BackupTable[];
  /** Tables of the schema, and columns of the tables above, that no migration of this version makes. */
  others: string[];
};

type CatalogTable = BackupTable & { refers_to: string[] };

/** What a backup of this database has, from the catalog. Throws if something is missing that its migrations have made. */
export async function findBackupTables(tx: Queryable, migrated: MigratedTables): Promise<FoundTables> {
  const catalog = await readCatalog(tx);
  const expected = columnsInBackup(migrated);
  const gone = [...expected.keys()].find((name) => !catalog.some((table) => table.name === name));
  if (gone !== undefined) throw lost(`table ${gone}`);
  const others = catalog.map(({ name }) => name).filter((name) => !migrated.has(name) && name !== "schema_migrations");
  const tables = catalog.flatMap((table) => {
    const { name } = table;
    // In the order of the migrations: a column that was put back by hand is the last one in the catalog.
    const columns = expected.get(name)?.map((column) => {
      const found = table.columns.find((each) => each.name === column);
      if (found === undefined) throw lost(`column ${name}.${column}`);
      return found;
    });
    if (columns === undefined) return [];
    const unknown = table.columns.filter((column) => !migrated.get(name)?.has(column.name));
    others.push(...unknown.map((column) => `${name}.${column.name}`));
    return [{ ...table, columns }];
  });
  return { tables: sortByReference(tables), others };
}

function lost(what: string): Error {
  return new Error(`the database has no ${what}, which a migration has made: put it back, or restore a backup`);
}

function readCatalog(tx: Queryable): Promise<CatalogTable[]> {
  return tx.query<CatalogTable>(sql`
    select c.relname::text as name,
      coalesce(
        (select json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod)) order by a.attnum)
         from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped),
        '[]') as columns,
      (select string_agg(
         quote_ident(a.attname) || case when a.attcollation = 0 then '' else ' collate "C"' end, ', ' order by k.place)
       from pg_index i cross join unnest(i.indkey::smallint[]) with ordinality as k (attnum, place)
       join pg_attribute a on a.attrelid = c.oid and a.attnum = k.attnum
       where i.indrelid = c.oid and i.indisprimary) as key,
      array(select r.relname::text from pg_constraint f join pg_class r on r.oid = f.confrelid
            where f.conrelid = c.oid and f.contype = 'f') as refers_to
    from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    order by c.relname collate "C"`);
}

function sortByReference(tables: CatalogTable[]): BackupTable[] {
  const sorted: BackupTable[] = [];
  let waiting = tables;
  while (waiting.length > 0) {
    const names = new Set(waiting.map(({ name }) => name));
    const ready = waiting.filter(({ refers_to }) => !refers_to.some((name) => names.has(name)));
    if (ready.length === 0)
      throw new Error(`tables that refer to each other cannot be restored: ${[...names].join(", ")}`);
    sorted.push(...ready.map(({ name, columns, key }) => ({ name, columns, key })));
    waiting = waiting.filter((table) => !ready.includes(table));
  }
  return sorted;
}

/**
 * Reads a table in the order of its primary key, each row as a JSON array of the text of its values. The digest of the same
 * rows is the same on every database.
 */
export async function readTable(
  tx: Queryable,
  table: BackupTable,
  onRows: (rows: string[]) => Promise<void> = async () => {},
): Promise<TableDigest> {
  const name = quoted(table.name);
  const names = table.columns.map((column) => quoted(column.name));
  const values = names.map((column) => `x.${column}::text`);
  const order = table.key ?? `row(${names.join(", ")})::text collate "C"`;
  await tx.query(
    raw(`
      declare backup_rows no scroll cursor for select json_build_array(${values.join(", ")})::text as row
      from (select * from ${name} order by ${order}) x`),
  );
  const batch = await findBatchRows(tx, table);
  const hash = createHash("sha256");
  let count = 0;
  for (;;) {
    const rows = (await tx.query<{ row: string }>(raw(`fetch ${batch} from backup_rows`))).map(({ row }) => row);
    for (const row of rows) hash.update(row).update("\n");
    count += rows.length;
    if (rows.length > 0) await onRows(rows);
    if (rows.length < batch) break;
  }
  await tx.query(raw("close backup_rows"));
  return { name: table.name, rows: count, sha256: hash.digest("hex") };
}

/** How many rows a batch may have so that the widest ones, with bytes as hexadecimal digits, fit into memory. */
async function findBatchRows(tx: Queryable, table: BackupTable): Promise<number> {
  const sizes = table.columns.map(({ name }) => `coalesce(pg_column_size(t.${quoted(name)}), 0)`);
  const [row] = await tx.query<{ widest: number | null }>(
    raw(`select max(${sizes.join(" + ")}) as widest from ${quoted(table.name)} t`),
  );
  return Math.max(1, Math.min(maximumBatchRows, Math.floor(batchBytes / (2 * (row?.widest ?? 0) + 1))));
}

/** Of columns in the backup: those of other tables are not restored. */
export function readSequences(tx: Queryable, tables: BackupTable[]): Promise<SequenceState[]> {
  const columns = tables.flatMap(({ name, columns }) => columns.map((column) => JSON.stringify([name, column.name])));
  return tx.query<SequenceState>(sql`
    select q.sequencename::text as name, coalesce(q.last_value, q.start_value)::text as value,
      q.last_value is not null as called
    from pg_sequences q
    join pg_class s on s.relname = q.sequencename and s.relnamespace = 'public'::regnamespace
    join pg_depend d on d.classid = 'pg_class'::regclass and d.objid = s.oid and d.deptype in ('a', 'i')
    join pg_attribute a on d.refclassid = 'pg_class'::regclass and a.attrelid = d.refobjid and a.attnum = d.refobjsubid
    join pg_class t on t.oid = a.attrelid
    where q.schemaname = 'public'
      and jsonb_build_array(t.relname, a.attname) in (select each::jsonb from unnest(${columns}::text[]) each)
    order by q.sequencename collate "C"`);
}

export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/**
 * The migrations of this version that a database or a backup has. One that this version does not have is refused even if it
 * is compatible: this version does not know its tables.
 */
export async function findKnownMigrations(
  holder: "database" | "backup",
  applied: AppliedMigration[],
  directory?: URL,
): Promise<Migration[]> {
  const files = await readMigrations(directory);
  return applied.map(({ name, checksum }) => {
    const known = files.find((file) => file.name === name);
    if (known === undefined) {
      throw new Error(`the ${holder} has migration ${name}, which is unknown to this version: run a newer version`);
    }
    if (known.checksum !== checksum) {
      throw new Error(`the ${holder} has another ${name} than this version: run the version that applied it`);
    }
    return known;
  });
}
