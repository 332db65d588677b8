import sql, { raw } from "sql-template-tag";
import type { Queryable } from "../infra/database/db.js";
import {
  getTransferList,
  type JoinTable,
  keyExpression,
  type NaturalKeyColumn,
  type TransferList,
  type TransferListName,
} from "./transfer-lists.js";

/*
 * An import is planned in temporary tables. For each list, `planned_LIST` has every row of the document as it will be
 * stored, merged with the stored row if there is one:
 *   known            a stored row exists
 *   id_given         the document contains the id
 *   matches          number of stored rows with the same natural key, for a row without an id
 *   differs          the stored row has to be changed
 *   stored_parent    parent id of the stored row
 *   entries_given    the document contains the entries of the join table
 *   entries_differ   the stored entries have to be changed
 * `planned_references` has the row that each reference resolves to after the import.
 */
export async function createReferenceTable(tx: Queryable): Promise<void> {
  await tx.query(
    raw(`
      create temporary table planned_references (list text, scope uuid, reference text, id uuid, matches bigint)`),
  );
}

export const noScope = "'00000000-0000-0000-0000-000000000000'::uuid";

export async function planRows(tx: Queryable, list: TransferList): Promise<void> {
  const { name } = list;
  const defaults = await readColumnDefaults(tx, list);
  await tx.query(raw(`create temporary table planned_${name} as ${selectPlannedRows(list, defaults)}`));
  await tx.query(
    raw(`
      create index on planned_${name} (id);
      create index on planned_${name} (n);
      ${list.parent === null ? "" : `create index on planned_${name} (${list.parent.column});`}
      analyze planned_${name}`),
  );
  if (list.ordered && list.parent !== null) await tx.query(raw(assignPositions(name, list.parent.column)));
}

/** The defaults of the columns that fields fill, as an SQL expression of type jsonb. */
async function readColumnDefaults(tx: Queryable, list: TransferList): Promise<string> {
  const rows = await tx.query<{ name: string; expression: string }>(sql`
    select a.attname as name, pg_get_expr(d.adbin, d.adrelid) as expression
    from pg_attribute a join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
    where a.attrelid = ${list.name}::regclass and a.attname = any(${list.columns}) and a.attname <> 'id'`);
  return `jsonb_build_object(${rows.map(({ name, expression }) => `'${name}', ${expression}`).join(", ")})`;
}

function selectPlannedRows(list: TransferList, defaults: string): string {
  const { name, parent, joinTable } = list;
  const givenId = "(s.data ->> 'id')::uuid";
  const fields = list.columns.filter((column) => column !== "id").map((column) => `planned.${column}`);
  return `
    select s.n, s.invalid, x.id is not null as known, s.data ? 'id' as id_given, coalesce(k.matches, 0) as matches,
      x.id is not null and (planned is distinct from x ${parent === null ? "" : `or coalesce(r.id <> x.${parent.column}, false)`}) as differs,
      ${parent === null ? "null::uuid" : `x.${parent.column}`} as stored_parent,
      ${joinTable === null ? "false" : `s.data ? '${joinTable.field}'`} as entries_given, false as entries_differ,
      coalesce(x.id, ${givenId}, ${newId(list)}) as id,
      ${parent === null ? "" : `coalesce(r.id, x.${parent.column}) as ${parent.column},`}
      ${list.ordered ? "planned.position," : ""}
      ${fields.join(", ")}
    from staged_${name} s
    cross join (select jsonb_populate_record(null::${name}, ${defaults}) as new_row) d
    ${parent === null ? "" : joinParent(parent)}
    left join (${selectNaturalKeyMatches(list)}) k on k.n = s.n
    left join ${name} x on x.id = coalesce(${givenId}, k.id)
    cross join lateral jsonb_populate_record(case when x.id is null then d.new_row else x end, s.data) planned`;
}

/**
 * A random id. That of a row of an event begins like the event's: rows are written in the order of their ids, and then
 * meet the same pages of the events and of the indexes by event.
 */
function newId({ parent }: TransferList): string {
  const random = "gen_random_uuid()";
  if (parent?.list !== "events") return random;
  return `case when r.id is null then ${random} else overlay(${random}::text placing left(r.id::text, 8) from 1)::uuid end`;
}

function joinParent(parent: NonNullable<TransferList["parent"]>): string {
  return `left join planned_references r on r.list = '${parent.list}' and r.reference = s.data ->> '${parent.field}'`;
}

function selectNaturalKeyMatches(list: TransferList): string {
  const conditions = list.naturalKey.map((key) => `${keyExpression("m", key)} = ${givenKey(key)}`);
  if (list.parent !== null) conditions.push(`m.${list.parent.column} = r.id`);
  return `
    select s.n, (array_agg(m.id))[1] as id, count(*) as matches
    from staged_${list.name} s
    ${list.parent === null ? "" : joinParent(list.parent)}
    join ${list.name} m on ${conditions.join(" and ")}
    where not s.data ? 'id' and not 'id' = any(s.invalid)
    group by s.n`;
}

