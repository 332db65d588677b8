import { raw } from "sql-template-tag";
import type { Queryable } from "../infra/database/db.js";
import { fieldsOf } from "../schema/json-schema.js";
import type { ImportProblem } from "./check-row.js";
import {
  getTransferList,
  type JoinTable,
  keyExpression,
  naturalKeyFields,
  type TransferList,
  transferListNames,
} from "./transfer-lists.js";

/** Finds everything in the plan that would violate a constraint of the database or is ambiguous. */
export async function findProblems(
  tx: Queryable,
  planned: TransferList[],
  maximum: number,
): Promise<{ problems: ImportProblem[]; count: number }> {
  await tx.query(raw(`create temporary table planned_problems (list text, n integer, path text, message text)`));
  for (const list of planned) {
    for (const check of checksOf(list)) {
      await tx.query(
        raw(
          `insert into planned_problems select '${list.name}', n, path, message from (${check}) found (n, path, message)`,
        ),
      );
    }
  }
  const problems = await tx.query<ImportProblem>(
    raw(`
      select list, n, path, message from planned_problems
      order by array_position(array['${transferListNames.join("', '")}'], list), n, path limit ${maximum}`),
  );
  const [total] = await tx.query<{ count: number }>(raw("select count(*) as count from planned_problems"));
  return { problems, count: total?.count ?? 0 };
}

function checksOf(list: TransferList): string[] {
  return [
    ...missingFields(list),
    ...missingImages(list),
    duplicateRow(list),
    duplicateNaturalKey(list),
    ...unresolvedParent(list),
    ambiguousMatch(list),
    ...naturalKeyTaken(list),
    ...otherUniqueColumnTaken(list),
    ...changedParent(list),
    ...list.constraints.map(
      ({ fields, violatedBy, message }) => `
        select i.n, '.${fields[0]}', '${message}' from planned_${list.name} i
        where not i.invalid && array['${fields.join("', '")}'] and ${violatedBy("i")}`,
    ),
    ...(list.joinTable === null ? [] : [unresolvedEntry(list.joinTable), duplicateEntry(list.joinTable)]),
  ];
}

/** A row whose id is invalid may be meant for a stored row. */
function missingFields(list: TransferList): string[] {
  const required = fieldsOf(list.schema).filter((field) => field.required);
  if (required.length === 0) return [];
  const names = `array['${required.map(({ name }) => name).join("', '")}']`;
  return [
    `
    select i.n, '.' || field, 'is required in a new ${list.noun}'
    from planned_${list.name} i join staged_${list.name} s on s.n = i.n
    cross join lateral unnest(${names}) as required (field)
    where not i.known and not s.data ?& ${names} and not s.data ? field and not i.invalid && array[field, 'id', '']`,
  ];
}

function missingImages(list: TransferList): string[] {
  return list.imageColumns.map(
    (column) => `
      select s.n, '.${column}', 'no image with this path is stored: use svc restore to copy images, or an absolute URL'
      from staged_${list.name} s
      where s.data ->> '${column}' like '/images/%'
        and not exists (
          select from images x where x.hash = substr(s.data ->> '${column}', 9, 64) and s.data ->> '${column}' =
            '/images/' || x.hash || case x.content_type when 'image/png' then '.png' when 'image/jpeg' then '.jpg' else '.webp' end)`,
  );
}

function duplicateRow(list: TransferList): string {
  return `
    select n, case when id_given then '.id' else '' end,
      format(case when id_given then 'duplicate id: also the id of ${list.name}[%s]'
                  else 'resolves to the same ${list.noun} as ${list.name}[%s]: set the id of each' end, first)
    from (
      select n, id_given, min(n) over (partition by id) as first from planned_${list.name}
      where known or id_given -- any other id was made for its row
    ) i
    where n > first`;
}

function keyColumns(list: TransferList): string {
  return [
    ...(list.parent === null ? [] : [`i.${list.parent.column}`]),
    ...list.naturalKey.map((key) => keyExpression("i", key)),
  ].join(", ");
}

/** Rows with the same natural key need ids: otherwise a second import could not match them. */
function duplicateNaturalKey(list: TransferList): string {
  const path = list.naturalKeyIsUnique ? `.${list.naturalKey[0]?.column}` : "";
  const advice = list.naturalKeyIsUnique ? "" : ": set the id of each";
  return `
    select n, '${path}', format('same ${naturalKeyFields(list).join(" and ")} as ${list.name}[%s]${advice}', first)
    from (
      select i.n, i.id, first_value(i.n) over file_order as first, first_value(i.id) over file_order as first_id,
        bool_and(i.id_given) over (partition by ${keyColumns(list)}) as all_given
      from planned_${list.name} i
      where (${keyColumns(list)}) is not null
      window file_order as (partition by ${keyColumns(list)} order by i.n)
    ) i
    where n > first and id <> first_id ${list.naturalKeyIsUnique ? "" : "and not all_given"}`;
}

