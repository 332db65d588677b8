import type { Queryable } from "../../infra/database/db.js";
import { inlined, queryNamed } from "../../infra/database/statement-names.js";
import { eventNotFound, unknownId } from "../../runner/known-ids.js";
import { drawnChoiceOf } from "./draft-rules.js";
import { type PostedUrls, type PosterFacts, stalePartsOf } from "./rules.js";
import { factsNow, type PosterRow } from "./store.js";

/** A poster as those who make it see it. */
type PosterAsset = Omit<EditablePoster, "metadata"> & {
  style: string | null;
  format: string | null;
  drawn_from: PosterFacts | null;
};

export async function listPosterAssets(
  tx: Queryable,
  eventId: string,
  baseUrl: string,
  limit: number,
): Promise<PosterAsset[]> {
  return queryNamed<PosterAsset>(tx, "list poster assets")`
    select p.id, p.title, p.published, p.sort_order, absolute_url(${baseUrl}, p.image_url) as image_url,
      absolute_url(${baseUrl}, p.thumbnail_url) as thumbnail_url, p.metadata->>'style' as style,
      p.metadata->>'format' as format, p.posted_urls, iso8601(p.created_at) as created_at, p.drawn_from
    from posters p where p.event_id = ${eventId} order by p.sort_order, p.created_at, p.id limit ${inlined(limit)}`;
}

/** How many posters an event has, and what they should show. */
export async function countPosters(tx: Queryable, eventId: string): Promise<{ count: number; facts: PosterFacts }> {
  const [row] = await queryNamed<{ count: number; facts: PosterFacts }>(tx, "count posters")`
    select (select count(*) from posters p where p.event_id = e.id) as count, ${factsNow} as facts
    from events e where e.id = ${eventId}`;
  if (row === undefined) throw eventNotFound();
  return row;
}

/** A poster as one of a list. */
export type PosterLine = { id: string | null; title: string | null; sort_order: number; published: boolean };

