import { ServiceError } from "../../../contract/errors.js";
import type { RevertibleTable } from "../../revert/revertible-table.js";
import { hashInPath, imageStore, requireHostImageQuota } from "../images/store.js";

export const revertiblePosters: RevertibleTable = {
  name: "posters",
  noun: "poster",
  nouns: "posters",
  key: ["id"],
  label: ["title"],
  whole: ["title", "published", "sort_order", "image_url", "thumbnail_url", "created_at"],
  columns: { created_at: "timestamp", image_url: "image", thumbnail_url: "image" },
  instead: {
    change: "update_event_poster or set_event_poster_publication",
    add: "generate_event_poster_draft",
    remove: "remove_event_poster",
  },
  /** A poster that comes back needs its images, which may have been removed as unused, and room for them. */
  async check({ tx, eventId, imageQuotaBytes }, rows) {
    const added = rows.filter(({ now }) => now === null);
    if (added.length === 0 || eventId === undefined) return;
    const paths = added.flatMap(({ earlier }) => [earlier?.image_url, earlier?.thumbnail_url]);
    const hashes = [...new Set(paths.flatMap((path) => (typeof path === "string" ? (hashInPath(path) ?? []) : [])))];
    const images = await Promise.all(hashes.map((hash) => imageStore(tx).find(hash)));
    const found = images.filter((image) => image !== undefined);
    if (found.length < hashes.length) {
      throw new ServiceError(
        "conflict",
        "Cannot revert, because the image of the poster was removed since. Nothing was reverted. Draw it again with generate_event_poster_draft",
      );
    }
    await requireHostImageQuota(tx, eventId, found, imageQuotaBytes);
  },
};
