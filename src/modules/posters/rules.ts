import { fieldError } from "../../platform/errors.js";
import { maximumPlatforms } from "./schema.js";
import type { PostedUrls } from "./store.js";

/**
 * RFC 7396 by platform name: null removes, a URL adds or replaces, what is not named stays. No links at all (null) stay
 * null if the patch adds none.
 */
export function mergePostedUrls(current: PostedUrls | null, patch: Record<string, string | null>): PostedUrls | null {
  if (current === null && Object.values(patch).every((url) => url === null)) return null;
  const merged = new Map(Object.entries(current ?? {}));
  for (const [platform, url] of Object.entries(patch)) {
    if (url === null) merged.delete(platform);
    else merged.set(platform, url);
  }
  if (merged.size > maximumPlatforms) {
    throw fieldError(
      "posted_urls",
      `a poster keeps links of at most ${maximumPlatforms} platforms, this would make ${merged.size}; remove some with null`,
    );
  }
  return Object.fromEntries(merged);
}
