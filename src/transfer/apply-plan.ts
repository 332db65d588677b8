import sql, { raw } from "sql-template-tag";
import type { Queryable } from "../infra/database/db.js";
import { type Copies, type JoinTable, keyExpression, type TransferList, tablesOf } from "./transfer-lists.js";

export type ImportCounts = { added: number; changed: number; unchanged: number };

/** What an import does with a list; columns that no row changes are not written, which spares triggers and indexes. */
export type ListPlan = { counts: ImportCounts; changedColumns: string[] };

export async function summarizePlan(tx: Queryable, list: TransferList): Promise<ListPlan> {
  const [counts = { added: 0, changed: 0, unchanged: 0 }] = await tx.query<ImportCounts>(
    raw(`
      select count(*) filter (where not known) as added,
        count(*) filter (where known and (differs or entries_differ)) as changed,
        count(*) filter (where known and not (differs or entries_differ)) as unchanged
      from planned_${list.name}`),
  );
  if (counts.changed === 0) return { counts, changedColumns: [] };
  // event_id never changes.
  const mutable = writtenColumns(list).filter((column) => !["id", "event_id", "position"].includes(column));
  const [changed = {}] = await tx.query<Record<string, boolean | null>>(
    raw(`
      select ${mutable.map((column) => `bool_or(i.${column} is distinct from x.${column}) as ${column}`).join(", ")}
      from planned_${list.name} i join ${list.name} x on x.id = i.id where i.differs`),
  );
  return { counts, changedColumns: mutable.filter((column) => changed[column]) };
}

/** Locks the stored rows to be changed; false if one of them no longer exists. */
export async function lockPlannedRows(tx: Queryable, list: TransferList, changed: number): Promise<boolean> {
  if (changed === 0) return true;
  const [locked] = await tx.query<{ count: number }>(
    raw(`
      select count(*) as count from (
        select x.id from ${list.name} x join planned_${list.name} i on i.id = x.id
        where i.known and (i.differs or i.entries_differ)
        order by x.id for no key update of x
      ) locked`),
  );
  return locked?.count === changed;
}

/** Images that the rows will show count as new, so that nobody removes them; false if one is no longer stored. */
export async function renewImages(tx: Queryable, { name, imageColumns }: TransferList): Promise<boolean> {
  if (imageColumns.length === 0) return true;
  const hashes = `
    select substr(path, 9, 64) from planned_${name}, unnest(array[${imageColumns.join(", ")}]) path where path like '/images/%'`;
  // Not those that nobody removes for days: others wait for the locks until the end of the import.
  await tx.query(
    raw(`
      update images set created_at = now() where created_at < now() - interval '1 day' and hash in (${hashes})`),
  );
  const [missing] = await tx.query(
    raw(
      `select from (${hashes}) given (hash) where not exists (select from images i where i.hash = given.hash) limit 1`,
    ),
  );
  return missing === undefined;
}

/** Whether a row that the plan adds has been stored by somebody else since. */
export async function hasNewMatches(tx: Queryable, list: TransferList, added: number): Promise<boolean> {
  if (added === 0) return false;
  const same = list.naturalKey.map((key) => `${keyExpression("x", key)} = ${keyExpression("i", key)}`);
  if (list.parent !== null) same.push(`x.${list.parent.column} = i.${list.parent.column}`);
  const rows = await tx.query(
    raw(`
      select from planned_${list.name} i join ${list.name} x on ${same.join(" and ")}
      where not i.known and not i.id_given limit 1`),
  );
  return rows.length > 0;
}

/** Keeps others from writing to the tables, not from reading. */
export async function lockTables(tx: Queryable, given: TransferList[]): Promise<void> {
  const tables = given.flatMap(({ name, joinTable }) => (joinTable === null ? [name] : [name, joinTable.table]));
  if (tables.length > 0) await tx.query(raw(`lock table ${tables.join(", ")} in share row exclusive mode`));
}

/** A first import of fewer rows does not keep others from its tables. */
const rowsToHoldTables = 10_000;

/**
 * The lists whose tables nothing else uses during the transaction. On PostgreSQL these are events and what belongs to them,
 * if there were no events yet, and so nothing to read or change; their tables are locked. Users, organizations and
 * conferences are not: requests read them to look up their keys.
 */
