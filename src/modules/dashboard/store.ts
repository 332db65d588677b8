import sql, { type Sql } from "sql-template-tag";
import type { ReceivedOffer } from "../../../contract/console/organization.js";
import { platformNameOf } from "../../../contract/schema/posters.js";
import type { OrganizationCaller } from "../../access/caller.js";
import { isOfOffer, offerColumns, offersTo } from "../../access/hosting.js";
import { eventsAroundNow } from "../../access/visibility.js";
import type { Queryable } from "../../infra/database/db.js";
import type { UpcomingEvent } from "./attention-rules.js";

/** How many events are checked for what needs attention, nearest first. */
const watchedEvents = 200;

export async function readUpcomingEvents(db: Queryable, caller: OrganizationCaller): Promise<UpcomingEvent[]> {
  // The posters of an event are few, and are counted for these events only.
  return db.query<UpcomingEvent>(sql`
    select e.id, e.name, iso8601(e.start_time) as start_time, iso8601(e.end_time) as end_time, e.timezone, e.capacity,
      e.run_of_show_published, exists (select from segments s where s.event_id = e.id) as has_segments,
      coalesce(t.pending, 0) as pending, coalesce(t.approved, 0) as approved, coalesce(t.waitlisted, 0) as waitlisted,
      to_json(posters) as posters
    from (
      select e.* from ${eventsAroundNow(caller.organizationId)} v,
        lateral (select * from events where id = v.id and end_time > now() limit 1) e
      where v.start_time > now() - interval '31 days'
      order by v.start_time, v.id limit ${watchedEvents}) e
    left join lateral (select * from rosters where event_id = e.id limit 1) t on true,
    ${posterCounts(sql`e.id`)} posters
    order by e.start_time, e.id`);
}

const shownOffers = 20;

/** The events that other organizations offer to hand over, the newest offer first. */
export async function readReceivedOffers(
  db: Queryable,
  { organizationId }: OrganizationCaller,
): Promise<ReceivedOffer[]> {
  return db.query<ReceivedOffer>(sql`
    select (select row_to_json(item) from (
        select e.id, e.name, iso8601(e.start_time) as start_time, e.timezone from events e where e.id = o.event_id) item)
        as event, ${offerColumns}
    from ${offersTo(organizationId)} o order by o.offered_at desc, o.event_id limit ${shownOffers}`);
}

/** Whether a link l is one on this platform. */
export function isPlatform(name: string): Sql {
  return sql`lower(l.platform) = lower(${platformNameOf(name)})`;
}

/** Whether a poster p was posted: on the platform, or anywhere. */
export function isPosted(platform?: string): Sql {
  const onPlatform = platform === undefined ? sql`true` : isPlatform(platform);
  return sql`exists (select from poster_links l where l.poster_id = p.id and ${onPlatform})`;
}

/** How many posters of an event are drafts, published, and published but not posted on the platform, or anywhere. */
export function posterCounts(eventId: Sql, platform?: string): Sql {
  return sql`lateral (
    select count(*) filter (where p.published)::int as published,
      count(*) filter (where not p.published)::int as drafts,
      count(*) filter (where p.published and not ${isPosted(platform)})::int as unposted
    from posters p where p.event_id = ${eventId})`;
}

/** More are not counted. */
export const countedAtMost = 1_000;

export type News = { links: number; guests: number; changes: number };

/**
 * What happened since a time: reported links, new guests, and changes that this person did not make in the console. Of an
 * organization with many events, links, guests and changes by others count where they concern the nearest.
 */
export async function readNews(db: Queryable, caller: OrganizationCaller, since: string): Promise<News> {
  const { organizationId, userId } = caller;
  const counted = (rows: Sql) => sql`(select count(*)::int from (${rows} limit ${countedAtMost}) counted)`;
  const ofEvents = (rows: Sql) =>
    counted(sql`select from ${eventsAroundNow(organizationId)} v, lateral (${rows}) found`);
  const later = sql`> ${since}::timestamptz limit ${countedAtMost}`;
  // Links have a count of their own.
  const byOthers = sql`r.tool <> 'patch_poster' and (r.user_id is distinct from ${userId} or r.via <> 'console')`;
  const [row] = await db.query<News>(sql`
    select ${ofEvents(sql`select from poster_links l where l.event_id = v.id and l.reported_at ${later}`)} as links,
      ${ofEvents(sql`select from registrations g where g.event_id = v.id and g.registered_at ${later}`)} as guests,
      least(${countedAtMost}, ${counted(sql`
        select from mutation_records r where r.organization_id = ${organizationId} and ${byOthers} and r.at > ${since}::timestamptz`)}
      + ${ofEvents(sql`
        select from mutation_records r
        where r.event_id = v.id and r.organization_id is distinct from ${organizationId} and ${byOthers}
          and not ${isOfOffer} and r.at ${later}`)})
      as changes`);
  return row ?? { links: 0, guests: 0, changes: 0 };
}
