import sql, { raw, type Sql } from "sql-template-tag";
import type { conferenceFilters } from "../../../contract/console/admin.js";
import type { TimeOrder } from "../../../contract/orders.js";
import { activePlatformKeys } from "../../access/key-store.js";
import type { Queryable } from "../../infra/database/db.js";
import { comesAfterIn, type Position, timeOrders } from "../../infra/database/keyset-page.js";
import { matchesWords } from "../../infra/database/text-search.js";
import { type Conditions, type FilterValues, filterConditions } from "../../schema/filters.js";
import { type AdministeredConference, countEventsByStatus, type EventsByStatus, getConference } from "./store.js";

/** Conditions on a row c of conferences. */
const conditions: Conditions<typeof conferenceFilters> = {
  q: (q) => matchesWords(sql`search_text(c.name || ' ' || c.slug || ' ' || c.city)`, q),
  status: (status) => sql`c.status = ${status}`,
};

/** Conferences in any status. */
export function selectConferencesForAdmins(
  { sort, ...filters }: FilterValues<typeof conferenceFilters> & { sort: TimeOrder },
  after: Position | null,
  limit: number,
): Sql {
  const later = comesAfterIn(timeOrders[sort], sql`c.start_date, c.id`, after, ["date", "uuid"]);
  const direction = raw(timeOrders[sort]);
  return sql`
    select row_to_json(item)::text as item, array[c.start_date::text, c.id::text] as position
    from conferences c, lateral (
      select c.id, c.name, c.slug, c.city, c.start_date, c.end_date, c.timezone, c.status, c.category,
        (select count(*) from events e where e.conference_id = c.id)::int as events,
        (select count(*) from events e where e.conference_id = c.id and e.status = 'draft')::int as drafts) item
    where ${filterConditions(conditions, filters)} and ${later}
    order by c.start_date ${direction}, c.id ${direction} limit ${limit}`;
}

export type ConferenceForAdmins = AdministeredConference & { events_by_status: EventsByStatus; keys: number };

export async function getConferenceForAdmins(db: Queryable, id: string, baseUrl: string): Promise<ConferenceForAdmins> {
  const conference = await getConference(db, id, baseUrl);
  const [keys] = await db.query<{ count: number }>(
    sql`select count(*)::int as count from ${activePlatformKeys} k where k.conference_id = ${id}`,
  );
  return { ...conference, events_by_status: await countEventsByStatus(db, id), keys: keys?.count ?? 0 };
}
