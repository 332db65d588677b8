import { z } from "zod";
import { roleAtLeast } from "../../../../contract/roles.js";
import { defineEventRead } from "../../../runner/tool.js";
import { exampleIds } from "../../../schema/examples.js";
import { findHostOffer, listHosts } from "../host-store.js";
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

export const getEventHostSnapshot = defineEventRead({
  name: "get_event_host_snapshot",
  title: "Look at an event's hosts",
  group: "event_management",
  description: "An event's hosts, the host first; an open offer to hand it over; and whether you may change the hosts.",
  scope: "org:read",
  role: "member",
  example: { event_id: exampleIds.event },
  event: "host_or_co_host",
  input: z.object({}),
  output: z.object({
    event_id: z.string(),
    hosts: z.array(z.looseObject({ organization_id: z.string(), role: z.string(), position: z.number() })),
    may_change: z.boolean(),
    host_offer: z.looseObject({}).optional(),
  }),
  async read(context) {
    const { tx, caller, event } = context;
    const [hosts, host_offer] = await Promise.all([
      listHosts(tx, event.id),
      findHostOffer(tx, event.id, caller.organizationId),
    ]);
    const isHost = hosts.some(({ id, role }) => id === caller.organizationId && role === "host");
    return {
      event_id: event.id,
      hosts: hosts.map(({ id, ...host }, position) => ({ organization_id: id, ...host, position })),
      may_change: isHost && roleAtLeast(caller.role, "admin") && caller.scopes.includes("events:write"),
      ...(host_offer === null ? {} : { host_offer }),
    };
  },
});
