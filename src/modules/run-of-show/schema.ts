import { z } from "zod";
import { integer, line, text, timestamp, uuid } from "../../schema/fields.js";

export const segmentKind = z.enum(["talk", "panel", "break", "performance", "logistics", "other"]);

/** The editable fields of a segment, with what each accepts. */
export const segmentFields = {
  title: line(200),
  kind: segmentKind,
  start_time: timestamp,
  duration_minutes: integer(1, 10_080),
  location: line(200).nullable(),
  notes: text(20_000).nullable(),
};

/** What tools take: a preview shows a text up to five times, so that notes are shorter here than in an import. */
export const segmentInput = { ...segmentFields, notes: text(4000).nullable() };

/** Speakers of the same event, in order, each once. */
export const speakerIds = z
  .array(uuid)
  .max(50)
  .refine((ids) => new Set(ids).size === ids.length, { error: "expected each speaker once" });

export const segmentRow = z.strictObject({
  id: uuid.optional(),
  event: line(200),
  title: segmentFields.title,
  kind: segmentFields.kind.optional(),
  start_time: segmentFields.start_time,
  duration_minutes: segmentFields.duration_minutes,
  location: segmentFields.location.optional(),
  speakers: z.array(line(200)).optional(),
  notes: segmentFields.notes.optional(),
});
