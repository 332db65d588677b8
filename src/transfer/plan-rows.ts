import { raw } from "sql-template-tag";
import type { Queryable } from "../platform/db.js";
import { type KeyColumn, type Links, type List, type ListName, listNamed } from "./lists.js";

/*
 * The plan of an import, made of temporary tables. For each list, `planned_LIST` has every row of the file as it is to
 * be stored, merged with the row that is stored already:
 *   known       the row exists            id_given    the file names its id
 *   matches     stored rows with its natural key, when it has no id
 *   differs     it exists and is to be changed
 *   seen        the version of the stored row that the plan rests on
 *   was_in      the parent of the stored row
 *   links_given, links_differ             the same for the rows that link it to others
 * `planned_references` has what each reference in the file stands for once the file is imported.
 */
export async function createReferenceTable(tx: Queryable): Promise<void> {
  await tx.query(
    raw(`
      create temporary table planned_references (list text, scope uuid, reference text, id uuid, matches bigint)
        on commit drop`),
  );
}

export const noScope = "'00000000-0000-0000-0000-000000000000'::uuid";

export async function planRows(tx: Queryable, list: List): Promise<void> {
  const { name } = list;
  await tx.query(raw(`create temporary table planned_${name} on commit drop as ${planOf(list)}`));
  await tx.query(
    raw(`
      create index on planned_${name} (id);
      create index on planned_${name} (n);
      ${list.parent === null ? "" : `create index on planned_${name} (${list.parent.column});`}
      analyze planned_${name}`),
  );
  if (list.ordered && list.parent !== null) await tx.query(raw(placeNewRows(name, list.parent.column)));
}

function planOf(list: List): string {
  const { name, parent, links } = list;
  const givenId = "(s.data ->> 'id')::uuid";
  const fields = list.columns.filter((column) => column !== "id").map((column) => `planned.${column}`);
  return `
    select s.n, s.broken, x.id is not null as known, s.data ? 'id' as id_given, coalesce(k.matches, 0) as matches,
      x.id is not null and (planned is distinct from x ${parent === null ? "" : `or r.id <> x.${parent.column}`}) as differs,
      x.xmin as seen,
      ${parent === null ? "null::uuid" : `x.${parent.column}`} as was_in,
      ${links === null ? "false" : `s.data ? '${links.field}'`} as links_given, false as links_differ,
      coalesce(x.id, ${givenId}, gen_random_uuid()) as id,
      ${parent === null ? "" : `r.id as ${parent.column},`}
      ${list.ordered ? "planned.position," : ""}
      ${fields.join(", ")}
    from staged_${name} s
    cross join (select jsonb_populate_record(null::${name}, ${list.defaults}) as new_row) d
    ${parent === null ? "" : joinParent(parent)}
    left join (${keyMatches(list)}) k on k.n = s.n
    left join ${name} x on x.id = coalesce(${givenId}, k.id)
    cross join lateral jsonb_populate_record(case when x.id is null then d.new_row else x end, s.data) planned`;
}

function joinParent(parent: NonNullable<List["parent"]>): string {
  return `left join planned_references r on r.list = '${parent.list}' and r.reference = s.data ->> '${parent.field}'`;
}

function keyMatches(list: List): string {
  const conditions = list.key.map((key) => `${storedKey("m", key)} = ${givenKey(key)}`);
  if (list.parent !== null) conditions.push(`m.${list.parent.column} = r.id`);
  return `
    select s.n, (array_agg(m.id))[1] as id, count(*) as matches
    from staged_${list.name} s
    ${list.parent === null ? "" : joinParent(list.parent)}
    join ${list.name} m on ${conditions.join(" and ")}
    where not s.data ? 'id'
    group by s.n`;
}

export function storedKey(row: string, key: KeyColumn): string {
  return key.foldCase ? `lower(${row}.${key.column})` : `${row}.${key.column}`;
}

function givenKey(key: KeyColumn): string {
  const text = `s.data ->> '${key.column}'`;
  if (key.foldCase) return `lower(${text})`;
  return key.type === undefined ? text : `(${text})::${key.type}`;
}