/** By sort order. */
export async function listPosterLines(tx: Queryable, eventId: string): Promise<PosterLine[]> {
  return queryNamed<PosterLine>(tx, "list poster lines")`
    select id, title, sort_order, published from posters where event_id = ${eventId} order by sort_order, created_at, id`;
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

export async function findNewPosters(
  tx: Queryable,
  eventId: string,
  ids: string[],
  baseUrl: string,
): Promise<NewPoster[]> {
  return queryNamed<NewPoster>(tx, "find new posters")`
    select id, absolute_url(${baseUrl}, image_url) as image_url, absolute_url(${baseUrl}, thumbnail_url) as thumbnail_url,
      title, published, sort_order, metadata->>'alt_text' as alt_text, iso8601(created_at) as created_at
    from posters where event_id = ${eventId} and id = any(${ids}::uuid[])`;
}

type PosterPublication = Pick<EditablePoster, "id" | "title" | "image_url" | "published">;

export async function getPosterPublication(
  tx: Queryable,
  eventId: string,
  id: string,
  baseUrl: string,
): Promise<PosterPublication> {
  const [row] = await queryNamed<PosterPublication>(tx, "get poster publication")`
    select id, title, absolute_url(${baseUrl}, image_url) as image_url, published
    from posters where event_id = ${eventId} and id = ${id}`;
  if (row === undefined) throw unknownId("poster", id);
  return row;
}

/** Where a poster was posted, what it shows, and what it should show. */
export type PosterUse = { posted_on: string[]; drawn_from: PosterFacts | null; facts: PosterFacts };

export async function getPosterUse(tx: Queryable, eventId: string, id: string): Promise<PosterUse> {
  const [row] = await queryNamed<PosterUse>(tx, "get poster use")`
    select array(select jsonb_object_keys(p.posted_urls) order by 1) as posted_on, p.drawn_from, ${factsNow} as facts
    from posters p join events e on e.id = p.event_id where p.event_id = ${eventId} and p.id = ${id}`;
  if (row === undefined) throw unknownId("poster", id);
  return row;
}

export async function savePosterPublication(
  tx: Queryable,
  eventId: string,
  id: string,
  published: boolean,
): Promise<void> {
  await queryNamed(tx, "save poster publication")`
    update posters set published = ${published} where event_id = ${eventId} and id = ${id}`;
}

/** Everything that a poster is, so that its record shows what was changed or removed. */
export type EditablePoster = {
  id: string;
  title: string | null;
  published: boolean;
  sort_order: number;
  metadata: Record<string, unknown>;
  posted_urls: PostedUrls | null;
  image_url: string;
  thumbnail_url: string | null;
  created_at: string;
};

export async function findEditablePoster(
  tx: Queryable,
  eventId: string,
  id: string,
  baseUrl: string,
): Promise<EditablePoster | undefined> {
  const [row] = await queryNamed<EditablePoster>(tx, "find editable poster")`
    select id, title, published, sort_order, metadata, posted_urls, absolute_url(${baseUrl}, image_url) as image_url,
      absolute_url(${baseUrl}, thumbnail_url) as thumbnail_url, iso8601(created_at) as created_at
    from posters where event_id = ${eventId} and id = ${id}`;
  return row;
}

export async function getEditablePoster(
  tx: Queryable,
  eventId: string,
  id: string,
  baseUrl: string,
): Promise<EditablePoster> {
  const poster = await findEditablePoster(tx, eventId, id, baseUrl);
  if (poster === undefined) throw unknownId("poster", id);
  return poster;
}

export async function savePoster(
  tx: Queryable,
  eventId: string,
  { id, title, sort_order, metadata }: Pick<EditablePoster, "id" | "title" | "sort_order" | "metadata">,
): Promise<void> {
  await queryNamed(tx, "save poster")`
    update posters set title = ${title}, sort_order = ${sort_order}, metadata = ${JSON.stringify(metadata)}
    where event_id = ${eventId} and id = ${id}`;
}

export async function removePoster(tx: Queryable, eventId: string, id: string): Promise<void> {
  await queryNamed(tx, "remove poster")`delete from posters where event_id = ${eventId} and id = ${id}`;
}

/** The posters of an event that show what is no longer so and that this service drew, by id in their order. */
export async function listOutdatedPosters(tx: Queryable, eventId: string, facts: PosterFacts): Promise<string[]> {
  const posters = await queryNamed<Pick<DrawnPosterRow, "id" | "metadata" | "drawn_from">>(tx, "list poster facts")`
    select id, drawn_from, jsonb_build_object('generator', metadata->'generator', 'style', metadata->'style',
      'format', metadata->'format') as metadata
    from posters where event_id = ${eventId} and drawn_from is not null order by sort_order, created_at, id`;
  return posters
    .filter(({ metadata, drawn_from }) => drawnChoiceOf(metadata) && stalePartsOf(drawn_from, facts).length > 0)
    .map(({ id }) => id);
}

/** A poster with what it is drawn again from, and where it was posted. */
export type DrawnPosterRow = Pick<
  EditablePoster,
  "id" | "title" | "published" | "metadata" | "image_url" | "thumbnail_url"
> & {
  drawn_from: PosterFacts | null;
  posted_on: string[];
};

/** In the order of the event's posters. */
export async function findPosterRows(
  tx: Queryable,
  eventId: string,
  ids: string[],
  baseUrl: string,
): Promise<DrawnPosterRow[]> {
  return queryNamed<DrawnPosterRow>(tx, "find poster rows")`
    select id, title, published, metadata, drawn_from, absolute_url(${baseUrl}, image_url) as image_url,
      absolute_url(${baseUrl}, thumbnail_url) as thumbnail_url,
      array(select jsonb_object_keys(posted_urls) order by 1) as posted_on
    from posters where event_id = ${eventId} and id = any(${ids}::uuid[]) order by sort_order, created_at, id`;
}

export async function savePictures(
  tx: Queryable,
  eventId: string,
  posters: (Omit<PosterRow, "title" | "published" | "sort_order"> & { title: string | null })[],
): Promise<void> {
  await queryNamed(tx, "save pictures")`
    update posters p set title = item.title, image_url = item.image_url, thumbnail_url = item.thumbnail_url,
      metadata = item.metadata, drawn_from = item.drawn_from
    from jsonb_to_recordset(${JSON.stringify(posters)}::jsonb) as item
      (id uuid, title text, image_url text, thumbnail_url text, metadata jsonb, drawn_from jsonb)
    where p.event_id = ${eventId} and p.id = item.id`;
}
