import sql, { type Sql } from "sql-template-tag";
import type { adminEventFilters } from "../../../contract/console/admin.js";
import { ServiceError } from "../../../contract/errors.js";
import { eventFields } from "../../../contract/schema/events.js";
import { hostOrder, hostsOf } from "../../access/hosting.js";
import type { Queryable } from "../../infra/database/db.js";
import type { Position } from "../../infra/database/keyset-page.js";
import { firstMatches, matchesBeginnings } from "../../infra/database/text-search.js";
import { columnsOf } from "../../schema/columns.js";
import { type Conditions, type FilterValues, filterConditions } from "../../schema/filters.js";

const matchesName = (q: string) => matchesBeginnings(sql`e.search_text`, q);

/** Conditions on a row e of events. */
const conditions: Conditions<typeof adminEventFilters> = {
  q: matchesName,
  conference: (id) => sql`e.conference_id = ${id}`,
  status: (status) => sql`e.status = ${status}`,
};

/** Events in any status, the latest first. */
export function selectEventsForAdmins(
  filters: FilterValues<typeof adminEventFilters>,
  after: Position | null,
  limit: number,
): Sql {
  const { q, ...exact } = filters;
  const earlier =
    after === null ? sql`true` : sql`(e.start_time, e.id) < (${after[0]}::timestamptz, ${after[1]}::uuid)`;
  const others = sql`${filterConditions(conditions, exact)} and ${earlier}`;
  const [columns, order] = [sql`e.id, e.start_time`, sql`e.start_time desc, e.id desc`];
  const found =
    q === undefined
      ? sql`(select ${columns} from events e where ${others} order by ${order} limit ${limit})`
      : firstMatches({ table: sql`events`, row: sql`e`, columns, matches: matchesName(q), others, order }, limit);
  return sql`
    select row_to_json(item)::text as item, array[iso8601(found.start_time), found.id::text] as position
    from ${found} found,
    lateral (select * from events where id = found.id limit 1) e,
    lateral (
      select e.id, e.name, iso8601(e.start_time) as start_time, iso8601(e.end_time) as end_time, e.timezone, e.status,
        e.category, e.ticketing_event_id, ${conferenceOf(sql`e.conference_id`)} as conference,
        (select h.name from ${hostsOf(sql`e.id`)} h order by ${hostOrder} limit 1) as host) item
    order by found.start_time desc, found.id desc`;
}

export async function getEventForAdmins(db: Queryable, id: string, baseUrl: string): Promise<object> {
  const [row] = await db.query<{ item: object }>(sql`
    select row_to_json(item) as item from events e, lateral (
      select e.id, ${columnsOf("e", eventFields, baseUrl)}, e.ticketing_event_id, iso8601(e.created_at) as created_at,
        iso8601(e.updated_at) as updated_at, ${conferenceOf(sql`e.conference_id`)} as conference,
        (select coalesce(json_agg(host), '[]') from (
          select h.id, h.name, h.slug, h.role from ${hostsOf(sql`e.id`)} h order by ${hostOrder}) host) as hosts,
        coalesce((select t.pending + t.approved + t.waitlisted + t.declined from rosters t where t.event_id = e.id), 0)
          as registrations,
        (select count(*) from posters p where p.event_id = e.id)::int as posters) item
    where e.id = ${id}`);
  if (row === undefined) throw new ServiceError("not_found", `No event has the id ${id}`);
  return row.item;
}

function conferenceOf(id: Sql): Sql {
  return sql`(
    select json_build_object('id', c.id, 'name', c.name, 'slug', c.slug, 'status', c.status)
    from conferences c where c.id = ${id})`;
}
