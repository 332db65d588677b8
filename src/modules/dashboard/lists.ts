import sql, { type Sql } from "sql-template-tag";
import type {
  dashboardPosterFilters,
  EventTimes,
  linkFilters,
  PosterState,
} from "../../../contract/console/organization.js";
import type { OrganizationCaller } from "../../access/caller.js";
import { eventsAroundNow, visibleConferences, visibleEvents, visiblePosters } from "../../access/visibility.js";
import type { Queryable } from "../../infra/database/db.js";
import type { Position } from "../../infra/database/keyset-page.js";
import { type Conditions, type FilterValues, filterConditions } from "../../schema/filters.js";
import { factsNow, isPlatform, isPosted, posterCounts } from "../posters/store.js";

/**
 * An event that started before this is past, even if it has not ended: more than a year ago, or before today in a conference
 * that ended more than two days ago. So a page does not have to look at every past event to find those that still run.
 */
const running = sql`case when c.end_date < current_date - 2 then now() else now() - interval '366 days' end`;

/** Events by conference, in the order of time: the next first, or the last first. */
export function selectDashboardEvents(
  caller: OrganizationCaller,
  when: EventTimes,
  after: Position | null,
  limit: number,
): Sql {
  const isUpcoming = when === "upcoming";
  const [direction, beyond] = isUpcoming ? [sql`asc`, sql`>`] : [sql`desc`, sql`<`];
  const ofTime = isUpcoming
    ? sql`v.start_time > ${running} and e.end_time > now()`
    : sql`v.start_time <= now() and (e.end_time <= now() or v.start_time <= ${running})`;
  const [ofConferences, ofEvents] =
    after === null
      ? [sql`true`, sql`true`]
      : [
          sql`(hosted.start_date, hosted.id) ${beyond}= (${after[0]}::date, ${after[1]}::uuid)`,
          sql`(hosted.start_date, hosted.id, v.start_time, v.id) ${beyond}
            (${after[0]}::date, ${after[1]}::uuid, ${after[2]}::timestamptz, ${after[3]}::uuid)`,
        ];
  // Conference by conference, until the page is full.
  return sql`
    select row_to_json(item)::text as item,
      array[c.start_date::text, c.id::text, iso8601(e.start_time), e.id::text] as position
    from (
      select found.role, found.id from ${visibleConferences(caller)} hosted,
        lateral (select * from conferences where id = hosted.id limit 1) c,
        lateral (
          select v.id, v.role, v.start_time from ${visibleEvents(caller)} v,
            lateral (select * from events where id = v.id limit 1) e
          where v.conference_id = hosted.id and ${ofTime} and ${ofEvents}
          order by v.start_time ${direction}, v.id ${direction} limit ${limit}) found
      where ${ofConferences}
      order by hosted.start_date ${direction}, hosted.id ${direction}, found.start_time ${direction}, found.id ${direction}
      limit ${limit}) page
    join events e on e.id = page.id join conferences c on c.id = e.conference_id
    left join lateral (select * from rosters where event_id = e.id limit 1) t on true,
    ${posterCounts(sql`e.id`)} posters,
    lateral (
      select e.id, e.name, iso8601(e.start_time) as start_time, iso8601(e.end_time) as end_time, e.timezone, e.venue,
        page.role, e.capacity, coalesce(t.pending, 0) as pending, coalesce(t.approved, 0) as approved,
        coalesce(t.checked_in, 0) as checked_in, row_to_json(posters) as posters,
        json_build_object('id', c.id, 'name', c.name, 'city', c.city, 'start_date', c.start_date, 'end_date', c.end_date)
          as conference) item
    order by c.start_date ${direction}, c.id ${direction}, e.start_time ${direction}, e.id ${direction}`;
}

/** Conditions on a row v of the visible posters. */
const stateConditions: Record<PosterState, Sql> = {
  draft: sql`not v.published`,
  published: sql`v.published`,
  posted: isPosted(sql`v.id`),
  unposted: sql`v.published and not ${isPosted(sql`v.id`)}`,
};

const posterConditions: Conditions<typeof dashboardPosterFilters> = {
  state: (state) => stateConditions[state],
  platform: (name) => isPosted(sql`v.id`, name),
};

