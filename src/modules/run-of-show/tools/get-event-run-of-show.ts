import sql from "sql-template-tag";
import { z } from "zod";
import { uuid } from "../../../declare/fields.js";
import { defineRead, eventOf } from "../../../declare/tool.js";
import { endOf, gapsOf, localTime, overlapsOf } from "../rules.js";
import { getPublication, listSegments } from "../store.js";

const shown = 50;

export const getEventRunOfShow = defineRead({
  name: "get_event_run_of_show",
  title: "Look at the run of show",
  group: "production",
  description:
    "An event's schedule in order: each segment with start, end (UTC and in the event's zone), speakers and crew notes, and the gaps and overlaps between them.",
  scope: "org:read",
  role: "member",
  event: "host_or_co_host",
  input: z.object({ event_id: uuid }),
  output: z.object({
    event_id: z.string(),
    published: z.boolean(),
    timezone: z.string(),
    segments: z.array(
      z.looseObject({ id: z.string(), title: z.string(), start_time: z.string(), end_time: z.string() }),
    ),
    gaps: z.array(z.looseObject({ minutes: z.number() })),
    overlaps: z.array(z.looseObject({ minutes: z.number() })),
  }),
  async read(context) {
    const { tx } = context;
    const { id } = eventOf(context);
    const [row] = await tx.query<{ timezone: string }>(sql`select timezone from events where id = ${id}`);
    const timezone = row?.timezone ?? "UTC";
    const { published } = await getPublication(tx, id);
    const segments = await listSegments(tx, id);
    return {
      event_id: id,
      published,
      timezone,
      segments: segments.map((segment) => ({
        ...segment,
        end_time: endOf(segment),
        local_start: localTime(segment.start_time, timezone),
        local_end: localTime(endOf(segment), timezone),
      })),
      gaps: gapsOf(segments).slice(0, shown),
      overlaps: overlapsOf(segments).slice(0, shown),
    };
  },
});
