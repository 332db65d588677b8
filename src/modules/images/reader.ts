import { LRUCache } from "lru-cache";
import pLimit from "p-limit";
import { ServiceError } from "../../../contract/errors.js";
import type { Content } from "../../route.js";
import { hashInPath, type Image, type ImageStore, imagePath } from "./store.js";

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
