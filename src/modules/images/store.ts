import { hash } from "node:crypto";
import { LRUCache } from "lru-cache";
import pLimit from "p-limit";
import sql from "sql-template-tag";
import { ServiceError } from "../../../contract/errors.js";
import { unusedPictureDays } from "../../../contract/pictures.js";
import { imagePathPattern } from "../../../contract/poster-files.js";
import { hostsOf } from "../../access/hosting.js";
import { hostedEvents } from "../../access/visibility.js";
import type { Queryable } from "../../infra/database/db.js";
import type { Content } from "../../route.js";

export type Image = { hash: string; contentType: "image/png" | "image/jpeg" | "image/webp"; bytes: Buffer };

export type SizedImage = Image & { width: number; height: number };

/** A picture as it is stored, by the hash of its bytes. */
export function imageOf({ bytes, contentType, width, height }: Omit<SizedImage, "hash">): SizedImage {
  return { hash: hash("sha256", bytes, "hex"), contentType, bytes, width, height };
}

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
      // Two may be the same: the thumbnail of a small picture is as large as the picture.
      await db.query(sql`
        insert into images (hash, content_type, bytes)
        select distinct on (1) * from unnest(
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
  return imagePathPattern.exec(path)?.[1];
}

/** The path of an address, if that is one of an image of this service. */
export function ownImagePath(address: unknown, baseUrl: string): string | undefined {
  if (typeof address !== "string" || !address.startsWith(`${baseUrl}/`)) return undefined;
  const path = address.slice(baseUrl.length);
  return hashInPath(path) === undefined ? undefined : path;
}

/** Refuses new addresses of images of this service that are not stored, or no longer. What a row has already may come back. */
export async function requireStoredImages<Fields extends object>(
  tx: Queryable,
  baseUrl: string,
  names: (keyof Fields)[],
  current: Partial<Fields>,
  input: Partial<Fields>,
): Promise<void> {
  const added = names.filter((name) => input[name] !== current[name]);
  const paths = added.flatMap((name) => ownImagePath(input[name], baseUrl) ?? []);
  if (paths.length === 0) return;
  const [missing] = await missingImages(tx, paths);
  if (missing !== undefined) throw notStored(missing);
}

/**
 * The fields as rows store them: images of this service by their path, so that they follow PUBLIC_URL. These images count as
 * new, so that they are not removed as unused before the row is there.
 */
export async function withImagePaths<Fields extends object>(
  tx: Queryable,
  baseUrl: string,
  names: (keyof Fields)[],
  fields: Fields,
): Promise<Fields> {
  const own = names.flatMap((name) => {
    const path = ownImagePath(fields[name], baseUrl);
    return path === undefined ? [] : [{ name, path }];
  });
  if (own.length === 0) return fields;
  await renewImages(
    tx,
    own.map(({ path }) => path),
  );
  return { ...fields, ...Object.fromEntries(own.map(({ name, path }) => [name, path])) };
}

/** Makes images that a row is about to show count as new, and refuses those that are not stored. */
export async function renewImages(tx: Queryable, paths: string[]): Promise<void> {
  const stored = await tx.query<PathColumns>(sql`
    update images set created_at = now() where hash = any(${paths.map(hashInPath)}) returning ${pathColumns}`);
  const [missing] = without(stored, paths);
  if (missing !== undefined) throw notStored(missing);
}

/** Those of the paths at which no image is stored. */
export async function missingImages(tx: Queryable, paths: string[]): Promise<string[]> {
  const stored = await tx.query<PathColumns>(
    sql`select ${pathColumns} from images where hash = any(${paths.map(hashInPath)})`,
  );
  return without(stored, paths);
}

type PathColumns = Pick<Image, "hash" | "contentType">;

const pathColumns = sql`hash, content_type as "contentType"`;

function without(stored: PathColumns[], paths: string[]): string[] {
  const known = new Set(stored.map(imagePath));
  return paths.filter((path) => !known.has(path));
}

export function notStored(path: string): ServiceError {
  return new ServiceError(
    "conflict",
    `This service does not store the image ${path}, or no longer: uploads that nothing shows are removed after ${unusedPictureDays} days. Nothing was changed. Upload it again`,
  );
}

/** Images are public and large: without these limits, anyone could occupy all database connections and all memory. */
export const imageReadLimits = {
  /** Fewer than the database connections of a process, because every other request needs one too. */
  concurrentReads: 4,
  waitingReads: 64,
  cacheBytes: 64 * 1024 * 1024,
};

export type ImageReadLimits = typeof imageReadLimits;

/** Finds images for the public route. Recent ones are kept in memory, and concurrent requests for one image share a read. */
export function createImageReader(store: Pick<ImageStore, "find">, limits: ImageReadLimits) {
  // Never stale: an image with this hash has no other content.
  const cache = new LRUCache<string, Image>({
    maxSize: limits.cacheBytes,
    sizeCalculation: ({ bytes }) => Math.max(1, bytes.length),
  });
  const limit = pLimit(limits.concurrentReads);
  const reading = new Map<string, Promise<Image | undefined>>();

  function read(hash: string): Promise<Image | undefined> {
    if (limit.activeCount + limit.pendingCount >= limits.concurrentReads + limits.waitingReads) throw tooBusy();
    const found = limit(() => store.find(hash)).finally(() => reading.delete(hash));
    reading.set(hash, found);
    return found;
  }

  return async (path: string): Promise<Content | undefined> => {
    const hash = hashInPath(path);
    if (hash === undefined) return undefined;
    const image = cache.get(hash) ?? (await (reading.get(hash) ?? read(hash)));
    if (image === undefined || imagePath(image) !== path) return undefined;
    cache.set(hash, image);
    return { body: image.bytes, contentType: image.contentType };
  };
}

function tooBusy(): ServiceError {
  return new ServiceError("unavailable", "Too many images are being read right now: try again in a second", {
    retryAfterSeconds: 1,
  });
}

/** The same as `requireImageQuota`, of the organization that hosts an event. */
export async function requireHostImageQuota(
  db: Queryable,
  eventId: string,
  images: Pick<Image, "hash" | "bytes">[],
  quotaBytes: number,
  replacedPosters: string[] = [],
): Promise<void> {
  const host = await findHost(db, eventId);
  if (host !== undefined) await requireImageQuota(db, host, images, quotaBytes, replacedPosters);
}

/** The organization whose quota the pictures of an event count in. */
export async function findHost(db: Queryable, eventId: string): Promise<{ id: string; name: string } | undefined> {
  const [host] = await db.query<{ id: string; name: string }>(
    sql`select h.id, h.name from ${hostsOf(sql`${eventId}`)} h where h.role = 'host'`,
  );
  return host;
}

/**
 * Refuses images that would exceed the quota of an organization. Images count that its people have uploaded, and those that
 * posters of the events it hosts refer to, each once, whoever drew them, except for posters whose images these replace. In a
 * transaction, the quota stays locked until its end, so that two changes cannot both take what is left.
 */
export async function requireImageQuota(
  db: Queryable,
  { id, name }: { id: string; name: string },
  images: Pick<Image, "hash" | "bytes">[],
  quotaBytes: number,
  replacedPosters: string[] = [],
): Promise<void> {
  await db.query(sql`select pg_advisory_xact_lock(hashtextextended(${`image quota ${id}`}, 0))`);
  const [row] = await db.query<{ used: number; known: string[] | null }>(sql`
    select coalesce(sum(octet_length(i.bytes)), 0)::bigint as used,
      array_agg(i.hash) filter (where i.hash = any(${images.map(({ hash }) => hash)})) as known
    from images i where i.hash in (
      select substring(file from '^/images/([0-9a-f]{64})[.]')
      from ${hostedEvents(id)} e join posters p on p.event_id = e.id, unnest(array[p.image_url, p.thumbnail_url]) file
      where e.role = 'host' and p.id <> all(${replacedPosters}::uuid[])
      union all
      select u.hash from image_uploads u where u.organization_id = ${id})`);
  const { used, known } = row ?? { used: 0, known: null };
  const added = images.filter(({ hash }) => !known?.includes(hash)).reduce((sum, { bytes }) => sum + bytes.length, 0);
  if (used + added > quotaBytes) throw quotaExceeded(name, used, added, quotaBytes);
}

function quotaExceeded(organization: string, used: number, added: number, quotaBytes: number): ServiceError {
  return new ServiceError(
    "conflict",
    `The images of ${organization}, its uploads and the posters of events that it hosts, may have ${megabytes(quotaBytes)} in total. They have ${megabytes(used)}, and this would add ${megabytes(added)}. Nothing was changed. Uploads that nothing has shown for ${unusedPictureDays} days are removed by themselves; the operator of this service can raise IMAGE_QUOTA_MB`,
    { details: { quota_bytes: quotaBytes, used_bytes: used, added_bytes: added } },
  );
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