function givenKey(key: NaturalKeyColumn): string {
  const text = `s.data ->> '${key.column}'`;
  if (key.foldCase) return `lower(${text})`;
  return key.type === undefined ? text : `(${text})::${key.type}`;
}

/** New rows follow the stored rows of the same parent, in the order of the document. */
function assignPositions(name: TransferListName, parent: string): string {
  return `
    update planned_${name} p set position = placed.position
    from (
      select i.n, coalesce(stored.last, -1) + row_number() over (partition by i.${parent} order by i.n) as position
      from planned_${name} i
      left join (
        select x.${parent}, max(x.position) as last from ${name} x
        where x.${parent} in (select ${parent} from planned_${name}) group by x.${parent}
      ) stored on stored.${parent} = i.${parent}
      where not i.known
    ) placed
    where placed.n = p.n`;
}

/**
 * Resolves references to rows of the document as they will be, and to stored rows that it does not contain. A reference
 * that is the id of one row and the name of another resolves to the id.
 */
export async function planReferences(
  tx: Queryable,
  target: TransferListName,
  references: string,
  scope: string | null = null,
): Promise<void> {
  const [key] = getTransferList(target).naturalKey;
  if (key === undefined) return;
  const inScope = (row: string) => (scope === null ? "" : `and ${row}.${scope} = g.scope`);
  const reference = key.foldCase ? "lower(g.reference)" : "g.reference";
  await tx.query(
    raw(`
      insert into planned_references
      with given as materialized (
        select scope, reference,
          case when reference ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then reference::uuid end as as_id
        from (select distinct scope, reference from (${references}) listed (scope, reference)) listed
        where reference is not null
      ), by_id as (
        select g.scope, g.reference, i.id from given g join planned_${target} i on i.id = g.as_id ${inScope("i")}
        union
        select g.scope, g.reference, x.id from given g join ${target} x on x.id = g.as_id ${inScope("x")}
      ), by_key as (
        select g.scope, g.reference, i.id
        from given g join planned_${target} i on ${keyExpression("i", key)} = ${reference} ${inScope("i")}
        union
        select g.scope, g.reference, x.id
        from given g join ${target} x on ${keyExpression("x", key)} = ${reference} ${inScope("x")}
        where not exists (select from planned_${target} i where i.id = x.id)
      )
      select '${target}', scope, reference, (array_agg(id))[1], count(*)
      from (
        select * from by_id
        union all
        select * from by_key k
        where not exists (select from by_id i where i.scope = k.scope and i.reference = k.reference)
      ) found
      group by scope, reference;
      analyze planned_references`),
  );
}

/** `planned_TABLE` has every entry of a join table in the document; `n` is the index of its row, `place` its own. */
export async function planJoinTable(tx: Queryable, list: TransferList, joinTable: JoinTable): Promise<void> {
  const { table, targetList } = joinTable;
  const scope = joinTable.scope === null ? noScope : `i.${joinTable.scope}`;
  const reference = joinTable.reference === null ? "item #>> '{}'" : `item ->> '${joinTable.reference}'`;
  const given = `
    select i.n, (place - 1)::integer as place, i.id as owner_id, ${scope} as scope, ${reference} as reference,
      ${joinTable.role ? "item ->> 'role'" : "null::text"} as role
    from planned_${list.name} i
    join staged_${list.name} s on s.n = i.n
    cross join lateral jsonb_array_elements(s.data -> '${joinTable.field}') with ordinality as items (item, place)
    where i.entries_given`;
  await planReferences(tx, targetList, `select scope, reference from (${given}) g`, joinTable.scope);
  await tx.query(
    raw(`
      create temporary table planned_${table} as
      select g.*, r.id as target_id, coalesce(r.matches, 0) as matches
      from (${given}) g
      left join planned_references r on r.list = '${targetList}' and r.scope = g.scope and r.reference = g.reference;
      create index on planned_${table} (owner_id, target_id);
      analyze planned_${table}`),
  );
  await tx.query(raw(compareEntries(list, joinTable)));
}

/** Compares the order of entries, not their stored positions, which may have gaps. */
function compareEntries(list: TransferList, { table, owner, target, role, ordered }: JoinTable): string {
  const entry = (id: string, row: string) => `${id}::text${role ? ` || ' ' || ${row}.role` : ""}`;
  return `
    update planned_${list.name} i set entries_differ = true
    from (
      select p.n from planned_${list.name} p
      where p.known and p.entries_given
        and (select array_agg(${entry("e.target_id", "e")} order by ${ordered ? "e.place" : "e.target_id"})
             from planned_${table} e where e.owner_id = p.id)
          is distinct from
            (select array_agg(${entry(`x.${target}`, "x")} order by ${ordered ? "x.position, " : ""}x.${target})
             from ${table} x where x.${owner} = p.id)
    ) changed
    where changed.n = i.n`;
}
