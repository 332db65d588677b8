import sql from "sql-template-tag";
import type { Queryable } from "../../platform/database/db.js";
import { ServiceError } from "../../platform/errors.js";
import type { PostedUrls } from "./store.js";

/** A poster as those who make it see it. */
export type PosterAsset = {
  id: string;
  title: string | null;
  published: boolean;
  sort_order: number;
  image_url: string;
  thumbnail_url: string | null;
  style: string | null;
  format: string | null;
  posted_urls: PostedUrls | null;
  created_at: string;
};

export async function listPosterAssets(
  tx: Queryable,
  eventId: string,
  baseUrl: string,
  limit: number,
): Promise<PosterAsset[]> {
  return tx.query<PosterAsset>(sql`
    select p.id, p.title, p.published, p.sort_order, absolute_url(${baseUrl}, p.image_url) as image_url,
      absolute_url(${baseUrl}, p.thumbnail_url) as thumbnail_url, p.metadata->>'style' as style,
      p.metadata->>'format' as format, p.posted_urls, iso8601(p.created_at) as created_at
    from posters p where p.event_id = ${eventId} order by p.sort_order, p.created_at, p.id limit ${limit}`);
}

export async function countPosters(tx: Queryable, eventId: string): Promise<number> {
  const [row] = await tx.query<{ count: number }>(
    sql`select count(*) as count from posters where event_id = ${eventId}`,
  );
  return row?.count ?? 0;
}

/** The highest sort order of an event's other posters; null if there are none. */
export async function findLastSortOrder(tx: Queryable, eventId: string, except: string): Promise<number | null> {
  const [row] = await tx.query<{ last: number | null }>(sql`
    select max(sort_order) as last from posters where event_id = ${eventId} and id <> ${except}`);
  return row?.last ?? null;
}

export type NewPoster = {
  id: string;
  image_url: string;
  thumbnail_url: string;
  title: string;
  published: boolean;
  sort_order: number;
  /** The rest of the metadata is derived from the poster job. */
  alt_text: string;
  created_at: string;
};

export async function findNewPoster(
  tx: Queryable,
  eventId: string,
  id: string,
  baseUrl: string,
): Promise<NewPoster | undefined> {
  const [row] = await tx.query<NewPoster>(sql`
    select id, absolute_url(${baseUrl}, image_url) as image_url, absolute_url(${baseUrl}, thumbnail_url) as thumbnail_url,
      title, published, sort_order, metadata->>'alt_text' as alt_text, iso8601(created_at) as created_at
    from posters where event_id = ${eventId} and id = ${id}`);
  return row;
}

export async function addPoster(
  tx: Queryable,
  eventId: string,
  poster: Omit<NewPoster, "created_at" | "published" | "alt_text">,
  metadata: Record<string, unknown>,
): Promise<void> {
  await tx.query(sql`
    insert into posters (id, event_id, image_url, thumbnail_url, title, published, sort_order, metadata)
    values (
      ${poster.id}, ${eventId}, ${poster.image_url}, ${poster.thumbnail_url}, ${poster.title}, false,
      ${poster.sort_order}, ${JSON.stringify(metadata)})`);
}

export type PosterPublication = { id: string; title: string | null; image_url: string; published: boolean };

export async function getPosterPublication(
  tx: Queryable,
  eventId: string,
  id: string,
  baseUrl: string,
): Promise<PosterPublication> {
  const [row] = await tx.query<PosterPublication>(sql`
    select id, title, absolute_url(${baseUrl}, image_url) as image_url, published
    from posters where event_id = ${eventId} and id = ${id}`);
  if (row === undefined) {
    throw new ServiceError("not_found", "No poster of this event has that id: get_event_asset_workspace lists them");
  }
  return row;
}

export async function savePosterPublication(
  tx: Queryable,
  eventId: string,
  id: string,
  published: boolean,
): Promise<void> {
  await tx.query(sql`update posters set published = ${published} where event_id = ${eventId} and id = ${id}`);
}
