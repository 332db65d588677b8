import { z } from "zod";
import { exampleIds } from "../../../schema/examples.js";
import { uuid } from "../../../schema/fields.js";
import { changesOf } from "../../../schema/noun.js";
import { defineEventMutation } from "../../../tools/mutation.js";
import { segmentInput, speakerIds } from "../schema.js";
import { getSegment, requireSpeakers, type Segment, saveSegment } from "../store.js";

export const updateEventSegment = defineEventMutation({
  name: "update_event_segment",
  title: "Change a segment",
  group: "production",
  description:
    "Change one segment of the run of show. Send only what changes; speaker_ids is replaced as a whole. The other segments keep their times: check for gaps and overlaps with get_event_run_of_show.",
  scope: "events:write",
  role: "admin",
  example: { event_id: exampleIds.event, segment_id: exampleIds.segments[1], duration_minutes: 10 },
  event: "host_or_co_host",
  destructive: true,
  input: z.object({
    segment_id: uuid,
    ...changesOf({ ...segmentInput, speaker_ids: speakerIds }),
  }),
  async read(context, { segment_id, ...fields }): Promise<SegmentChange> {
    const { event } = context;
    const segment = await getSegment(context.tx, event.id, segment_id);
    if (fields.speaker_ids !== undefined) await requireSpeakers(context.tx, event.id, fields.speaker_ids);
    const touched = Object.keys(fields) as (keyof Segment)[];
    // Fields that stay are omitted, because notes can be long; the title identifies the segment.
    return {
      segment: {
        id: segment.id,
        title: segment.title,
        ...Object.fromEntries(touched.map((field) => [field, segment[field]])),
      },
    };
  },
  propose: ({ segment }, { segment_id: _, ...fields }) => ({ segment: { ...segment, ...fields } }),
  store: (context, { input: { segment_id, ...fields } }) =>
    saveSegment(context.tx, context.event.id, segment_id, fields),
});

type SegmentChange = { segment: Partial<Segment> & { id: string; title: string } };
