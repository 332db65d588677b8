import { raw } from "sql-template-tag";
import type { Queryable } from "../platform/database/db.js";
import { type JoinTable, keyExpression, type TransferList } from "./transfer-lists.js";

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

/** Writes only the fields that the document contains: a concurrent change of another field is kept. */
export async function applyRows(tx: Queryable, list: TransferList, counts: ImportCounts): Promise<void> {
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
  if (counts.added > 0) {
    // Most indexes start or end with the id: inserting in its order fills their pages sequentially.
    await tx.query(
      raw(`
        insert into ${name} (${columns.join(", ")})
        select ${columns.join(", ")} from planned_${name} where not known order by id`),
    );
  }
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
  await tx.query(
    raw(`
      insert into ${table} (${columns.map(([column]) => column).join(", ")})
      select ${columns.map(([, value]) => value).join(", ")}
      from planned_${table} e join planned_${list.name} i on i.n = e.n
      where (not i.known or i.entries_differ) and not exists (select from ${table} x where ${same})
      order by e.owner_id, e.target_id`),
  );
}
