import sql from "sql-template-tag";
import { unusedPictureDays } from "../../../contract/pictures.js";
import type { Actor } from "../../access/caller.js";
import type { Database, Queryable } from "../../infra/database/db.js";
import { pruneRegularly } from "../../infra/database/prune-regularly.js";
import type { Log } from "../../infra/observability/log.js";
import { recordedChange } from "../../records/recorded-change.js";

/** The hashes that rows refer to, `own` by a path rather than by the public URL of the image. */
const used = sql`
  select substring(path from '/images/([0-9a-f]{64})\\.') as hash, path like '/images/%' as own from (
    select unnest(array[image_url, thumbnail_url]) as path from posters
    union all select unnest(array[logo_url, logo_dark_url]) from organizations
    union all select banner_thumbnail_url from conferences
    union all select tile_image_url from events
    union all select photo_url from speakers) paths
  where path ~ '/images/[0-9a-f]{64}\\.'`;

/** How many stored images no row refers to, and how many rows refer to an image that is not stored. */
export async function countImageProblems(db: Queryable): Promise<{ unused: number; missing: number }> {
  const [row] = await db.query<{ unused: number; missing: number }>(sql`
    with used as (${used})
    select
      (select count(*) from images i where not exists (select from used where used.hash = i.hash))::int as unused,
      (select count(*) from used where own and not exists (select from images i where i.hash = used.hash))::int as missing`);
  return row ?? { unused: 0, missing: 0 };
}

/** An image of which no row knows, and which nobody has stored and no row has shown recently. */
const isRemovable = sql`
  created_at < now() - ${unusedPictureDays}::int * interval '1 day'
  and not exists (select from (${used}) used where used.hash = i.hash)`;

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
 * Removes images that no row has referred to, in batches that are recorded by themselves. Storing an image again renews its
 * time under a lock: a removal that meets it keeps the image, and after a removal it is stored anew.
 */
export async function removeUnusedImages(db: Database, actor: Actor): Promise<ImageTotals> {
  const total: ImageTotals = { images: 0, bytes: 0 };
  for (;;) {
    const { result } = await recordedChange(db, actor, async (tx) => {
      const removed = await tx.query<{ hash: string; bytes: number }>(sql`
        delete from images i
        where hash in (select hash from images i where ${isRemovable} order by hash limit ${batchSize}) and ${isRemovable}
        returning hash, octet_length(bytes) as bytes`);
      const request = { unused_for_days: unusedPictureDays };
      const result = {
        hashes: removed.map(({ hash }) => hash),
        bytes: removed.reduce((sum, { bytes }) => sum + bytes, 0),
      };
      return { result, record: removed.length === 0 ? null : { tool: "svc:images-prune", request, result } };
    });
    if (result.hashes.length === 0) return total;
    total.images += result.hashes.length;
    total.bytes += result.bytes;
  }
}

const removeEveryMs = 3_600_000;

/** Removes expired uploads from time to time, so that they no longer count in the quotas of organizations. */
export function startRemovingUploads(db: Queryable, log: Log): { close(): void } {
  return pruneRegularly(
    async () => {
      const { images, bytes } = await removeExpiredUploads(db);
      if (images > 0) log.info({ images, bytes }, "removed uploads that nothing shows");
    },
    { everyMs: removeEveryMs, what: "uploads that nothing shows", log },
  );
}

/** Removes one batch of uploads that can be removed. Of many processes, one does it; another one finds nothing to do. */
export async function removeExpiredUploads(db: Queryable): Promise<ImageTotals> {
  const removed = await db.query<{ bytes: number }>(
    sql`
      with turn as materialized (select pg_try_advisory_xact_lock(hashtextextended('expired uploads', 0)) as is_ours)
      delete from images i
      where (select is_ours from turn) and ${isRemovable} and hash in (
        select i.hash from images i
        where i.hash in (select hash from image_uploads) and ${isRemovable} order by i.created_at, i.hash limit ${batchSize})
      returning octet_length(bytes) as bytes`,
    "remove expired uploads",
  );
  return { images: removed.length, bytes: removed.reduce((sum, { bytes }) => sum + bytes, 0) };
}
