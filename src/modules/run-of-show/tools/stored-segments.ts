import { z } from "zod";
import {
  inNewOrder,
  maximumSegments,
  minutesBefore,
  shifted,
  startsOf,
  type Timed,
} from "../../../../contract/run-of-show.js";
import { flag, uuidList } from "../../../../contract/schema/fields.js";
import { shiftFollowing } from "../../../../contract/schema/run-of-show.js";
import { defineEventMutation } from "../../../runner/mutation.js";
import { requireEachOnce } from "../../../runner/one-or-many.js";
import { exampleIds } from "../../../schema/examples.js";
import { listSpeakerNames } from "../../speakers/store.js";
import { type ShownSegment, shownSegment } from "../shown-segment.js";
import {
  findSegments,
  getPublication,
  getSchedule,
  listSegmentTimes,
  savePublication,
  saveSegments,
  saveStarts,
  unknownSegments,
} from "../store.js";
import { scheduleWarnings, withChanged } from "../warnings.js";

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

export const reorderEventSegments = defineEventMutation({
  name: "reorder_event_segments",
  title: "Reorder the run of show",
  group: "production",
  description:
    "Put all segments into a new order, each id once. Each starts when the one before it ends, the first at the earliest start; keep_gaps keeps the gaps between them.",
  scope: "events:write",
  role: "admin",
  example: { event_id: exampleIds.event, segment_ids: exampleIds.segments.toReversed() },
  event: "host_or_co_host",
  destructive: true,
  input: z.object({
    segment_ids: uuidList(maximumSegments, { required: true }),
    keep_gaps: flag.default(false).meta({ type: "boolean" }),
  }),
  read: async (context) => ({ segments: await listSegmentTimes(context.tx, context.event.id) }),
  propose({ segments }, { segment_ids: ids, keep_gaps: keepGaps }) {
    requireEachOnce(
      "segment_ids",
      ids,
      segments.map((segment) => segment.id),
    );
    return { segments: inNewOrder(segments, ids, { keepGaps }) };
  },
  related: ({ tx, event }) => getSchedule(tx, event.id),
  basis: ({ segments }) => segments.map(({ title: _, ...timed }) => timed),
  warnings: ({ proposed: { segments } }, schedule) =>
    scheduleWarnings(schedule, withChanged(schedule.segments, segments)),
  store: ({ tx, event }, { proposed }) => saveStarts(tx, event.id, proposed.segments),
});

export const setEventRunOfShowPublication = defineEventMutation({
  name: "set_event_run_of_show_publication",
  title: "Publish or unpublish the run of show",
  group: "production",
  description:
    "Mark the run of show as published, or with published: false as a draft. Only hosts and co-hosts see it either way; nobody is notified.",
  scope: "events:write",
  role: "admin",
  example: { event_id: exampleIds.event, published: false },
  event: "host_or_co_host",
  destructive: false,
  input: z.object({ published: flag }),
  read: (context) => getPublication(context.tx, context.event.id),
  propose: (current, { published }) => ({ ...current, published }),
  basis: ({ published }) => published,
  related: async ({ tx, event }, { published }) => (published ? getSchedule(tx, event.id) : undefined),
  warnings(_proposal, schedule) {
    if (schedule === undefined) return [];
    if (schedule.segments.length > 0) return scheduleWarnings({ ...schedule, segments: [] }, schedule.segments);
    return [{ code: "run_of_show_empty", message: "The run of show has no segments" }];
  },
  store: (context, { proposed }) => savePublication(context.tx, context.event.id, proposed.published),
});
