import sql, { type Sql } from "sql-template-tag";
import type { Caller } from "../../access/caller.js";
import { visibleEvents } from "../../access/visibility.js";
import type { Position } from "../../platform/keyset-page.js";

export type EventFilter = { conferenceId: string; category: string | undefined };

export function selectEvents(
  caller: Caller,
  filter: EventFilter,
  baseUrl: string,
  after: Position | null,
  limit: number,
): Sql {
  const category = filter.category === undefined ? sql`true` : sql`v.category = ${filter.category}`;
  const later = after === null ? sql`true` : sql`(v.start_time, v.id) > (${after[0]}::timestamptz, ${after[1]}::uuid)`;
  // The limit keeps the join a look-up by id: only the rows of the page are read.
  return sql`
    select row_to_json(item)::text as item, array[iso8601(v.start_time), v.id::text] as position
    from ${visibleEvents(caller)} v, lateral (select * from events where id = v.id limit 1) e,
      ${eventSummaryItem(baseUrl)}
    where v.conference_id = ${filter.conferenceId} and ${category} and ${later}
    order by v.start_time, v.id limit ${limit}`;
}

/** The fields of schema.ts, made from a row `e`. */
function eventSummaryItem(baseUrl: string): Sql {
  return sql`lateral (
    select e.id, e.name, iso8601(e.start_time) as start_time, iso8601(e.end_time) as end_time, e.timezone, e.venue,
      e.venue_address, e.status, e.category, e.tier, e.description, e.luma_url,
      absolute_url(${baseUrl}, e.tile_image_url) as tile_image_url, e.conference_id,
      iso8601(e.created_at) as created_at) item`;
}