export async function lockEventTables(
  tx: Queryable,
  planned: { list: TransferList; plan: ListPlan }[],
  { exclusive = false }: { exclusive?: boolean | undefined },
): Promise<TransferList[]> {
  if (exclusive) return planned.map(({ list }) => list);
  const ofEvents = planned.filter(({ list }) => list.name === "events" || list.parent?.list === "events");
  const added = ofEvents.reduce((total, { plan }) => total + plan.counts.added, 0);
  if (added < rowsToHoldTables) return [];
  const [found] = await tx.query<{ stored: boolean }>(raw("select exists (select from events) as stored"));
  if (found?.stored) return [];
  const locked = ofEvents.map(({ list }) => list);
  await tx.query(raw(`lock table ${locked.flatMap(tablesOf).join(", ")} in access exclusive mode`));
  return locked;
}

/** Locks the rows in other tables that rows of a locked table refer to; false if one of them no longer exists. */
export async function lockReferencedRows(tx: Queryable, list: TransferList, locked: TransferList[]): Promise<boolean> {
  const { name, parent, joinTable } = list;
  const references = [
    ...(parent === null ? [] : [{ target: parent.list, ids: `select ${parent.column} from planned_${name}` }]),
    ...(joinTable === null
      ? []
      : [{ target: joinTable.targetList, ids: `select target_id from planned_${joinTable.table}` }]),
  ];
  for (const { target, ids } of references) {
    if (locked.some((other) => other.name === target)) continue;
    const [found] = await tx.query<{ complete: boolean }>(
      raw(`
        with referenced as materialized (select distinct id from (${ids}) given (id) where id is not null), locked as (
          select x.id from ${target} x join referenced r on r.id = x.id order by x.id for key share of x)
        select (select count(*) from referenced) = (select count(*) from locked) as complete`),
    );
    if (!found?.complete) return false;
  }
  return true;
}

/**
 * Switches off, or on again, the checks of foreign keys in locked tables, which take a third of the time of an import of
 * posters. They cannot fail there: the rows of other tables that new rows refer to are locked, those of locked tables are
 * joined, and derived rows are only written by triggers and cascades, from the rows that they refer to. Rolling back
 * switches the checks on as well.
 */
export async function checkForeignKeys(
  tx: Queryable,
  locked: TransferList[],
  state: "disable" | "enable",
): Promise<void> {
  const triggers = await tx.query<{ statement: string }>(sql`
    select format('alter table %s ${raw(state)} trigger %I', tgrelid::regclass, tgname) as statement from pg_trigger
    where tgrelid = any(${locked.flatMap(tablesOf)}::regclass[])
      and tgfoid in ('"RI_FKey_check_ins"'::regproc, '"RI_FKey_check_upd"'::regproc)`);
  if (triggers.length > 0) await tx.query(raw(triggers.map(({ statement }) => statement).join(";")));
}

/** Building an index anew costs about two thirds, per row, of adding rows to it one by one. */
const shareToRebuild = 0.65;

/**
 * Drops the indexes of the tables that a list is written to, if most of their entries will be new, and returns the
 * statements that build them again. Those of constraints stay: triggers and cascades find rows by them. Only for tables that
 * are locked; rolling back restores them.
 */
export async function dropIndexes(
  tx: Queryable,
  list: TransferList,
  { counts, changedColumns }: ListPlan,
): Promise<string[]> {
  const isCopied = changedColumns.some((column) => list.copiedColumns.includes(column));
  const written = counts.added + (isCopied ? counts.changed : 0);
  if (written === 0) return [];
  const [stored] = await tx.query<{ rows: number }>(raw(`select count(*) as rows from ${list.name}`));
  if (written < shareToRebuild * ((stored?.rows ?? 0) + counts.added)) return [];
  const indexes = await tx.query<{ name: string; definition: string }>(sql`
    select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition from pg_index
    where indrelid = any(${tablesOf(list)}::regclass[])
      and not exists (select from pg_constraint where conindid = indexrelid)
    order by indexrelid`);
  if (indexes.length > 0) await tx.query(raw(`drop index ${indexes.map(({ name }) => name).join(", ")}`));
  return indexes.map(({ definition }) => definition);
}

export async function buildIndexes(tx: Queryable, definitions: string[]): Promise<void> {
  if (definitions.length > 0) await tx.query(raw(definitions.join(";")));
}

/**
 * Writes only the fields that the document contains: a concurrent change of another field is kept. Returns false if a
 * parent of an added row no longer exists.
 */
