import { z } from "zod";
import { exampleIds } from "../../../schema/examples.js";
import { uuidList } from "../../../schema/fields.js";
import { defineEventMutation } from "../../../tools/mutation.js";
import { saveSegments } from "../change-store.js";
import { minutesBefore, type Start, shifted, startsOf } from "../rules.js";
import { type Segment, shiftFollowing } from "../schema.js";
import { findSegments, listSegmentTimes, unknownSegments } from "../store.js";

/** `following` are the segments that are shifted. */
type RemoveState = { segments: Segment[]; following?: Start[] };

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
  async read({ tx, event }, { segment_ids: ids, shift_following: shifts }, _, proposed): Promise<RemoveState> {
    const [segments, timeline] = await Promise.all([
      findSegments(tx, event.id, ids),
      shifts ? listSegmentTimes(tx, event.id) : undefined,
    ]);
    if (timeline === undefined) return { segments };
    const moved = new Set(proposed?.following?.map(({ id }) => id));
    const follows = ({ id, start_time }: Start) =>
      proposed === undefined ? !ids.includes(id) && minutesBefore(segments, start_time) > 0 : moved.has(id);
    return { segments, following: startsOf(timeline.filter(follows)) };
  },
  propose({ segments, following }, { segment_ids: ids }) {
    const unknown = ids.filter((id) => !segments.some((segment) => segment.id === id));
    if (unknown.length > 0) throw unknownSegments(unknown);
    const movedUp = following?.flatMap((row) => shifted([row], -minutesBefore(segments, row.start_time)));
    return { segments: [], ...(movedUp && { following: movedUp }) };
  },
  store: ({ tx, event }, { input, proposed }) =>
    saveSegments(tx, event.id, { removed: input.segment_ids, changed: proposed.following ?? [] }),
});
