import sql from "sql-template-tag";
import type { Queryable } from "../../infra/database/db.js";

export type Image = { hash: string; contentType: "image/png" | "image/jpeg" | "image/webp"; bytes: Buffer };

/** Immutable images, addressed by the SHA-256 of their bytes in hex. */
export type ImageStore = {
  /** Idempotent. An image that is already stored counts as new, so that it is not removed as unused meanwhile. */
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
        on conflict (hash) do update set created_at = now()`);
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
