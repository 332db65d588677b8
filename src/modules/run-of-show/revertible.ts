import sql from "sql-template-tag";
import { ServiceError } from "../../../contract/errors.js";
import { maximumSegments } from "../../../contract/run-of-show.js";
import type { RevertibleTable } from "../../revert/revertible-table.js";
import { getPublication, renumber } from "./store.js";

export const revertibleSegments: RevertibleTable = {
  name: "segments",
  noun: "segment",
  nouns: "segments",
  key: ["id"],
  label: ["title"],
  whole: ["title", "kind", "start_time", "duration_minutes", "location", "notes"],
  columns: { start_time: "timestamp" },
  // Segments are ordered by start time.
  order: { column: "position", isShown: false },
  dependents: [{ table: "segment_speakers", column: "segment_id", noun: "speakers" }],
  instead: { change: "update_event_segment", add: "create_event_segment", remove: "remove_event_segment" },
  async check({ tx, eventId }, rows) {
    const added = rows.filter(({ now }) => now === null).length;
    if (added === 0 || eventId === undefined) return;
    const { segment_count: existing } = await getPublication(tx, eventId);
    if (existing + added <= maximumSegments) return;
    throw new ServiceError("conflict", `A run of show has at most ${maximumSegments} segments: remove some first`);
  },
  renumber: (tx, eventId) => renumber(tx, eventId),
};

export const revertibleSegmentSpeakers: RevertibleTable = {
  name: "segment_speakers",
  noun: "speaker_of_segment",
  nouns: "speakers_of_segments",
  key: ["segment_id", "speaker_id"],
  label: [],
  whole: [],
  order: { column: "position", isShown: true },
  list: { column: "segment_id", memberColumn: "speaker_id", members: "speakers of the segment" },
  parents: [
    { column: "segment_id", table: "segments", noun: "the segment" },
    { column: "speaker_id", table: "speakers", noun: "the speaker" },
  ],
  instead: { change: "update_event_segment", add: "update_event_segment", remove: "update_event_segment" },
  async findLabels(tx, rows, changed) {
    const labels = await tx.query<{
      segment_id: string;
      speaker_id: string;
      title: string | null;
      name: string | null;
    }>(
      sql`
      select wanted.segment_id, wanted.speaker_id, g.title, s.name
      from unnest(${rows.map((row) => row.segment_id)}::uuid[], ${rows.map((row) => row.speaker_id)}::uuid[])
        wanted (segment_id, speaker_id)
      left join segments g on g.id = wanted.segment_id left join speakers s on s.id = wanted.speaker_id`,
    );
    return new Map(
      labels.map(({ segment_id, speaker_id, title, name }) => [
        `${segment_id} ${speaker_id}`,
        {
          segment: title ?? changed("segments", segment_id)?.title ?? null,
          speaker: name ?? changed("speakers", speaker_id)?.name ?? null,
        },
      ]),
    );
  },
};
