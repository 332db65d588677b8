import { z } from "zod";
import { maximumLine, maximumLongText, maximumText, segmentKinds } from "../nouns.js";
import { longestMinutes, maximumSegmentSpeakers, shortestMinutes } from "../run-of-show.js";
import { flag, integer, line, text, timestamp, uuid, uuidList } from "./fields.js";
import { nullableLine, rowInputsOf, toolInputsOf } from "./noun.js";

export const segmentKind = z.enum(segmentKinds);

/** The editable fields of a segment. */
export const segmentFields = {
  title: { output: z.string(), input: line(maximumLine) },
  kind: { output: segmentKind, input: segmentKind },
  start_time: { output: timestamp, input: timestamp, column: "timestamp" },
  duration_minutes: { output: z.int(), input: integer(shortestMinutes, longestMinutes) },
  location: nullableLine(maximumLine),
  // Shorter in tools than in an import, because a preview shows them up to five times.
  notes: {
    output: z.string().nullable(),
    input: text(maximumLongText).nullable(),
    toolInput: text(maximumText).nullable(),
  },
} as const;

/** What tools accept for each field. */
export const segmentInput = toolInputsOf(segmentFields);

type SegmentFields = { [Name in keyof typeof segmentInput]: z.output<(typeof segmentInput)[Name]> };

export type Segment = SegmentFields & { id: string; speaker_ids: string[] };

/** Speakers of the same event, in order, each once. */
export const speakerIds = uuidList(maximumSegmentSpeakers);

/** Whether what comes later moves too. */
export const shiftFollowing = flag.default(false).meta({ type: "boolean" });

const { kind: _, ...otherFields } = segmentFields;

export const segmentRow = z.strictObject({
  id: uuid.optional(),
  event: line(200),
  ...rowInputsOf(otherFields),
  kind: segmentKind.optional(),
  speakers: z.array(line(200)).optional(),
});
