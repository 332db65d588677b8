import { z } from "zod";
import { inNewOrder, maximumSegments } from "../../../../contract/run-of-show.js";
import { flag, uuidList } from "../../../../contract/schema/fields.js";
import { requireEachOnce } from "../../../runner/each-once.js";
import { defineEventMutation } from "../../../runner/mutation.js";
import { exampleIds } from "../../../schema/examples.js";
import { getSchedule, listSegmentTimes, saveStarts } from "../store.js";
import { scheduleWarnings, withChanged } from "../warnings.js";

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