function unresolvedParent(list: TransferList): string[] {
  if (list.parent === null) return [];
  const { field } = list.parent;
  const parent = getTransferList(list.parent.list);
  const [key] = parent.naturalKey;
  return [
    `
    select s.n, '.${field}', case when r.id is null
      then format('no ${parent.noun} with id or ${key?.column} "%s"', left(s.data ->> '${field}', 100))
      else format('%s ${parent.name} have the ${key?.column} "%s": use the id', r.matches, left(s.data ->> '${field}', 100)) end
    from staged_${list.name} s
    left join planned_references r on r.list = '${parent.name}' and r.reference = s.data ->> '${field}'
    where s.data ? '${field}' and coalesce(r.matches, 0) <> 1`,
  ];
}

function ambiguousMatch(list: TransferList): string {
  return `
    select i.n, '', format('%s stored ${list.name} have the same ${naturalKeyFields(list).join(" and ")}: set the id', i.matches)
    from planned_${list.name} i where i.matches > 1`;
}

function naturalKeyTaken(list: TransferList): string[] {
  if (!list.naturalKeyIsUnique) return [];
  const same = list.naturalKey.map((key) => `${keyExpression("x", key)} = ${keyExpression("i", key)}`);
  if (list.parent !== null) same.push(`x.${list.parent.column} = i.${list.parent.column}`);
  return [
    `
    select i.n, '.${list.naturalKey[0]?.column}', format('already used by ${list.noun} %s', x.id)
    from planned_${list.name} i join ${list.name} x on ${same.join(" and ")} and x.id <> i.id`,
  ];
}

function otherUniqueColumnTaken(list: TransferList): string[] {
  const column = list.otherUniqueColumn;
  if (column === null) return [];
  return [
    `
    select i.n, '.${column}', format('already used by ${list.noun} %s', x.id)
    from planned_${list.name} i join ${list.name} x on x.${column} = i.${column} and x.id <> i.id`,
    `
    select n, '.${column}', format('duplicate value: also in ${list.name}[%s]', first)
    from (
      select n, id, first_value(n) over file_order as first, first_value(id) over file_order as first_id
      from planned_${list.name} where ${column} is not null
      window file_order as (partition by ${column} order by n)
    ) i
    where n > first and id <> first_id`,
  ];
}

/** Rows of an event cannot move to another event; an event may move to another conference. */
function changedParent(list: TransferList): string[] {
  if (list.parent?.list !== "events") return [];
  return [
    `
    select i.n, '.event', format('expected event %s: a ${list.noun} cannot move to another event', i.stored_parent)
    from planned_${list.name} i
    where i.known and i.stored_parent <> i.${list.parent.column}`,
  ];
}

function entryPath({ field, reference }: JoinTable): string {
  return `format('.${field}[%s]${reference === null ? "" : `.${reference}`}', e.place)`;
}

function unresolvedEntry(joinTable: JoinTable): string {
  const target = getTransferList(joinTable.targetList);
  const key = target.naturalKey[0]?.column;
  const accepted = key === "email" ? "email" : `id or ${key}`;
  const inScope = joinTable.scope === null ? "" : " in this event";
  // Without a scope the parent is unresolved, which is reported already.
  const hasScope = joinTable.scope === null ? "" : "and e.scope is not null";
  return `
    select e.n, ${entryPath(joinTable)}, case when e.matches = 0
      then format('no ${target.noun}${inScope} with ${accepted} "%s"', left(e.reference, 100))
      else format('%s ${target.name}${inScope} have the ${key} "%s": use the id', e.matches, left(e.reference, 100)) end
    from planned_${joinTable.table} e where e.matches <> 1 ${hasScope}`;
}

function duplicateEntry(joinTable: JoinTable): string {
  const { noun } = getTransferList(joinTable.targetList);
  return `
    select e.n, ${entryPath(joinTable)}, format('duplicate: same ${noun} as ${joinTable.field}[%s]', e.first)
    from (
      select n, place, min(place) over (partition by n, target_id) as first
      from planned_${joinTable.table} where matches = 1
    ) e
    where e.place > e.first`;
}
