import { z } from "zod";
import { uuid } from "../../../declare/fields.js";
import { eventOf } from "../../../declare/tool.js";
import { defineMutation } from "../../../mutation/define.js";
import { segmentFields, speakerIds } from "../schema.js";
import { getSegment, requireSpeakers, saveSegment } from "../store.js";

export const updateEventSegment = defineMutation({
  name: "update_event_segment",
  title: "Change a segment",
  group: "production",
  description:
    "Change one segment of the run of show. Send only what changes; speaker_ids is replaced whole. The others keep their times: look for gaps and overlaps with get_event_run_of_show.",
  scope: "events:write",
  role: "admin",
  event: "host_or_co_host",
  destructive: false,
  input: z.object({
    event_id: uuid,
    segment_id: uuid,
    title: segmentFields.title.exactOptional(),
    kind: segmentFields.kind.exactOptional(),
    start_time: segmentFields.start_time.exactOptional(),
    duration_minutes: segmentFields.duration_minutes.exactOptional(),
    location: segmentFields.location.exactOptional(),
    speaker_ids: speakerIds.exactOptional(),
    notes: segmentFields.notes.exactOptional(),
  }),
  async read(context, input) {
    const event = eventOf(context);
    await requireSpeakers(context.tx, event.id, input.speaker_ids ?? []);
    return { segment: await getSegment(context.tx, event.id, input.segment_id) };
  },
  propose: ({ segment }, { event_id: _, segment_id: __, ...changes }) => ({ segment: { ...segment, ...changes } }),
  store: (context, { proposed }) => saveSegment(context.tx, eventOf(context).id, proposed.segment),
});