export async function applyRows(
  tx: Queryable,
  list: TransferList,
  { counts, changedColumns }: ListPlan,
  { isLocked }: { isLocked: boolean },
): Promise<boolean> {
  const { name, parent } = list;
  if (changedColumns.length > 0) {
    await tx.query(
      raw(`
        update ${name} x set ${changedColumns.map((column) => `${column} = ${givenValue(column, list)}`).join(", ")}
        from planned_${name} i join staged_${name} s on s.n = i.n where x.id = i.id and i.differs`),
    );
  }
  if (counts.added === 0) return true;
  const columns = writtenColumns(list);
  const copied = copiesOf(parent?.copies, parent?.list, `i.${parent?.column}`, isLocked);
  // Most indexes start or end with the id: inserting in its order fills their pages sequentially.
  const [inserted] = await tx.query<{ count: number }>(
    raw(`
      with inserted as (
        insert into ${name} (${[...columns, ...copied.columns].join(", ")})
        select ${[...columns.map((column) => `i.${column}`), ...copied.values].join(", ")}
        from planned_${name} i ${copied.join} where not i.known order by i.id ${copied.lock}
        returning 1)
      select count(*) as count from inserted`),
  );
  return inserted?.count === counts.added;
}

function writtenColumns({ columns, parent, ordered }: TransferList): string[] {
  return [...columns, ...(parent === null ? [] : [parent.column]), ...(ordered ? ["position"] : [])];
}

/**
 * Filled in for all rows at once; the triggers that would do so look up and lock the original for each row. Nobody else can
 * change the originals of a locked table.
 */
function copiesOf(
  copies: Copies | null | undefined,
  original: string | undefined,
  reference: string,
  isLocked: boolean,
) {
  if (original === undefined) return { columns: [], values: [], join: "", lock: "" };
  const { columns, lock } = copies ?? { columns: {}, lock: null };
  return {
    columns: Object.keys(columns),
    values: Object.values(columns).map((column) => `original.${column}`),
    join: `join ${original} original on original.id = ${reference}`,
    lock: lock === null || isLocked ? "" : `${lock} of original`,
  };
}

function givenValue(column: string, { parent }: TransferList): string {
  const field = column === parent?.column ? parent.field : column;
  return `case when s.data ? '${field}' then i.${column} else x.${column} end`;
}

export async function applyJoinTable(
  tx: Queryable,
  list: TransferList,
  joinTable: JoinTable,
  { isLocked }: { isLocked: boolean },
): Promise<void> {
  const { table, owner, target, scope } = joinTable;
  const same = `x.${owner} = e.owner_id and x.${target} = e.target_id`;
  const mutable = [
    ...(joinTable.role ? [["role", "e.role"]] : []),
    ...(joinTable.ordered ? [["position", "e.place"]] : []),
  ];
  const columns = [
    [owner, "e.owner_id"],
    [target, "e.target_id"],
    ...mutable,
    ...(scope === null ? [] : [[scope, "e.scope"]]),
  ];
  const changedEntries = `from planned_${table} e join planned_${list.name} i on i.n = e.n and i.entries_differ where ${same}`;
  await tx.query(
    raw(`
      delete from ${table} x using planned_${list.name} i
      where i.id = x.${owner} and i.entries_differ and not exists (select from planned_${table} e where ${same})`),
  );
  // A unique index allows one host per event: demote the old one before promoting the new one.
  if (table === "event_hosts") {
    await tx.query(
      raw(`update event_hosts x set role = 'co_host' ${changedEntries} and x.role = 'host' and e.role <> 'host'`),
    );
  }
  await tx.query(
    raw(`
      update ${table} x set ${mutable.map(([column, value]) => `${column} = ${value}`).join(", ")}
      ${changedEntries} and (${mutable.map(([column, value]) => `x.${column} <> ${value}`).join(" or ")})`),
  );
  // The owner exists: it was written or locked by this transaction.
  const copied = copiesOf(joinTable.copies, list.name, "e.owner_id", isLocked);
  await tx.query(
    raw(`
      insert into ${table} (${[...columns.map(([column]) => column), ...copied.columns].join(", ")})
      select ${[...columns.map(([, value]) => value), ...copied.values].join(", ")}
      from planned_${table} e join planned_${list.name} i on i.n = e.n ${copied.join}
      where (not i.known or i.entries_differ) and not exists (select from ${table} x where ${same})
      order by e.owner_id, e.target_id ${copied.lock}`),
  );
}
