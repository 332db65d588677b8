import sql, { type Sql } from "sql-template-tag";
import type { Found } from "../../../contract/console/organization.js";
import type { OrganizationCaller } from "../../access/caller.js";
import { eventsAroundNow, hostedEvents } from "../../access/visibility.js";
import type { Queryable } from "../../infra/database/db.js";
import { inlined, queryNamed } from "../../infra/database/statement-names.js";
import { comparedText, matchesBeginnings, matchesWords, similarRowsOf } from "../../infra/database/text-search.js";
import { nearNames } from "../../infra/near-names.js";

/** A search by name looks at more events than `nearEvents`; in others, it finds words by their beginnings. */
export const namedEvents = 2_000;
/** The most events, across all organizations, whose name matches that are considered. */
const farMatches = 1_000;

/** The order of rows e of events: those that have not ended, the next first, then the others, the last first. */
const nearestFirst = sql`
  e.end_time < now(), case when e.end_time < now() then now() - e.end_time else e.start_time - now() end, e.id`;

/** The ids and roles of the nearest events that have all words of a name, in no order. */
function nearestEvents(organizationId: string, name: string, limit: number): Sql {
  // One look-up per event: as a join, all events of the platform might be read.
  const nearest = (from: Sql, condition: Sql) => sql`
    select e.id, v.role from ${from} v, lateral (select * from events where id = v.id limit 1) e
    where ${condition} order by ${nearestFirst} limit ${inlined(limit)}`;
  const near = eventsAroundNow(organizationId, { started: namedEvents, next: namedEvents });
  return sql`(
    with near as materialized (${nearest(near, matchesWords(sql`e.search_text`, name))})
    select id, role from near
    union
    (select v.id, v.role from (
      select e.id from events e where ${matchesBeginnings(sql`e.search_text`, name)} limit ${inlined(farMatches)}) e,
      lateral (select v.id, v.role from ${hostedEvents(organizationId)} v where v.id = e.id limit 1) v
     where (select count(*) from near) < ${inlined(limit)}))`;
}

const listedNames = 20;

/** Names of the nearest events that have these words, or of the nearest of all, each once. */
export async function listEventNames(tx: Queryable, organizationId: string, words: string): Promise<string[]> {
  const events =
    words.trim() === "" ? eventsAroundNow(organizationId) : nearestEvents(organizationId, words, listedNames);
  const rows = await tx.query<{ name: string }>(sql`
    select e.name from ${events} v, lateral (select * from events where id = v.id limit 1) e
    order by ${nearestFirst} limit ${listedNames}`);
  return [...new Set(rows.map(({ name }) => name))];
}

const suggestedEvents = 5;

type SuggestedEvent = { id: string; name: string; start_time: string; timezone: string };

/** The events around now whose name is nearly what was searched. */
export async function findNearEvents(tx: Queryable, organizationId: string, name: string): Promise<SuggestedEvent[]> {
  const events = sql`(
    select e.id, e.search_text
    from ${eventsAroundNow(organizationId)} v, lateral (select * from events where id = v.id limit 1) e)`;
  const found = await queryNamed<{ event: SuggestedEvent; text: string; wanted: string }>(tx, "find near events")`
    select json_build_object('id', e.id, 'name', e.name, 'start_time', iso8601(e.start_time), 'timezone', e.timezone) as event,
      convert_from(e.search_text, 'UTF8') as text, ${comparedText(sql`${name}`)} as wanted
    from ${similarRowsOf(events, name)} k, lateral (select * from events where id = k.id limit 1) e`;
  return nearNames(found[0]?.wanted ?? "", found, ({ text }) => text, suggestedEvents).map(({ event }) => event);
}

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
