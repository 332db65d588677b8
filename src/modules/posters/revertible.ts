import { isEqual, type RevertibleTable, type Row } from "../../revert/revertible-table.js";
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
    picture: "redraw_event_posters or generate_event_poster_draft",
  },
  /** Images that come back are stored, or the revert is refused before; they need room in the host's quota. */
  async check({ tx, eventId, imageQuotaBytes }, rows) {
    const pathsOf = (row: Row | null) => [row?.image_url, row?.thumbnail_url];
    const shown = rows.filter(({ now, earlier }) => earlier !== null && !isEqual(pathsOf(now), pathsOf(earlier)));
    if (shown.length === 0 || eventId === undefined) return;
    const paths = shown.flatMap(({ earlier }) => pathsOf(earlier));
    const hashes = [...new Set(paths.flatMap((path) => (typeof path === "string" ? (hashInPath(path) ?? []) : [])))];
    const images = await Promise.all(hashes.map((hash) => imageStore(tx).find(hash)));
    const found = images.filter((image) => image !== undefined);
    const replaced = shown.map(({ earlier }) => String(earlier?.id));
    await requireHostImageQuota(tx, eventId, found, imageQuotaBytes, replaced);
  },
};
