import { raw } from "sql-template-tag";
import type { Queryable } from "../platform/db.js";
import { ServiceError } from "../platform/errors.js";
import type { Links, List } from "./lists.js";

export type ListCounts = { added: number; changed: number; unchanged: number };

export async function countRows(tx: Queryable, list: List): Promise<ListCounts> {
  const [counts] = await tx.query<ListCounts>(
    raw(`
      select count(*) filter (where not known) as added,
        count(*) filter (where known and (differs or links_differ)) as changed,
        count(*) filter (where known and not (differs or links_differ)) as unchanged
      from planned_${list.name}`),
  );
  return counts ?? { added: 0, changed: 0, unchanged: 0 };
}

/** Locks the stored rows that are to change, and refuses when one is no longer what the plan was made from. */
export async function claimRows(tx: Queryable, list: List, changed: number): Promise<void> {
  if (changed === 0) return;
  const [claimed] = await tx.query<{ count: number }>(
    raw(`
      select count(*) as count from (
        select x.id from ${list.name} x join planned_${list.name} i on i.id = x.id
        where i.known and (i.differs or i.links_differ) and x.xmin = i.seen
        order by x.id for no key update of x
      ) claimed`),
  );
  if (claimed?.count !== changed) throw changedMeanwhile();
}

export function changedMeanwhile(): ServiceError {
  return new ServiceError(
    "conflict",
    "the database was changed by others during the import; nothing was imported: try again",
  );
}

export async function applyRows(tx: Queryable, list: List, counts: ListCounts): Promise<void> {
  const { name, parent } = list;
  const columns = [...list.columns, ...(parent === null ? [] : [parent.column]), ...(list.ordered ? ["position"] : [])];
  // What belongs to an event never moves; its triggers need not look.
  const mutable = columns.filter((column) => column !== "id" && column !== "event_id" && column !== "position");
  if (counts.changed > 0) {
    await tx.query(
      raw(`
        update ${name} x set ${mutable.map((column) => `${column} = i.${column}`).join(", ")}
        from planned_${name} i where x.id = i.id and i.differs`),
    );
  }
  if (counts.added > 0) {
    // Most indexes start or end with the id: in its order, a large import fills them page by page.
    await tx.query(
      raw(`
        insert into ${name} (${columns.join(", ")})
        select ${columns.join(", ")} from planned_${name} where not known order by id`),
    );
  }
}

export async function applyLinks(tx: Queryable, list: List, links: Links): Promise<void> {
  const same = `x.${links.owner} = l.owner_id and x.${links.target} = l.target_id`;
  const changes = [...(links.role ? ["role = l.role"] : []), ...(links.ordered ? ["position = l.place"] : [])];
  const differences = [
    ...(links.role ? ["x.role <> l.role"] : []),
    ...(links.ordered ? ["x.position <> l.place"] : []),
  ];
  const columns = [
    [links.owner, "l.owner_id"],
    [links.target, "l.target_id"],
    ...(links.role ? [["role", "l.role"]] : []),
    ...(links.ordered ? [["position", "l.place"]] : []),
    ...(links.scope === null ? [] : [[links.scope, "l.scope"]]),
  ];
  const rewritten = `from planned_${links.table} l join planned_${list.name} i on i.n = l.n and i.links_differ where ${same}`;
  await tx.query(
    raw(`
      delete from ${links.table} x using planned_${list.name} i
      where i.id = x.${links.owner} and i.links_differ
        and not exists (select from planned_${links.table} l where ${same})`),
  );
  // An event has one host at any moment: the old one steps down before the new one is named.
  if (links.table === "event_hosts") {
    await tx.query(
      raw(`update event_hosts x set role = 'co_host' ${rewritten} and x.role = 'host' and l.role <> 'host'`),
    );
  }
  await tx.query(
    raw(`update ${links.table} x set ${changes.join(", ")} ${rewritten} and (${differences.join(" or ")})`),
  );
  await tx.query(
    raw(`
      insert into ${links.table} (${columns.map(([column]) => column).join(", ")})
      select ${columns.map(([, value]) => value).join(", ")}
      from planned_${links.table} l join planned_${list.name} i on i.n = l.n
      where (not i.known or i.links_differ) and not exists (select from ${links.table} x where ${same})
      order by l.owner_id, l.target_id`),
  );
}
