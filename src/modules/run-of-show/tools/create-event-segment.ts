import { randomUUID } from "node:crypto";
import { z } from "zod";
import { uuid } from "../../../declare/fields.js";
import { eventOf } from "../../../declare/tool.js";
import { defineMutation } from "../../../mutation/define.js";
import { segmentFields, speakerIds } from "../schema.js";
import { findSegment, getNextStart, requireSpeakers, type Segment, saveSegment } from "../store.js";

type NewSegment = { next_start: string; segment: (Omit<Segment, "id"> & { id: string | null }) | null };

export const createEventSegment = defineMutation({
  name: "create_event_segment",
  title: "Add a segment",
  group: "production",
  description:
    "Add a segment to an event's run of show. Without start_time it follows the last one. Segments stand in the order in which they start.",
  scope: "events:write",
  role: "admin",
  event: "host_or_co_host",
  destructive: false,
  input: z.object({
    event_id: uuid,
    title: segmentFields.title,
    duration_minutes: segmentFields.duration_minutes,
    kind: segmentFields.kind.default("talk"),
    start_time: segmentFields.start_time.exactOptional(),
    location: segmentFields.location.default(null),
    speaker_ids: speakerIds.default([]),
    notes: segmentFields.notes.default(null).meta({ description: "for the crew only" }),
  }),
  prepare: async () => ({ id: randomUUID() }),
  async read(context, input, { id }): Promise<NewSegment> {
    const event = eventOf(context);
    await requireSpeakers(context.tx, event.id, input.speaker_ids);
    return {
      next_start: await getNextStart(context.tx, event.id, id),
      segment: (await findSegment(context.tx, event.id, id)) ?? null,
    };
  },
  propose: (current, { event_id: _, ...fields }) => ({
    ...current,
    segment: { id: null, start_time: current.next_start, ...fields },
  }),
  async store(context, { proposed, prepared }) {
    if (proposed.segment === null) throw new Error("a proposed segment is missing");
    await saveSegment(context.tx, eventOf(context).id, { ...proposed.segment, id: prepared.id });
  },
});
