import { z } from "zod";
import { exampleIds } from "../../../schema/examples.js";
import { uuidList } from "../../../schema/fields.js";
import { requireEachOnce } from "../../../tools/each-once.js";
import { defineEventMutation } from "../../../tools/mutation.js";
import { inNewOrder, maximumSegments } from "../rules.js";
import { listSegmentTimes, saveStarts } from "../store.js";

export const reorderEventSegments = defineEventMutation({
  name: "reorder_event_segments",
  title: "Reorder the run of show",
  group: "production",
  description:
    "Put all segments into a new order, every id exactly once. Durations stay the same; the first segment starts at the earliest start time and each next one when the previous one ends.",
  scope: "events:write",
  role: "admin",
  example: { event_id: exampleIds.event, segment_ids: exampleIds.segments.toReversed() },
  event: "host_or_co_host",
  destructive: true,
  input: z.object({ segment_ids: uuidList(maximumSegments, { required: true }) }),
  read: async (context) => ({ segments: await listSegmentTimes(context.tx, context.event.id) }),
  propose({ segments }, { segment_ids: ids }) {
    requireEachOnce(
      "segment_ids",
      ids,
      segments.map((segment) => segment.id),
    );
    return { segments: inNewOrder(segments, ids) };
  },
  store: (context, { proposed }) => saveStarts(context.tx, context.event.id, proposed.segments),
});
