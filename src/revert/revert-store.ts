import sql, { join, type Sql } from "sql-template-tag";
import { ServiceError } from "../../contract/errors.js";
import type { Queryable } from "../infra/database/db.js";
import { identifier } from "../infra/database/update-row.js";
import { nameOf, type RestorePlan, type RestoreStep, type StoredRows } from "./revert-rules.js";
import { keyOf, type RevertibleTable, type Row, type RowChange } from "./revertible-table.js";

/**
 * The stored rows that the changes are about, with those that their places are compared with. With `lock` nobody else
 * changes them until the transaction ends.
 */
export async function readStoredRows(
  tx: Queryable,
  changes: RowChange[],
  eventId: string | undefined,
  { lock = false } = {},
): Promise<StoredRows> {
  const tables = [...new Set(changes.map(({ table }) => table))];
  const read = tables.map(async (table) => {
    const rows = await tx.query<{ row: Row }>(sql`
      select to_jsonb(t) as row from ${identifier(table.name)} t where ${isWanted(table, changes, eventId)}
      ${lock ? sql`for no key update` : sql``}`);
    return [table.name, new Map(rows.map(({ row }) => [keyOf(table, row), normalized(table, row)]))] as const;
  });
  return new Map(await Promise.all(read));
}

function isWanted(table: RevertibleTable, changes: RowChange[], eventId: string | undefined): Sql {
  const rows = changes.filter((change) => change.table === table).map(({ before, after }) => before ?? after ?? {});
  const among = (column: string) => [...new Set(rows.map((row) => String(row[column])))];
  if (table.renumber !== undefined && eventId !== undefined) return sql`t.event_id = ${eventId}`;
  if (table.list !== undefined) {
    const { column } = table.list;
    return sql`t.${identifier(column)} = any (${among(column)}::uuid[])`;
  }
  // With several columns some further rows may match, which nobody looks at.
  return join(
    table.key.map((column) => sql`t.${identifier(column)} = any (${among(column)}::uuid[])`),
    " and ",
  );
}

/** The same row in the form in which rows are compared and shown. */
export function normalized(table: RevertibleTable, row: Row): Row {
  const times = Object.entries(table.columns ?? {}).flatMap(([column, kind]) => (kind === "timestamp" ? [column] : []));
  const found = times.filter((column) => typeof row[column] === "string");
  return {
    ...row,
    ...Object.fromEntries(found.map((column) => [column, new Date(String(row[column])).toISOString()])),
  };
}

/** Refuses a plan that would remove rows which came since, or bring rows back without those that they need. */
export async function requireRelatedRows(tx: Queryable, { steps }: RestorePlan): Promise<void> {
  for (const table of new Set(steps.map(({ change }) => change.table))) {
    const own = steps.filter(({ change }) => change.table === table);
    await refuseDependents(tx, table, steps, own);
    await requireParents(tx, table, steps, own);
  }
}

async function refuseDependents(
  tx: Queryable,
  table: RevertibleTable,
  all: RestoreStep[],
  own: RestoreStep[],
): Promise<void> {
  const removed = own.filter(({ earlier }) => earlier === null);
  if (removed.length === 0) return;
  for (const { table: dependent, column, noun } of table.dependents ?? []) {
    const rows = await tx.query<{ row: Row }>(sql`
      select to_jsonb(d) as row from ${identifier(dependent)} d
      where d.${identifier(column)} = any (${removed.map(({ change }) => change.key)}::uuid[])`);
    const known = all.filter(({ change, earlier }) => change.table.name === dependent && earlier === null);
    const isKnown = (row: Row) => known.some(({ change }) => keyOf(change.table, row) === change.key);
    const left = rows.find(({ row }) => !isKnown(row));
    if (left === undefined) continue;
    const step = removed.find(({ change }) => change.key === left.row[column]);
    throw new ServiceError(
      "conflict",
      `Cannot revert, because the ${table.noun}${nameOf(table, step?.now ?? {})} has ${noun} since. Nothing was reverted. ${table.instead.remove} removes it anyway`,
    );
  }
}

