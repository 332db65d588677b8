import { z } from "zod";
import { roleAtLeast } from "../../../access/roles.js";
import { exampleIds } from "../../../schema/examples.js";
import { defineEventRead } from "../../../tools/tool.js";
import { listHosts } from "../host-store.js";

export const getEventHostSnapshot = defineEventRead({
  name: "get_event_host_snapshot",
  title: "Look at an event's hosts",
  group: "event_management",
  description:
    "The hosts of an event, the host first, and whether this key may change them. Use it before the co-host tools.",
  scope: "org:read",
  role: "member",
  example: { event_id: exampleIds.event },
  event: "host_or_co_host",
  input: z.object({}),
  output: z.object({
    event_id: z.string(),
    hosts: z.array(z.looseObject({ organization_id: z.string(), role: z.string(), position: z.number() })),
    may_change: z.boolean(),
  }),
  async read(context) {
    const { tx, caller } = context;
    const { event } = context;
    return {
      event_id: event.id,
      hosts: (await listHosts(tx, event.id)).map(({ id, ...host }, position) => ({
        organization_id: id,
        ...host,
        position,
      })),
      may_change: event.role === "host" && roleAtLeast(caller.role, "admin") && caller.scopes.includes("events:write"),
    };
  },
});
