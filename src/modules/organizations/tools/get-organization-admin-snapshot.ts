import { z } from "zod";
import { line } from "../../../schema/fields.js";
import { defineRead } from "../../../tools/tool.js";
import { getOrganizationSnapshot } from "../snapshot-store.js";

export const getOrganizationAdminSnapshot = defineRead({
  name: "get_organization_admin_snapshot",
  title: "Look at the organization",
  group: "organization",
  description:
    "Start here: the organization's profile, members, up to 25 hosted events with ids for the event tools (next first, past last; event_name finds others), counts and, for owners, API keys without secrets.",
  scope: "org:read",
  role: "member",
  example: { event_name: "opening keynote" },
  input: z.object({ event_name: line(200).exactOptional().meta({ description: "words of the name, in any order" }) }),
  output: z.object({
    organization: z.object({ id: z.string(), name: z.string(), slug: z.string() }).loose(),
    members: z.array(z.object({ user_id: z.string(), email: z.string(), name: z.string(), role: z.string() })),
    events: z.array(
      z
        .object({ id: z.string(), name: z.string(), start_time: z.string(), status: z.string(), role: z.string() })
        .loose(),
    ),
    counts: z.record(z.string(), z.number()),
    keys: z.array(z.looseObject({ id: z.string(), name: z.string() })).nullable(),
  }),
  read: ({ tx, caller, baseUrl }, input) => getOrganizationSnapshot(tx, caller, baseUrl, input.event_name),
});
