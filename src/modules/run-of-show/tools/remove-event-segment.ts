import { z } from "zod";
import { minutesBefore, shifted, startsOf, type Timed } from "../../../../contract/run-of-show.js";
import { uuidList } from "../../../../contract/schema/fields.js";
import { shiftFollowing } from "../../../../contract/schema/run-of-show.js";
import { defineEventMutation } from "../../../runner/mutation.js";
import { exampleIds } from "../../../schema/examples.js";
import { listSpeakerNames } from "../../speakers/store.js";
import { saveSegments } from "../change-store.js";
import { type ShownSegment, shownSegment } from "../shown-segment.js";
import { findSegments, listSegmentTimes, unknownSegments } from "../store.js";

/** The run of show by start; those that are removed have all their fields. */
type RemoveState = { segments: (Timed | ShownSegment)[] };

export const removeEventSegment = defineEventMutation({
  name: "remove_event_segment",
  title: "Remove segments",
  group: "production",
  addition: true,
  description: "Remove segments. shift_following moves later segments up by the removed length.",
  scope: "events:write",
  role: "admin",
  example: { event_id: exampleIds.event, segment_ids: [exampleIds.segments[4]] },
  event: "host_or_co_host",
  destructive: true,
  input: z.object({ segment_ids: uuidList(50, { required: true }), shift_following: shiftFollowing }),
  async read({ tx, event }, { segment_ids: ids }): Promise<RemoveState> {
    const [times, removed, speakers] = await Promise.all([
      listSegmentTimes(tx, event.id),
      findSegments(tx, event.id, ids),
      listSpeakerNames(tx, event.id),
    ]);
    const shown = new Map(removed.map((segment) => [segment.id, shownSegment(segment, speakers)]));
    return { segments: times.map((segment) => shown.get(segment.id) ?? segment) };
  },
  propose({ segments }, input) {
    const { removed, others } = partsOf(segments, input);
    const unknown = input.segment_ids.filter((id) => !removed.some((segment) => segment.id === id));
    if (unknown.length > 0) throw unknownSegments(unknown);
    if (!input.shift_following) return { segments: others };
    return { segments: others.flatMap((row) => shifted([row], -minutesBefore(removed, row.start_time))) };
  },
  // Other segments may come and go, unless they move.
  basis({ segments }, input) {
    const { removed, others } = partsOf(segments, input);
    return input.shift_following ? { removed, following: startsOf(following(removed, others)) } : { removed };
  },
  store({ tx, event }, { input, current, proposed }) {
    const { removed, others } = partsOf(current.segments, input);
    const moved = new Set(input.shift_following ? following(removed, others).map(({ id }) => id) : []);
    const changed = startsOf(proposed.segments.filter(({ id }) => moved.has(id)));
    return saveSegments(tx, event.id, { removed: input.segment_ids, changed });
  },
});

function partsOf<Row extends { id: string }>(segments: Row[], { segment_ids: ids }: { segment_ids: string[] }) {
  return {
    removed: segments.filter(({ id }) => ids.includes(id)),
    others: segments.filter(({ id }) => !ids.includes(id)),
  };
}

const following = (removed: Timed[], others: Timed[]) =>
  others.filter(({ start_time }) => minutesBefore(removed, start_time) > 0);
