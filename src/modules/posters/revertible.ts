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
  /** Its images are stored, or the revert is refused before; they need room in the host's quota again. */
  async check({ tx, eventId, imageQuotaBytes }, rows) {
    const added = rows.filter(({ now }) => now === null);
    if (added.length === 0 || eventId === undefined) return;
    const paths = added.flatMap(({ earlier }) => [earlier?.image_url, earlier?.thumbnail_url]);
    const hashes = [...new Set(paths.flatMap((path) => (typeof path === "string" ? (hashInPath(path) ?? []) : [])))];
    const images = await Promise.all(hashes.map((hash) => imageStore(tx).find(hash)));
    const found = images.filter((image) => image !== undefined);
    await requireHostImageQuota(tx, eventId, found, imageQuotaBytes);
  },
};
