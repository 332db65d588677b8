import { raw } from "sql-template-tag";
import type { Queryable } from "../platform/db.js";
import type { Problem } from "./check-row.js";
import { type Links, type List, listNamed, listNames } from "./lists.js";
import { storedKey } from "./plan-rows.js";

/** Everything that the plan shows to be wrong, so that no constraint of the database is met later. */
export async function findProblems(
  tx: Queryable,
  planned: List[],
  maximum: number,
): Promise<{ problems: Problem[]; count: number }> {
  await tx.query(
    raw(`create temporary table found_problems (list text, n integer, path text, message text) on commit drop`),
  );
  for (const list of planned) {
    for (const check of checksOf(list)) {
      await tx.query(
        raw(
          `insert into found_problems select '${list.name}', n, path, message from (${check}) found (n, path, message)`,
        ),
      );
    }
  }
  const problems = await tx.query<Problem>(
    raw(`
      select list, n, path, message from found_problems
      order by array_position(array['${listNames.join("', '")}'], list), n, path limit ${maximum}`),
  );
  const [total] = await tx.query<{ count: number }>(raw("select count(*) as count from found_problems"));
  return { problems, count: total?.count ?? 0 };
}

function checksOf(list: List): string[] {
  return [
    sameRowTwice(list),
    sameKeyTwice(list),
    ...unknownParent(list),
    severalMatches(list),
    ...keyTaken(list),
    ...otherUniqueTaken(list),
    ...moved(list),
    ...list.rules.map(
      (rule) => `
        select i.n, '.${rule.field}', '${rule.message}' from planned_${list.name} i
        where not i.broken and ${rule.refuses("i")}`,
    ),
    ...(list.links === null ? [] : [unknownLink(list.links), sameLinkTwice(list.links)]),
  ];
}

function sameRowTwice(list: List): string {
  return `
    select n, case when id_given then '.id' else '' end,
      format(case when id_given then 'is also the id of ${list.name}[%s]'
                  else 'names the same ${list.noun} as ${list.name}[%s]: give each its id' end, first)
    from (
      select n, broken, id_given, min(n) over (partition by id) as first from planned_${list.name}
    ) i
    where n > first and not broken`;
}

function keyColumns(list: List): string {
  return [
    ...(list.parent === null ? [] : [`i.${list.parent.column}`]),
    ...list.key.map((key) => storedKey("i", key)),
  ].join(", ");
}

function keyFields(list: List): string {
  return [...(list.parent === null ? [] : [list.parent.field]), ...list.key.map((key) => key.column)].join(" and ");
}

/** Without ids, a second import could not tell rows with the same natural key apart. */
function sameKeyTwice(list: List): string {
  const path = list.keyIsUnique ? `.${list.key[0]?.column}` : "";
  const advice = list.keyIsUnique ? "" : ": give each its id";
  return `
    select n, '${path}', format('has the same ${keyFields(list)} as ${list.name}[%s]${advice}', first)
    from (
      select i.n, i.broken, i.id, first_value(i.n) over file_order as first, first_value(i.id) over file_order as first_id,
        bool_and(i.id_given) over (partition by ${keyColumns(list)}) as all_given
      from planned_${list.name} i
      where (${keyColumns(list)}) is not null
      window file_order as (partition by ${keyColumns(list)} order by i.n)
    ) i
    where n > first and id <> first_id and not broken ${list.keyIsUnique ? "" : "and not all_given"}`;
}

function unknownParent(list: List): string[] {
  if (list.parent === null) return [];
  const { field } = list.parent;
  const parent = listNamed(list.parent.list);
  const [key] = parent.key;
  return [
    `
    select s.n, '.${field}', case when r.id is null
      then format('no ${parent.noun} has the id or ${key?.column} "%s"', left(s.data ->> '${field}', 100))
      else format('%s ${parent.name} have the ${key?.column} "%s": use the id', r.matches, left(s.data ->> '${field}', 100)) end
    from staged_${list.name} s
    left join planned_references r on r.list = '${parent.name}' and r.reference = s.data ->> '${field}'
    where not s.broken and coalesce(r.matches, 0) <> 1`,
  ];
}

function severalMatches(list: List): string {
  return `
    select i.n, '', format('%s ${list.name} have the same ${keyFields(list)}: give the id', i.matches)
    from planned_${list.name} i where i.matches > 1 and not i.broken`;
}

function keyTaken(list: List): string[] {
  if (!list.keyIsUnique) return [];
  const same = list.key.map((key) => `${storedKey("x", key)} = ${storedKey("i", key)}`);
  if (list.parent !== null) same.push(`x.${list.parent.column} = i.${list.parent.column}`);
  return [
    `
    select i.n, '.${list.key[0]?.column}', format('is taken by the ${list.noun} %s', x.id)
    from planned_${list.name} i join ${list.name} x on ${same.join(" and ")} and x.id <> i.id
    where not i.broken`,
  ];
}

function otherUniqueTaken(list: List): string[] {
  const column = list.otherUniqueColumn;
  if (column === null) return [];
  return [
    `
    select i.n, '.${column}', format('is taken by the ${list.noun} %s', x.id)
    from planned_${list.name} i join ${list.name} x on x.${column} = i.${column} and x.id <> i.id
    where not i.broken`,
    `
    select n, '.${column}', format('is the same as in ${list.name}[%s]', first)
    from (
      select n, id, first_value(n) over file_order as first, first_value(id) over file_order as first_id
      from planned_${list.name} where ${column} is not null and not broken
      window file_order as (partition by ${column} order by n)
    ) i
    where n > first and id <> first_id`,
  ];
}

/** What belongs to an event stays with it; an event itself may move to another conference. */
function moved(list: List): string[] {
  if (list.parent?.list !== "events") return [];
  return [
    `
    select i.n, '.event', format('expects the event %s, which the ${list.noun} belongs to: it cannot move', i.was_in)
    from planned_${list.name} i
    where i.known and not i.broken and i.was_in <> i.${list.parent.column}`,
  ];
}

function linkPath(links: Links): string {
  const suffix = links.reference === null ? "" : `.${links.reference}`;
  return `format('.${links.field}[%s]${suffix}', l.place)`;
}

function unknownLink(links: Links): string {
  const target = listNamed(links.targetList);
  const key = target.key[0]?.column;
  const accepted = key === "email" ? "email" : `id or ${key}`;
  const where = links.scope === null ? "" : " in this event";
  const unresolved = links.scope === null ? "" : "and l.scope is not null";
  return `
    select l.n, ${linkPath(links)}, case when l.matches = 0
      then format('no ${target.noun}${where} has the ${accepted} "%s"', left(l.reference, 100))
      else format('%s ${target.name}${where} have the ${key} "%s": use the id', l.matches, left(l.reference, 100)) end
    from planned_${links.table} l where l.matches <> 1 ${unresolved}`;
}

function sameLinkTwice(links: Links): string {
  return `
    select l.n, ${linkPath(links)}, format('is the same ${listNamed(links.targetList).noun} as in ${links.field}[%s]', l.first)
    from (
      select n, place, min(place) over (partition by n, target_id) as first
      from planned_${links.table} where matches = 1
    ) l
    where l.place > l.first`;
}