/** Posters, newest first, with their links, what they show and what they should show. */
export function selectDashboardPosters(
  caller: OrganizationCaller,
  filters: FilterValues<typeof dashboardPosterFilters>,
  baseUrl: string,
  after: Position | null,
  limit: number,
): Sql {
  const earlier =
    after === null ? sql`true` : sql`(v.created_at, v.id) < (${after[0]}::timestamptz, ${after[1]}::uuid)`;
  return sql`
    select row_to_json(item)::text as item, array[iso8601(p.created_at), p.id::text] as position
    from (
      select v.id from ${visiblePosters(caller)} v
      where ${filterConditions(posterConditions, filters)} and ${earlier}
      order by v.created_at desc, v.id desc limit ${limit}) page
    join posters p on p.id = page.id join events e on e.id = p.event_id,
    lateral (
      select ${posterFields(baseUrl)}, p.published, p.drawn_from, ${factsNow} as facts,
        iso8601(p.created_at) as created_at, (
        select coalesce(json_agg(json_build_object('platform', l.platform, 'url', l.url, 'reported_at', iso8601(l.reported_at))
          order by l.reported_at desc, l.platform), '[]')
        from poster_links l where l.poster_id = p.id) as links) item
    order by p.created_at desc, p.id desc`;
}

/** Agents may name platforms as they like. */
const shownPlatforms = 30;

const linkConditions: Conditions<typeof linkFilters> = { platform: isPlatform };

/** Links are read for this many past events, latest first, and as many upcoming ones. */
const linkedEvents = 2_000;

/** The links that were reported, newest first. */
export function selectDashboardLinks(
  caller: OrganizationCaller,
  filters: FilterValues<typeof linkFilters>,
  baseUrl: string,
  after: Position | null,
  limit: number,
): Sql {
  const earlier =
    after === null
      ? sql`true`
      : sql`(l.reported_at, l.poster_id, l.platform) < (${after[0]}::timestamptz, ${after[1]}::uuid, ${after[2]})`;
  const newestFirst = sql`order by l.reported_at desc, l.poster_id desc, l.platform desc`;
  const ofEvent = (id: Sql) => sql`
    select * from poster_links l
    where l.event_id = ${id} and ${filterConditions(linkConditions, filters)} and ${earlier} ${newestFirst}`;
  // The newest links are among those of as many events, the ones whose newest link is the newest: no other event is read.
  return sql`
    select row_to_json(item)::text as item, array[iso8601(l.reported_at), l.poster_id::text, l.platform] as position
    from (
      select l.* from (
        select l.event_id from ${eventsAroundNow(caller.organizationId, { started: linkedEvents, next: linkedEvents })} v,
          lateral (${ofEvent(sql`v.id`)} limit 1) l
        ${newestFirst} limit ${limit}) newest,
        lateral (${ofEvent(sql`newest.event_id`)} limit ${limit}) l
      ${newestFirst} limit ${limit}) l
    join posters p on p.id = l.poster_id join events e on e.id = p.event_id,
    lateral (
      select l.platform, l.url, iso8601(l.reported_at) as reported_at, (select row_to_json(poster) from (
        select ${posterFields(baseUrl)}) poster) as poster) item
    order by l.reported_at desc, l.poster_id desc, l.platform desc`;
}

/** Platforms are those of the newest links of these events: enough to know where an organization posts. */
const postedEvents = { started: 200, next: 200 };
/** Of each event, this many links are looked at to find where posters are posted. */
const newestOfEvent = 20;

/** Where posters of the events around now were posted, whichever links a page has loaded. */
export async function listLinkPlatforms(db: Queryable, { organizationId }: OrganizationCaller): Promise<string[]> {
  const rows = await db.query<{ platform: string }>(sql`
    select distinct lower(l.platform) as platform from ${eventsAroundNow(organizationId, postedEvents)} v,
      lateral (
        select platform from poster_links where event_id = v.id
        order by reported_at desc, poster_id desc, platform desc limit ${newestOfEvent}) l
    order by 1 limit ${shownPlatforms}`);
  return rows.map(({ platform }) => platform);
}

/** What a page needs to show a poster p of an event e as a picture; the size is as its maker stated it. */
function posterFields(baseUrl: string): Sql {
  return sql`
    p.id, p.title, absolute_url(${baseUrl}, p.image_url) as image_url,
    absolute_url(${baseUrl}, p.thumbnail_url) as thumbnail_url, p.metadata -> 'width' as width,
    p.metadata -> 'height' as height, p.metadata ->> 'format' as format, p.metadata ->> 'alt_text' as alt_text,
    json_build_object('id', e.id, 'name', e.name) as event`;
}
