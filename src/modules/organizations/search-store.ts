import sql from "sql-template-tag";
import type { Found } from "../../../contract/console/organization.js";
import type { OrganizationCaller } from "../../access/caller.js";
import { eventsAroundNow } from "../../access/visibility.js";
import type { Queryable } from "../../infra/database/db.js";
import { matchesWords } from "../../infra/database/text-search.js";
import { nearestEvents, nearestFirst } from "./nearest-events.js";

export const foundRows = 8;
/** The most events whose guests are searched: upcoming ones first, then those of the last month. */
export const searchedEvents = 20;

export async function searchOrganization(db: Queryable, caller: OrganizationCaller, query: string): Promise<Found> {
  const { organizationId } = caller;
  const [row] = await db.query<Found>(sql`
    select (
      select coalesce(json_agg(item), '[]') from (
        select e.id, e.name, iso8601(e.start_time) as start_time, e.timezone
        from ${nearestEvents(organizationId, query, foundRows)} v, lateral (select * from events where id = v.id limit 1) e
        order by ${nearestFirst} limit ${foundRows}) item) as events, (
      select coalesce(json_agg(item), '[]') from (
        select r.id, r.name, r.email, json_build_object('id', e.id, 'name', e.name) as event
        from (
          select e.id, e.name, e.start_time
          from ${eventsAroundNow(organizationId)} v, lateral (select * from events where id = v.id limit 1) e
          where v.start_time > now() - interval '31 days'
          order by ${nearestFirst} limit ${searchedEvents}) e, lateral (
          select r.id, r.name, r.email, r.registered_at from registrations r
          where r.event_id = e.id and ${matchesWords(sql`r.search_text`, query)}
          order by r.registered_at, r.id limit ${foundRows}) r
        order by e.start_time, e.id, r.registered_at, r.id
        limit ${foundRows}) item) as guests`);
  return row ?? { events: [], guests: [] };
}
