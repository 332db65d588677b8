import { randomUUID } from "node:crypto";
import { z } from "zod";
import { ServiceError } from "../../../platform/errors.js";
import { exampleIds } from "../../../schema/examples.js";
import { defineEventMutation } from "../../../tools/mutation.js";
import { maximumSegments } from "../rules.js";
import { segmentInput, speakerIds } from "../schema.js";
import { addSegment, findSegment, getOtherSegments, requireSpeakers, type Segment } from "../store.js";

/** `next_start` is present only when it decides, so that two segments with their own start times do not conflict. */
type NewSegment = { next_start?: string; segment: (Omit<Segment, "id"> & { id: string | null }) | null };

export const createEventSegment = defineEventMutation({
  name: "create_event_segment",
  title: "Add a segment",
  group: "production",
  description:
    "Add a segment to an event's run of show. Without start_time it follows the last one. Segments are ordered by start time. Returns it with its id.",
  scope: "events:write",
  role: "admin",
  example: { event_id: exampleIds.event, title: "Closing words", kind: "talk", duration_minutes: 15 },
  event: "host_or_co_host",
  destructive: false,
  input: z.object({
    title: segmentInput.title,
    duration_minutes: segmentInput.duration_minutes,
    kind: segmentInput.kind.default("talk"),
    start_time: segmentInput.start_time.exactOptional(),
    location: segmentInput.location.default(null),
    speaker_ids: speakerIds.default([]),
    notes: segmentInput.notes.default(null).meta({ description: "for the crew only" }),
  }),
  prepare: async () => ({ id: randomUUID() }),
  async read(context, input, { id }): Promise<NewSegment> {
    const { event } = context;
    await requireSpeakers(context.tx, event.id, input.speaker_ids);
    const { count, end } = await getOtherSegments(context.tx, event.id, id);
    if (count >= maximumSegments) {
      throw new ServiceError("conflict", `A run of show has at most ${maximumSegments} segments`);
    }
    return {
      ...(input.start_time === undefined ? { next_start: end } : {}),
      segment: (await findSegment(context.tx, event.id, id)) ?? null,
    };
  },
  propose(current, fields) {
    const start_time = fields.start_time ?? current.next_start;
    if (start_time === undefined) throw new Error("the proposed segment has no start time");
    return { ...current, segment: { id: null, ...fields, start_time } };
  },
  async store(context, { proposed, prepared }) {
    if (proposed.segment === null) throw new Error("the proposed state has no segment");
    await addSegment(context.tx, context.event.id, { ...proposed.segment, id: prepared.id });
  },
});
