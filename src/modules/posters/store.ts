import sql, { type Sql } from "sql-template-tag";
import { z } from "zod";
import type { Caller } from "../../access/caller.js";
import { isVisible, listedRows, requireVisibleRow, visiblePosters } from "../../access/visibility.js";
import type { Queryable } from "../../platform/database/db.js";
import type { Position } from "../../platform/database/keyset-page.js";
import { nameOf } from "../../platform/database/statement-names.js";
import { uuid } from "../../schema/fields.js";
import { type Filters, type FilterValues, filterConditions } from "../../schema/filters.js";

/** The filters of poster lists. */
export const posterFilters = {
  event_id: {
    query: uuid.optional().meta({ description: "only posters of this event" }),
    condition: (id) => sql`v.event_id = ${id}`,
  },
  conference_id: {
    query: uuid.optional().meta({ description: "only posters of events of this conference" }),
    condition: (id) => sql`v.conference_id = ${id}`,
  },
  published: {
    query: z
      .enum(["true", "false"], { error: "expected true or false" })
      .transform((text) => text === "true")
      .optional()
      .meta({ type: "boolean", description: "if omitted, published and unpublished ones" }),
    condition: (published) => sql`v.published = ${published}`,
  },
} satisfies Filters;

export type PosterFilterValues = FilterValues<typeof posterFilters>;

export function selectPosters(
  caller: Caller,
  filters: PosterFilterValues,
  baseUrl: string,
  after: Position | null,
  limit: Sql,
): Sql {
  const later =
    after === null
      ? sql`true`
      : sql`(v.sort_order, v.created_at, v.id) > (${after[0]}::float8, ${after[1]}::timestamptz, ${after[2]}::uuid)`;
  // The limit makes the join a look-up by id: only the rows of the page are read.
  return sql`
    select row_to_json(item)::text as item,
      array[v.sort_order::text, iso8601(v.created_at), v.id::text] as position
    from ${visiblePosters(caller)} v, lateral (select * from posters where id = v.id limit 1) p, ${posterItem(baseUrl)}
    where ${filterConditions(posterFilters, filters)} and ${later}
    order by v.sort_order, v.created_at, v.id limit ${limit}`;
}

/** The poster as JSON text. */
export async function getPoster(db: Queryable, caller: Caller, id: string, baseUrl: string): Promise<string> {
  const statement = selectPoster(caller, id, baseUrl);
  const [row] = await db.query<{ item: string; visible: boolean }>(statement, nameOf("get poster", statement));
  return requireVisibleRow("poster", row).item;
}

export function selectPoster(caller: Caller, id: string, baseUrl: string): Sql {
  return sql`
    select row_to_json(item)::text as item, ${isVisible("poster", caller, sql`p.id`)} as visible
    from ${listedRows("poster")} p, ${posterItem(baseUrl)} where p.id = ${id}`;
}

export type PostedUrls = Record<string, string>;

export type LockedPoster = { event_id: string; posted_urls: PostedUrls | null; item: string };

/** Reads the poster, also as the JSON text that `getPoster` returns, and locks it until the transaction ends. */
export async function lockPoster(tx: Queryable, caller: Caller, id: string, baseUrl: string): Promise<LockedPoster> {
  const [row] = await tx.query<LockedPoster & { visible: boolean }>(sql`
    select p.event_id, p.posted_urls, row_to_json(item)::text as item, ${isVisible("poster", caller, sql`p.id`)} as visible
    from ${listedRows("poster")} p, ${posterItem(baseUrl)} where p.id = ${id}
    for no key update of p`);
  return requireVisibleRow("poster", row);
}

export async function savePostedUrls(
  tx: Queryable,
  id: string,
  postedUrls: PostedUrls | null,
  baseUrl: string,
): Promise<string> {
  const [row] = await tx.query<{ item: string }>(sql`
    with p as (update posters set posted_urls = ${JSON.stringify(postedUrls)} where id = ${id} returning *)
    select row_to_json(item)::text as item from p, ${posterItem(baseUrl)}`);
  if (row === undefined) throw new Error("updating a locked poster returned no row");
  return row.item;
}

/** The response fields of a row `p`. */
function posterItem(baseUrl: string): Sql {
  return sql`lateral (
    select p.id, p.event_id, p.conference_id, absolute_url(${baseUrl}, p.image_url) as image_url,
      absolute_url(${baseUrl}, p.thumbnail_url) as thumbnail_url, p.title, p.published, p.sort_order, p.metadata,
      p.posted_urls, iso8601(p.created_at) as created_at) item`;
}
