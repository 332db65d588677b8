import { z } from "zod";
import { exampleIds } from "../../../schema/examples.js";
import { flag, integer, line } from "../../../schema/fields.js";
import { defaultLimit, maximumLimit, pageOf } from "../../../schema/page.js";
import { suggestionsOf, withSuggestions } from "../../../tools/suggestions.js";
import { defineEventRead } from "../../../tools/tool.js";
import { findNearGuests, getRosterCounts, readRoster } from "../roster-store.js";
import { registrationStatus, rosterCounts, rosterItem } from "../schema.js";

export const listEventRegistrations = defineEventRead({
  name: "list_event_registrations",
  title: "List registrations",
  group: "registrations",
  description:
    "The guests of an event by time of registration, with counts of the whole roster. While has_more, continue with next_cursor.",
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
        description: "parts of name or e-mail, in any order",
      }),
    cursor: z.string().optional(),
    limit: integer(1, maximumLimit).default(defaultLimit),
  }),
  output: pageOf(rosterItem).extend({
    counts: rosterCounts,
    ...suggestionsOf(rosterItem.pick({ id: true, name: true, email: true, status: true })),
  }),
  async read({ tx, event: { id } }, input) {
    const filter = { status: input.status, checkedIn: input.checked_in, query: input.query };
    const [page, counts] = await Promise.all([readRoster(tx, id, filter, input), getRosterCounts(tx, id)]);
    const unmatched = input.cursor === undefined && page.items.length === 0 ? input.query : undefined;
    return {
      ...(unmatched === undefined ? {} : withSuggestions("guest", await findNearGuests(tx, id, unmatched))),
      items: page.items.map((item) => JSON.parse(item)),
      pagination: { has_more: page.nextCursor !== null, next_cursor: page.nextCursor, count: page.items.length },
      counts,
    };
  },
});