function placeNewRows(name: ListName, parent: string): string {
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

/** Finds what references stand for: rows of the file as they will be, and stored rows that the file does not have. */
export async function planReferences(
  tx: Queryable,
  target: ListName,
  references: string,
  scope: string | null = null,
): Promise<void> {
  const [key] = listNamed(target).key;
  if (key === undefined) return;
  const scoped = (row: string) => (scope === null ? "" : `and ${row}.${scope} = g.scope`);
  const reference = key.foldCase ? "lower(g.reference)" : "g.reference";
  await tx.query(
    raw(`
      insert into planned_references
      with given as materialized (
        select scope, reference,
          case when reference ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then reference::uuid end as as_id
        from (select distinct scope, reference from (${references}) listed (scope, reference)) listed
        where reference is not null
      ), identified as (
        select g.scope, g.reference, i.id from given g join planned_${target} i on i.id = g.as_id ${scoped("i")}
        union
        select g.scope, g.reference, x.id from given g join ${target} x on x.id = g.as_id ${scoped("x")}
      ), named as (
        select g.scope, g.reference, i.id
        from given g join planned_${target} i on ${storedKey("i", key)} = ${reference} ${scoped("i")}
        union
        select g.scope, g.reference, x.id
        from given g join ${target} x on ${storedKey("x", key)} = ${reference} ${scoped("x")}
        where not exists (select from planned_${target} i where i.id = x.id)
      )
      select '${target}', scope, reference, (array_agg(id))[1], count(*)
      from (
        select * from identified
        union all
        select * from named n
        where not exists (select from identified i where i.scope = n.scope and i.reference = n.reference)
      ) found
      group by scope, reference;
      analyze planned_references`),
  );
}

/** What an item of a list of links names, as SQL over `item`. */
function referenceIn(links: Links): string {
  return links.reference === null ? "item #>> '{}'" : `item ->> '${links.reference}'`;
}

/** `planned_LINKS` has every link that the file gives: `n` and `place` are its place in the file. */
export async function planLinks(tx: Queryable, list: List, links: Links): Promise<void> {
  const scope = links.scope === null ? noScope : `i.${links.scope}`;
  const given = `
    select i.n, (place - 1)::integer as place, i.id as owner_id, ${scope} as scope, ${referenceIn(links)} as reference,
      ${links.role ? "item ->> 'role'" : "null::text"} as role
    from planned_${list.name} i
    join staged_${list.name} s on s.n = i.n
    cross join lateral jsonb_array_elements(s.data -> '${links.field}') with ordinality as items (item, place)
    where i.links_given and not i.broken`;
  await planReferences(tx, links.targetList, `select scope, reference from (${given}) g`, links.scope);
  await tx.query(
    raw(`
      create temporary table planned_${links.table} on commit drop as
      select g.*, r.id as target_id, coalesce(r.matches, 0) as matches
      from (${given}) g
      left join planned_references r
        on r.list = '${links.targetList}' and r.scope = g.scope and r.reference = g.reference;
      create index on planned_${links.table} (owner_id, target_id);
      analyze planned_${links.table}`),
  );
  await tx.query(raw(compareLinks(list, links)));
}

/** A place among the stored links counts by order, not by number: sets that read the same are the same. */
function compareLinks(list: List, links: Links): string {
  const role = (row: string) => (links.role ? ` || ' ' || ${row}.role` : "");
  return `
    update planned_${list.name} i set links_differ = true
    from (
      select p.n from planned_${list.name} p
      where p.known and p.links_given and not p.broken
        and (select array_agg(l.target_id::text${role("l")} order by ${links.ordered ? "l.place" : "l.target_id"})
             from planned_${links.table} l where l.owner_id = p.id)
          is distinct from
            (select array_agg(x.${links.target}::text${role("x")}
               order by ${links.ordered ? "x.position, " : ""}x.${links.target})
             from ${links.table} x where x.${links.owner} = p.id)
    ) changed
    where changed.n = i.n`;
}
