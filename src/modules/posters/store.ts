import sql, { empty, raw, type Sql } from "sql-template-tag";
import { platformNameOf, type posterFilters } from "../../../contract/schema/posters.js";
import type { Caller } from "../../access/caller.js";
import { isVisible, listedRows, requireVisibleRow, visiblePosters } from "../../access/visibility.js";
import type { Queryable } from "../../infra/database/db.js";
import { comesAfter, type Position } from "../../infra/database/keyset-page.js";
import { type ReadPoint, readPointColumns } from "../../infra/database/read-point.js";
import { inlined, queryNamed } from "../../infra/database/statement-names.js";
import { eventNotFound } from "../../runner/known-ids.js";
import { type Conditions, type FilterValues, filterConditions } from "../../schema/filters.js";
import type { PostedUrls, PosterFacts } from "./rules.js";

const conditions: Conditions<typeof posterFilters> = {
  event_id: (id) => sql`v.event_id = ${id}`,
  conference_id: (id) => sql`v.conference_id = ${id}`,
  published: (published) => sql`v.published = ${published}`,
};

export type PosterFilterValues = FilterValues<typeof posterFilters>;

export function selectPosters(
  caller: Caller,
  filters: PosterFilterValues,
  baseUrl: string,
  after: Position | null,
  limit: Sql,
): Sql {
  // The limit makes the join a look-up by id: only the rows of the page are read.
  return sql`
    select row_to_json(item)::text as item, ${position("v")}
    from ${visiblePosters(caller)} v, lateral (select * from posters where id = v.id limit 1) p,
      ${posterItem(baseUrl)}
    where ${filterConditions(conditions, filters)} and ${comesLater("v", after)}
    order by ${listOrder("v")} limit ${limit}`;
}

/**
 * The posters of an event that the caller hosts, with what they were drawn from. An event that is proposed or cancelled has
 * them too, although no list shows it.
 */
export function selectEventPosters(eventId: string, baseUrl: string, after: Position | null, limit: Sql): Sql {
  return sql`
    select row_to_json(item)::text as item, ${position("p")}
    from posters p, ${posterItem(baseUrl, sql`, p.drawn_from`)}
    where p.event_id = ${eventId} and ${comesLater("p", after)}
    order by ${listOrder("p")} limit ${limit}`;
}

const listOrder = (row: string): Sql => raw(`${row}.sort_order, ${row}.created_at, ${row}.id`);

const position = (row: string): Sql =>
  raw(`array[${row}.sort_order::text, iso8601(${row}.created_at), ${row}.id::text] as position`);

const comesLater = (row: string, after: Position | null): Sql =>
  comesAfter(listOrder(row), after, ["float8", "timestamptz", "uuid"]);

/** The poster as JSON text, and when it was read. */
export async function getPoster(
  db: Queryable,
  caller: Caller,
  id: string,
  baseUrl: string,
): Promise<{ item: string; readAt: ReadPoint }> {
  const statement = selectPoster(caller, id, baseUrl);
  const [row] = await queryNamed<{ item: string; visible: boolean } & ReadPoint>(db, "get poster")`${statement}`;
  const { item, server, snapshot } = requireVisibleRow("poster", row);
  return { item, readAt: { server, snapshot } };
}

export function selectPoster(caller: Caller, id: string, baseUrl: string): Sql {
  return sql`
    select row_to_json(item)::text as item, ${isVisible("poster", caller, sql`p.id`)} as visible,
      ${readPointColumns}
    from ${listedRows("poster")} p, ${posterItem(baseUrl)} where p.id = ${id}`;
}

export type LockedPoster = { event_id: string; title: string | null; posted_urls: PostedUrls | null; item: string };

/** Reads the poster, also as the JSON text that `getPoster` returns, and locks it until the transaction ends. */
export async function lockPoster(tx: Queryable, caller: Caller, id: string, baseUrl: string): Promise<LockedPoster> {
  const statement = selectLockedPoster(caller, id, baseUrl);
  const [row] = await queryNamed<LockedPoster & { visible: boolean }>(tx, "lock poster")`${statement}`;
  return requireVisibleRow("poster", row);
}

export function selectLockedPoster(caller: Caller, id: string, baseUrl: string): Sql {
  return sql`
    select p.event_id, p.title, p.posted_urls, row_to_json(item)::text as item, ${isVisible("poster", caller, sql`p.id`)} as visible
    from ${listedRows("poster")} p, ${posterItem(baseUrl)} where p.id = ${id}
    for no key update of p`;
}

