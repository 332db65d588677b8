import { raw } from "sql-template-tag";
import type { Queryable } from "../platform/database/db.js";
import { type Copies, type JoinTable, keyExpression, type TransferList } from "./transfer-lists.js";

export type ImportCounts = { added: number; changed: number; unchanged: number };

export async function countPlannedRows(tx: Queryable, list: TransferList): Promise<ImportCounts> {
  const [counts] = await tx.query<ImportCounts>(
    raw(`
      select count(*) filter (where not known) as added,
        count(*) filter (where known and (differs or entries_differ)) as changed,
        count(*) filter (where known and not (differs or entries_differ)) as unchanged
      from planned_${list.name}`),
  );
  return counts ?? { added: 0, changed: 0, unchanged: 0 };
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

/**
 * Switches off, or on again, the checks of foreign keys in derived tables, which take a third of the time of an import of
 * posters. Their rows are only written by triggers and cascades, from the rows that they refer to; in a transaction that
 * nothing runs beside, those cannot disappear meanwhile. Rolling back switches the checks on as well.
 */
export async function checkDerivedTables(
  tx: Queryable,
  lists: TransferList[],
  state: "disable" | "enable",
): Promise<void> {
  for (const table of lists.flatMap(({ derivedTables }) => derivedTables)) {
    await tx.query(raw(`alter table ${table} ${state} trigger all`));
  }
}

/**
 * Writes only the fields that the document contains: a concurrent change of another field is kept. Returns false if a
 * parent of an added row no longer exists.
 */
export async function applyRows(tx: Queryable, list: TransferList, counts: ImportCounts): Promise<boolean> {
  const { name, parent } = list;
  const columns = [...list.columns, ...(parent === null ? [] : [parent.column]), ...(list.ordered ? ["position"] : [])];
  // event_id never changes: leaving it out of the update skips the triggers on it.
  const mutable = columns.filter((column) => column !== "id" && column !== "event_id" && column !== "position");
  if (counts.changed > 0) {
    await tx.query(
      raw(`
        update ${name} x set ${mutable.map((column) => `${column} = ${givenValue(column, list)}`).join(", ")}
        from planned_${name} i join staged_${name} s on s.n = i.n where x.id = i.id and i.differs`),
    );
  }
  if (counts.added === 0) return true;
  const copied = copiesOf(parent?.copies, parent?.list, `i.${parent?.column}`);
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

/** Filled in for all rows at once; the triggers that would do so look up and lock the original for each row. */
function copiesOf(copies: Copies | null | undefined, original: string | undefined, reference: string) {
  if (!copies || original === undefined) return { columns: [], values: [], join: "", lock: "" };
  return {
    columns: Object.keys(copies.columns),
    values: Object.values(copies.columns).map((column) => `original.${column}`),
    join: `join ${original} original on original.id = ${reference}`,
    lock: copies.lock === null ? "" : `${copies.lock} of original`,
  };
}

function givenValue(column: string, { parent }: TransferList): string {
  const field = column === parent?.column ? parent.field : column;
  return `case when s.data ? '${field}' then i.${column} else x.${column} end`;
}

export async function applyJoinTable(tx: Queryable, list: TransferList, joinTable: JoinTable): Promise<void> {
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
  const copied = copiesOf(joinTable.copies, list.name, "e.owner_id");
  await tx.query(
    raw(`
      insert into ${table} (${[...columns.map(([column]) => column), ...copied.columns].join(", ")})
      select ${[...columns.map(([, value]) => value), ...copied.values].join(", ")}
      from planned_${table} e join planned_${list.name} i on i.n = e.n ${copied.join}
      where (not i.known or i.entries_differ) and not exists (select from ${table} x where ${same})
      order by e.owner_id, e.target_id ${copied.lock}`),
  );
}
