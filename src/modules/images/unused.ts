import sql from "sql-template-tag";
import { unusedPictureDays } from "../../../contract/pictures.js";
import type { Actor } from "../../access/caller.js";
import type { Database, Queryable } from "../../infra/database/db.js";
import { pruneRegularly } from "../../infra/database/prune-regularly.js";
import type { Log } from "../../infra/observability/log.js";
import { recordedChange } from "../../records/recorded-change.js";

/**
 * The hashes that rows refer to, `own` by a path rather than by the public URL of the image. Every row with a picture is read, so
 * nothing that takes longer than comparing texts.
 */
const used = sql`
  select left(split_part(path, '/images/', 2), 64) as hash, path like '/images/%' as own from (
    select unnest(array[image_url, thumbnail_url]) as path from posters
    union all select unnest(array[logo_url, logo_dark_url]) from organizations
    union all select banner_thumbnail_url from conferences
    union all select tile_image_url from events
    union all select photo_url from speakers) paths
  where path like '%/images/%'`;

/** How many stored images no row refers to, and how many rows refer to an image that is not stored. */
export async function countImageProblems(db: Queryable): Promise<{ unused: number; missing: number }> {
  const [row] = await db.query<{ unused: number; missing: number }>(sql`
    with used as (${used})
    select
      (select count(*) from images i where not exists (select from used where used.hash = i.hash))::int as unused,
      (select count(*) from used where own and not exists (select from images i where i.hash = used.hash))::int as missing`);
  return row ?? { unused: 0, missing: 0 };
}

/** Nobody has stored it and no row has begun or ended to show it recently. */
const isExpired = sql`created_at < now() - ${unusedPictureDays}::int * interval '1 day'`;

const isRemovable = sql`${isExpired} and not exists (select from (${used}) used where used.hash = i.hash)`;

export type ImageTotals = { images: number; bytes: number };

export async function countRemovableImages(db: Queryable): Promise<ImageTotals> {
  const [row] = await db.query<ImageTotals>(sql`
    select count(*)::int as images, coalesce(sum(octet_length(bytes)), 0)::bigint as bytes from images i
    where ${isRemovable}`);
  return row ?? { images: 0, bytes: 0 };
}

/** Few enough that requests to the embedded database do not notice. */
const batchSize = 100;

/**
 * Whoever stores or shows an image that was found to be unused renews it under a lock: a removal that meets that keeps the
 * image, and after a removal it is stored anew.
 */
async function removeExpired(tx: Queryable, hashes: string[]): Promise<{ hashes: string[]; bytes: number }> {
  const removed = await tx.query<{ hash: string; bytes: number }>(sql`
    delete from images where hash = any(${hashes}) and ${isExpired} returning hash, octet_length(bytes) as bytes`);
  return {
    hashes: removed.map(({ hash }) => hash),
    bytes: removed.reduce((sum, { bytes }) => sum + bytes, 0),
  };
}

/** Removes images that no row has referred to, in batches that are recorded by themselves. */
export async function removeUnusedImages(db: Database, actor: Actor): Promise<ImageTotals> {
  const total: ImageTotals = { images: 0, bytes: 0 };
  const unused = await db.query<{ hash: string }>(sql`select hash from images i where ${isRemovable} order by hash`);
  const hashes = unused.map(({ hash }) => hash);
  for (let first = 0; first < hashes.length; first += batchSize) {
    const { result } = await recordedChange(db, actor, async (tx) => {
      const result = await removeExpired(tx, hashes.slice(first, first + batchSize));
      const request = { unused_for_days: unusedPictureDays };
      return { result, record: result.hashes.length === 0 ? null : { tool: "svc:images-prune", request, result } };
    });
    total.images += result.hashes.length;
    total.bytes += result.bytes;
  }
  return total;
}

const removeEveryMs = 3_600_000;

/** Removes expired uploads from time to time, so that they no longer count in the quotas of organizations. */
export function startRemovingUploads(db: Pick<Database, "query" | "changes">, log: Log): { close(): void } {
  return pruneRegularly(
    async () => {
      const { images, bytes } = await removeExpiredUploads(db);
      if (images > 0) log.info({ images, bytes }, "removed uploads that nothing shows");
    },
    { everyMs: removeEveryMs, what: "uploads that nothing shows", log },
  );
}

/**
 * Removes uploads of one batch that nothing shows, and renews the others, whose turn comes again when they expire: rows are looked
 * through only where an upload has expired. Processes that do this at the same time find the same batch, and remove it once.
 */
export async function removeExpiredUploads({
  query,
  changes,
}: Pick<Database, "query" | "changes">): Promise<ImageTotals> {
  const expired = await query<{ hash: string }>(sql`
    select hash from images where ${isExpired} and hash in (select hash from image_uploads)
    order by created_at, hash limit ${batchSize}`);
  if (expired.length === 0) return { images: 0, bytes: 0 };
  const hashes = expired.map(({ hash }) => hash);
  const found = await query<{ hash: string }>(sql`
    select distinct hash from (${used}) used where hash = any(${hashes})`);
  const shown = new Set(found.map(({ hash }) => hash));
  await changes.query(sql`
    update images set created_at = now() where ${isExpired} and hash = any(${[...shown]})`);
  const removed = await removeExpired(
    changes,
    hashes.filter((hash) => !shown.has(hash)),
  );
  return { images: removed.hashes.length, bytes: removed.bytes };
}