export async function savePostedUrls(
  tx: Queryable,
  id: string,
  postedUrls: PostedUrls | null,
  baseUrl: string,
): Promise<string> {
  const [row] = await queryNamed<{ item: string }>(tx, "save posted urls")`
      with p as (update posters set posted_urls = ${postedUrls && JSON.stringify(postedUrls)} where id = ${id} returning *)
      select row_to_json(item)::text as item from p, ${posterItem(baseUrl)}`;
  if (row === undefined) throw new Error("updating a locked poster returned no row");
  return row.item;
}

/** The response fields of a row `p`. */
function posterItem(baseUrl: string, more: Sql = empty): Sql {
  return sql`lateral (
    select p.id, p.event_id, p.conference_id, absolute_url(${baseUrl}, p.image_url) as image_url,
      absolute_url(${baseUrl}, p.thumbnail_url) as thumbnail_url, p.title, p.published, p.sort_order, p.metadata,
      p.posted_urls, iso8601(p.created_at) as created_at${more}) item`;
}

/** Whether a link l is one on this platform. */
export function isPlatform(name: string): Sql {
  return sql`lower(l.platform) = lower(${platformNameOf(name)})`;
}

/**
 * Whether the poster was posted: on the platform, or anywhere. "offset 0" keeps the check one look-up per poster: as a join, it
 * would read the links of all organizations.
 */
export function isPosted(posterId: Sql, platform?: string): Sql {
  const onPlatform = platform === undefined ? empty : sql`and ${isPlatform(platform)}`;
  return sql`exists (select from poster_links l where l.poster_id = ${posterId} ${onPlatform} offset 0)`;
}

/** How many posters of an event are drafts, published, and published but not posted on the platform, or anywhere. */
export function posterCounts(eventId: Sql, platform?: string): Sql {
  return sql`lateral (
    select count(*) filter (where p.published)::int as published,
      count(*) filter (where not p.published)::int as drafts,
      count(*) filter (where p.published and not ${isPosted(sql`p.id`, platform)})::int as unposted
    from posters p where p.event_id = ${eventId})`;
}

/** What posters of a row e of events show now, as JSON. */
export const factsNow: Sql = sql`json_build_object(
  'name', e.name, 'start_time', iso8601(e.start_time), 'end_time', iso8601(e.end_time), 'timezone', e.timezone,
  'venue', e.venue, 'city', (select c.city from conferences c where c.id = e.conference_id),
  'speakers', (
    select coalesce(json_agg(json_build_object('id', s.id, 'name', s.name)), '[]') from speakers s where s.event_id = e.id))`;

export async function getPosterFacts(tx: Queryable, eventId: string): Promise<PosterFacts> {
  const [row] = await queryNamed<{ facts: PosterFacts }>(tx, "get poster facts")`
    select ${factsNow} as facts from events e where e.id = ${eventId}`;
  if (row === undefined) throw eventNotFound();
  return row.facts;
}

/** `speakers` is what the metadata says, which may be anything. */
export type PublishedPoster = { title: string | null; drawn_from: PosterFacts | null; speakers: unknown };

/** What an event's posters show now, and what those show that are published. */
export type PostersOfEvent = { facts: PosterFacts; published: PublishedPoster[] };

const checkedPosters = 200;

export async function getPublishedPosters(tx: Queryable, eventId: string): Promise<PostersOfEvent> {
  const [row] = await queryNamed<PostersOfEvent>(tx, "get published posters")`
    select ${factsNow} as facts, (
      select coalesce(json_agg(p order by p.sort_order, p.created_at, p.id), '[]') from (
        select p.title, p.drawn_from, p.metadata -> 'speakers' as speakers, p.sort_order, p.created_at, p.id from posters p
        where p.event_id = e.id and p.published
        order by p.sort_order, p.created_at, p.id limit ${inlined(checkedPosters)}) p) as published
    from events e where e.id = ${eventId}`;
  if (row === undefined) throw eventNotFound();
  return row;
}

export type PosterRow = {
  id: string;
  title: string;
  image_url: string;
  thumbnail_url: string;
  published: boolean;
  sort_order: number;
  metadata: Record<string, unknown>;
  /** Null if it is not known what the poster shows. */
  drawn_from: PosterFacts | null;
};

export async function addPosters(tx: Queryable, eventId: string, posters: PosterRow[]): Promise<void> {
  await queryNamed(tx, "add posters")`
    insert into posters (id, event_id, image_url, thumbnail_url, title, published, sort_order, metadata, drawn_from)
    select item.id, ${eventId}, item.image_url, item.thumbnail_url, item.title, item.published, item.sort_order, item.metadata,
      item.drawn_from
    from jsonb_to_recordset(${JSON.stringify(posters)}::jsonb) as item
      (id uuid, image_url text, thumbnail_url text, title text, published boolean, sort_order float8, metadata jsonb, drawn_from jsonb)`;
}
