import sql, { type Sql } from "sql-template-tag";
import { hostedEvents } from "../../access/visibility.js";
import type { Queryable } from "../../infra/database/db.js";
import { type KeysetPage, type Position, readPage } from "../../infra/database/keyset-page.js";
import { readFittingPage } from "./roster-store.js";

/** A page of the events that an organization hosts, with the counts of their rosters, those that start last first. */
export function readHostedRosters(
  tx: Queryable,
  organizationId: string,
  query: { cursor?: string | undefined; limit: number },
): Promise<KeysetPage> {
  return readFittingPage(query.limit, (limit) =>
    readPage(tx, ["hosted rosters", organizationId], { cursor: query.cursor, limit }, (after, rows) =>
      selectHostedRosters(organizationId, after, rows),
    ),
  );
}

/** The inner query is served by the index of hosted events by time; each `limit 1` keeps a look-up one by id. */
export function selectHostedRosters(organizationId: string, position: Position | null, limit: number): Sql {
  const after =
    position === null ? sql`true` : sql`(v.start_time, v.id) < (${position[0]}::timestamptz, ${position[1]}::uuid)`;
  return sql`
    select row_to_json(item)::text as item, array[item.start_time, item.id::text] as position
    from (
      select v.id, v.start_time from ${hostedEvents(organizationId)} v where ${after}
      order by v.start_time desc, v.id desc limit ${limit}) k,
    lateral (select * from events where id = k.id limit 1) e
    left join lateral (select * from rosters where event_id = k.id limit 1) t on true,
    lateral (
      select e.id, e.name, iso8601(e.start_time) as start_time, e.timezone, coalesce(t.pending, 0) as pending,
        coalesce(t.approved, 0) as approved, coalesce(t.waitlisted, 0) as waitlisted,
        coalesce(t.declined, 0) as declined, coalesce(t.checked_in, 0) as checked_in, e.capacity) item
    order by k.start_time desc, k.id desc`;
}
