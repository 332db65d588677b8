import sql from "sql-template-tag";
import type { Queryable } from "../../platform/db.js";

export type Image = { hash: string; contentType: "image/png" | "image/jpeg" | "image/webp"; bytes: Buffer };

/** Images by their content's hash. They live in the database, so that every process serves them. */
export async function saveImages(db: Queryable, images: Image[]): Promise<void> {
  await db.query(sql`
    insert into images (hash, content_type, bytes)
    select * from unnest(
      ${images.map((image) => image.hash)}::text[],
      ${images.map((image) => image.contentType)}::text[],
      ${images.map((image) => image.bytes)}::bytea[])
    on conflict (hash) do nothing`);
}

export async function findImage(db: Queryable, hash: string): Promise<Image | undefined> {
  const [image] = await db.query<Image>(
    sql`select hash, content_type as "contentType", bytes from images where hash = ${hash}`,
  );
  return image;
}

const extensions = { "image/png": "png", "image/jpeg": "jpg", "image/webp": "webp" } as const;

/** The path under which the service serves the image; see absolute_url in 0001_foundation.sql. */
export function imagePath(image: Pick<Image, "hash" | "contentType">): string {
  return `/images/${image.hash}.${extensions[image.contentType]}`;
}
