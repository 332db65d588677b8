import { ServiceError } from "../../platform/errors.js";
import { maximumPlatforms } from "./schema.js";
import type { PostedUrls } from "./store.js";

/** RFC 7396 by platform name: null removes, a URL adds or replaces, what is not named stays. */
export function mergePostedUrls(current: PostedUrls | null, patch: Record<string, string | null>): PostedUrls {
  const merged = new Map(Object.entries(current ?? {}));
  for (const [platform, url] of Object.entries(patch)) {
    if (url === null) merged.delete(platform);
    else merged.set(platform, url);
  }
  if (merged.size > maximumPlatforms) {
    throw new ServiceError(
      "invalid_input",
      `posted_urls: a poster keeps links of at most ${maximumPlatforms} platforms, this would make ${merged.size}; remove some with null`,
    );
  }
  return Object.fromEntries(merged);
}
