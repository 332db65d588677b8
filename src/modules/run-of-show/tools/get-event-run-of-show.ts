import { z } from "zod";
import { endOf, gapsOf, overlapsOf } from "../../../../contract/run-of-show.js";
import { uuid } from "../../../../contract/schema/fields.js";
import type { Segment } from "../../../../contract/schema/run-of-show.js";
import { leftOut, shortText } from "../../../../contract/shortened.js";
import { rowsWithin } from "../../../infra/bounded.js";
import { defineEventRead } from "../../../runner/tool.js";
import { exampleIds } from "../../../schema/examples.js";
import { listSpeakerNames, type SpeakerName } from "../../speakers/store.js";
import { shownSegment } from "../shown-segment.js";
import { getScheduleState, listSegments, unknownSegments } from "../store.js";

const shownBytes = 45_000;
const shownNotes = 500;
/** Of gaps, and of overlaps. */
const shownProblems = 25;

export const getEventRunOfShow = defineEventRead({
  name: "get_event_run_of_show",
  title: "Look at the run of show",
  group: "production",
  description:
    "An event's schedule in order: segments with start, end, speakers and crew notes, and all gaps and overlaps. If left_out counts segments, continue with after_segment_id.",
  scope: "org:read",
  role: "member",
  example: { event_id: exampleIds.event },
  event: "host_or_co_host",
  input: z.object({ after_segment_id: uuid.exactOptional() }),
  output: z.object({
    event_id: z.string(),
    published: z.boolean(),
    timezone: z.string(),
    segments: z.array(
      z.looseObject({
        id: z.string(),
        title: z.string(),
        start_time: z.string(),
        end_time: z.string(),
        speakers: z.array(z.object({ id: z.string(), name: z.string() })),
      }),
    ),
    gaps: z.array(z.looseObject({ minutes: z.number() })),
    overlaps: z.array(z.looseObject({ minutes: z.number() })),
    left_out: z.record(z.string(), z.number()).optional(),
  }),
  async read(context, { after_segment_id: after }) {
    const { tx } = context;
    const { id } = context.event;
    const [{ published, timezone }, all, names] = await Promise.all([
      getScheduleState(tx, id),
      listSegments(tx, id),
      listSpeakerNames(tx, id),
    ]);
    const wanted = after === undefined ? all : segmentsAfter(all, after);
    const segments = rowsWithin(wanted.map(shownWith(names)), shownBytes);
    const gaps = gapsOf(all);
    const overlaps = overlapsOf(all);
    return {
      event_id: id,
      published,
      timezone,
      segments,
      gaps: gaps.slice(0, shownProblems),
      overlaps: overlaps.slice(0, shownProblems),
      ...leftOut({
        segments: { shown: segments.length, total: wanted.length },
        gaps: { shown: shownProblems, total: gaps.length },
        overlaps: { shown: shownProblems, total: overlaps.length },
      }),
    };
  },
});

function segmentsAfter(segments: Segment[], id: string): Segment[] {
  const index = segments.findIndex((segment) => segment.id === id);
  if (index === -1) throw unknownSegments([id]);
  return segments.slice(index + 1);
}

function shownWith(names: SpeakerName[]) {
  return (segment: Segment) => ({
    ...segment,
    speakers: shownSegment(segment, names).speakers,
    notes: shortText(segment.notes, shownNotes),
    end_time: endOf(segment),
  });
}