async function requireParents(
  tx: Queryable,
  table: RevertibleTable,
  all: RestoreStep[],
  own: RestoreStep[],
): Promise<void> {
  const added = own.filter(({ now }) => now === null);
  for (const { column, table: parent, noun } of added.length === 0 ? [] : (table.parents ?? [])) {
    const returning = all.filter(({ change, now }) => change.table.name === parent && now === null);
    const wanted = added.map(({ earlier }) => String(earlier?.[column]));
    const missing = await tx.query(sql`
      select from unnest(${wanted}::uuid[]) wanted (id)
      where wanted.id <> all (${returning.map(({ change }) => change.key)}::uuid[])
        and not exists (select from ${identifier(parent)} p where p.id = wanted.id)`);
    if (missing.length === 0) continue;
    throw new ServiceError(
      "conflict",
      `Cannot revert, because ${noun} was removed since. Nothing was reverted. Revert that removal first, or use ${table.instead.add}`,
    );
  }
}

/** Writes the rows back: those that go first, parents before their children. `tables` are in the order of parents. */
export async function restoreRows(
  tx: Queryable,
  { steps, toRenumber }: RestorePlan,
  tables: readonly RevertibleTable[],
  eventId: string | undefined,
): Promise<void> {
  const inTable = (table: RevertibleTable, isMeant: (step: RestoreStep) => boolean = () => true) =>
    steps.filter((step) => step.change.table === table && isMeant(step));
  for (const table of tables.toReversed()) await removeRows(tx, table, inTable(table, isRemoval));
  for (const table of tables) await updateRows(tx, table, inTable(table, isUpdate));
  for (const table of tables) await addRows(tx, table, inTable(table, isAddition));
  if (eventId === undefined) return;
  for (const table of toRenumber) {
    const restored = inTable(table).map(({ change }) => change.key);
    await table.renumber?.(tx, eventId, restored);
  }
}

const isRemoval = ({ earlier }: RestoreStep) => earlier === null;
const isAddition = ({ now }: RestoreStep) => now === null;
const isUpdate = (step: RestoreStep) => !isRemoval(step) && !isAddition(step);

async function removeRows(tx: Queryable, table: RevertibleTable, steps: RestoreStep[]): Promise<void> {
  if (steps.length === 0) return;
  const rows = steps.map(({ now }) => picked(now, table.key));
  await tx.query(sql`delete from ${identifier(table.name)} t using ${given(table, rows)} g where ${sameKey(table)}`);
}

/** One statement for all rows with the same columns. */
async function updateRows(tx: Queryable, table: RevertibleTable, steps: RestoreStep[]): Promise<void> {
  const namesOf = ({ columns }: RestoreStep) => columns.toSorted().join(" ");
  for (const names of new Set(steps.map(namesOf))) {
    const group = steps.filter((step) => namesOf(step) === names);
    const columns = names.split(" ");
    const rows = group.map(({ earlier }) => picked(earlier, [...table.key, ...columns]));
    const assignments = columns.map((column) => sql`${identifier(column)} = g.${identifier(column)}`);
    await tx.query(sql`
      update ${identifier(table.name)} t set ${join(assignments)} from ${given(table, rows)} g where ${sameKey(table)}`);
  }
}

async function addRows(tx: Queryable, table: RevertibleTable, steps: RestoreStep[]): Promise<void> {
  const [first] = steps;
  if (first === undefined) return;
  // The rows of one change are all complete.
  const columns = join(Object.keys(first.earlier ?? {}).map(identifier));
  const rows = steps.map(({ earlier }) => earlier ?? {});
  await tx.query(sql`
    insert into ${identifier(table.name)} (${columns}) select ${columns} from ${given(table, rows)} g`);
}

function picked(row: Row | null, columns: readonly string[]): Row {
  return Object.fromEntries(columns.map((column) => [column, row?.[column]]));
}

function given(table: RevertibleTable, rows: Row[]): Sql {
  return sql`jsonb_populate_recordset(null::${identifier(table.name)}, ${JSON.stringify(rows)}::jsonb)`;
}

function sameKey(table: RevertibleTable): Sql {
  return join(
    table.key.map((column) => sql`t.${identifier(column)} = g.${identifier(column)}`),
    " and ",
  );
}
