import { z } from "zod";
import { exampleIds } from "../../../schema/examples.js";
import { flag, line } from "../../../schema/fields.js";
import { defaultLimit, maximumLimit, pageOf } from "../../../schema/page.js";
import { defineEventRead } from "../../../tools/tool.js";
import { getRosterCounts, readRoster } from "../roster-store.js";
import { registrationStatus, rosterCounts, rosterItem } from "../schema.js";

export const listEventRegistrations = defineEventRead({
  name: "list_event_registrations",
  title: "List registrations",
  group: "registrations",
  description:
    "The guests of an event, earliest registration first, with counts of the whole roster. Filter or search before paging; has_more and next_cursor tell whether more follow.",
  scope: "registrations:read",
  role: "member",
  example: { event_id: exampleIds.event, status: "pending", limit: 20 },
  event: "host_or_co_host",
  input: z.object({
    status: registrationStatus.optional(),
    checked_in: flag.optional().meta({ type: "boolean" }),
    query: line(200)
      .transform((value) => value.trim())
      .optional()
      .meta({
        type: "string",
        description: "parts of a name or e-mail address, in any order; ignores case, accents and apostrophes",
      }),
    cursor: z.string().max(1000).optional().meta({ description: "next_cursor of the previous page" }),
    limit: z
      .int({ error: "expected an integer" })
      .min(1, { error: `expected an integer from 1 to ${maximumLimit}` })
      .transform((limit) => Math.min(limit, maximumLimit))
      .default(defaultLimit)
      .meta({ type: "integer", maximum: maximumLimit }),
  }),
  output: pageOf(rosterItem).extend({ counts: rosterCounts }),
  async read({ tx, event: { id } }, input) {
    const filter = { status: input.status, checkedIn: input.checked_in, query: input.query };
    const page = await readRoster(tx, id, filter, input);
    return {
      items: page.items.map((item) => JSON.parse(item)),
      pagination: { has_more: page.nextCursor !== null, next_cursor: page.nextCursor, count: page.items.length },
      counts: await getRosterCounts(tx, id),
    };
  },
});
