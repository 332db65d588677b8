import { z } from "zod";
import { roleAtLeast } from "../../../../contract/roles.js";
import { defineEventRead } from "../../../runner/tool.js";
import { exampleIds } from "../../../schema/examples.js";
import { findHostOffer, listHosts } from "../host-store.js";

export const getEventHostSnapshot = defineEventRead({
  name: "get_event_host_snapshot",
  title: "Look at an event's hosts",
  group: "event_management",
  description:
    "The organizations that host an event, the host first; an open offer to hand it over; and whether you may change the hosts.",
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
