import { ServiceError } from "../../../contract/errors.js";
import type { RevertibleTable } from "../../revert/revertible-table.js";
import { maximumSpeakers } from "./rules.js";
import { closePositions, countSpeakers } from "./store.js";

export const revertibleSpeakers: RevertibleTable = {
  name: "speakers",
  noun: "speaker",
  nouns: "speakers",
  key: ["id"],
  label: ["name"],
  whole: ["name", "title", "company", "bio", "photo_url", "links", "role"],
  columns: { photo_url: "image" },
  order: { column: "position", isShown: true },
  dependents: [{ table: "segment_speakers", column: "speaker_id", noun: "segments that name the speaker" }],
  instead: { change: "update_event_speaker", add: "add_event_speaker", remove: "remove_event_speaker" },
  async check({ tx, eventId }, rows) {
    const added = rows.filter(({ now }) => now === null).length;
    if (added === 0 || eventId === undefined || (await countSpeakers(tx, eventId)) + added <= maximumSpeakers) return;
    throw new ServiceError("conflict", `An event has at most ${maximumSpeakers} speakers: remove one first`);
  },
  renumber: closePositions,
};
