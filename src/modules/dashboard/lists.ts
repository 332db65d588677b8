import sql, { type Sql } from "sql-template-tag";
import type { dashboardPosterFilters, linkFilters, PosterState } from "../../../contract/console/organization.js";
import type { OrganizationCaller } from "../../access/caller.js";
import { eventsAroundNow, visiblePosters } from "../../access/visibility.js";
import type { Queryable } from "../../infra/database/db.js";
import { comesAfterIn, type Position } from "../../infra/database/keyset-page.js";
import { type Conditions, type FilterValues, filterConditions } from "../../schema/filters.js";
import { factsNow, isPlatform, isPosted } from "../posters/store.js";

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
  const earlier = comesAfterIn("desc", sql`v.created_at, v.id`, after);
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
  const place = sql`l.reported_at, l.poster_id, l.platform`;
  const earlier = comesAfterIn("desc", place, after, ["timestamptz", "uuid", "text"]);
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
