import { createHash } from "node:crypto";
import sql, { raw } from "sql-template-tag";
import type { Queryable } from "../platform/database/db.js";

export type BackupTable = { name: string; columns: { name: string; type: string }[]; order: string };
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
 * The list of migrations, what only lets people in where it was made (sessions, links and the generated secret), and numbers
 * of transactions, which every server gives anew.
 */
const notBackedUp = [
  ...["schema_migrations", "sessions", "password_resets", "service_secrets"],
  ...["changes", "change_horizon"],
];

/**
 * All tables of the schema but those above, each after those that it refers to, from the catalog: a new table is
 * part of the next backup. Generated columns are left out, because the database computes them again.
 */
export async function findBackupTables(tx: Queryable): Promise<BackupTable[]> {
  const tables = await tx.query<BackupTable & { refers_to: string[] }>(sql`
    select c.relname::text as name,
      (select json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod)) order by a.attnum)
       from pg_attribute a
       where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns,
      coalesce(
        (select string_agg(
           quote_ident(a.attname) || case when a.attcollation = 0 then '' else ' collate "C"' end, ', ' order by k.place)
         from pg_index i cross join unnest(i.indkey::smallint[]) with ordinality as k (attnum, place)
         join pg_attribute a on a.attrelid = c.oid and a.attnum = k.attnum
         where i.indrelid = c.oid and i.indisprimary),
        't::text collate "C"') as "order",
      array(select f.confrelid::regclass::text from pg_constraint f
            where f.conrelid = c.oid and f.contype = 'f') as refers_to
    from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname <> all(${notBackedUp}::text[])
    order by c.relname collate "C"`);
  return sortByReference(tables);
}

function sortByReference(tables: (BackupTable & { refers_to: string[] })[]): BackupTable[] {
  const sorted: BackupTable[] = [];
  let waiting = tables;
  while (waiting.length > 0) {
    const names = new Set(waiting.map(({ name }) => name));
    const ready = waiting.filter(({ refers_to }) => !refers_to.some((name) => names.has(name)));
    if (ready.length === 0)
      throw new Error(`tables that refer to each other cannot be restored: ${[...names].join(", ")}`);
    sorted.push(...ready.map(({ name, columns, order }) => ({ name, columns, order })));
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
  const values = table.columns.map((column) => `x.${quoted(column.name)}::text`);
  await tx.query(
    raw(`
      declare backup_rows no scroll cursor for select json_build_array(${values.join(", ")})::text as row
      from (select * from ${name} t order by ${table.order}) x`),
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

/** So many rows that a batch of the widest ones, with bytes written as hexadecimal digits, fits into memory. */
async function findBatchRows(tx: Queryable, table: BackupTable): Promise<number> {
  const sizes = table.columns.map(({ name }) => `coalesce(pg_column_size(t.${quoted(name)}), 0)`);
  const [row] = await tx.query<{ widest: number | null }>(
    raw(`select max(${sizes.join(" + ")}) as widest from ${quoted(table.name)} t`),
  );
  return Math.max(1, Math.min(maximumBatchRows, Math.floor(batchBytes / (2 * (row?.widest ?? 0) + 1))));
}

export function readSequences(tx: Queryable): Promise<SequenceState[]> {
  return tx.query<SequenceState>(sql`
    select sequencename::text as name, coalesce(last_value, start_value)::text as value, last_value is not null as called
    from pg_sequences where schemaname = 'public' order by sequencename collate "C"`);
}

export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
