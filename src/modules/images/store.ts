import sql from "sql-template-tag";
import type { Queryable } from "../../platform/database/db.js";

export type Image = { hash: string; contentType: "image/png" | "image/jpeg" | "image/webp"; bytes: Buffer };

/** Immutable images, addressed by the SHA-256 of their bytes in hex. */
export type ImageStore = {
  /** Idempotent. */
  save(images: Image[]): Promise<void>;
  find(hash: string): Promise<Image | undefined>;
};

/** Images are kept in the database, so that every process serves them and backups contain them. */
export function imageStore(db: Queryable): ImageStore {
  return {
    async save(images) {
      await db.query(sql`
        insert into images (hash, content_type, bytes)
        select * from unnest(
          ${images.map((image) => image.hash)}::text[],
          ${images.map((image) => image.contentType)}::text[],
          ${images.map((image) => image.bytes)}::bytea[])
        on conflict (hash) do nothing`);
    },
    async find(hash) {
      const [image] = await db.query<Image>(
        sql`select hash, content_type as "contentType", bytes from images where hash = ${hash}`,
      );
      return image;
    },
  };
}

const extensions = { "image/png": "png", "image/jpeg": "jpg", "image/webp": "webp" } as const;

/** The path at which the service serves the image; see absolute_url in 0001_foundation.sql. */
export function imagePath(image: Pick<Image, "hash" | "contentType">): string {
  return `/images/${image.hash}.${extensions[image.contentType]}`;
}

/** The hash in a path made by `imagePath`; undefined for other paths. */
export function hashInPath(path: string): string | undefined {
  return /^\/images\/([0-9a-f]{64})\.\w+$/.exec(path)?.[1];
}

/** How many stored images no row refers to, and how many rows refer to an image that is not stored. */
export async function countImageProblems(db: Queryable): Promise<{ orphaned: number; missing: number }> {
  const [row] = await db.query<{ orphaned: number; missing: number }>(sql`
    with used as (
      select substring(path from '^/images/([0-9a-f]{64})\\.') as hash from (
        select unnest(array[image_url, thumbnail_url]) as path from posters
        union all select unnest(array[logo_url, logo_dark_url]) from organizations
        union all select banner_thumbnail_url from conferences
        union all select tile_image_url from events
        union all select photo_url from speakers) paths
      where path like '/images/%')
    select
      (select count(*) from images i where not exists (select from used where used.hash = i.hash))::int as orphaned,
      (select count(*) from used where not exists (select from images i where i.hash = used.hash))::int as missing`);
  return row ?? { orphaned: 0, missing: 0 };
}
