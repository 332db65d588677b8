import { z } from "zod";
import { defineEventRead } from "../../../runner/tool.js";
import { exampleIds } from "../../../schema/examples.js";
import { getEventSnapshot } from "../snapshot-store.js";

const rows = z.array(z.looseObject({ id: z.string() }));

export const getEventAdminSnapshot = defineEventRead({
  name: "get_event_admin_snapshot",
  title: "Look at an event",
  group: "event_management",
  description:
    "One event with the ids that other tools need: details, hosts, speakers, posters, run of show, and guests by status. left_out counts rows that did not fit.",
  scope: "org:read",
  role: "member",
  example: { event_id: exampleIds.event },
  event: "host_or_co_host",
  input: z.object({}),
  output: z.object({
    event: z.looseObject({ id: z.string(), name: z.string() }),
    hosts: z.array(z.looseObject({ organization_id: z.string(), role: z.string() })),
    host_offer: z.looseObject({}).optional(),
    speakers: rows,
    posters: rows,
    run_of_show: z.object({ published: z.boolean(), segments: rows }),
    registration_counts: z.record(z.string(), z.number()),
    left_out: z.record(z.string(), z.number()).optional(),
  }),
  read: (context) => getEventSnapshot(context.tx, context.event.id, context.caller, context.baseUrl),
});
