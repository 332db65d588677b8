import { z } from "zod";
import { fieldError } from "../../../../contract/errors.js";
import { flag, integer, line, uuid } from "../../../../contract/schema/fields.js";
import { defaultLimit, maximumLimit, pageOf } from "../../../../contract/schema/page.js";
import {
  hostedRoster,
  registrationStatus,
  rosterCounts,
  rosterItem,
} from "../../../../contract/schema/registrations.js";
import { paginationOf } from "../../../infra/database/keyset-page.js";
import { suggestionsOf, withSuggestions } from "../../../runner/suggestions.js";
import type { LocatedToolContext, ReadTool, ToolContext } from "../../../runner/tool.js";
import { exampleIds } from "../../../schema/examples.js";
import { findNearGuests, getRosterCounts, readHostedRosters, readRoster } from "../roster-store.js";

const input = z.object({
  event_id: uuid.optional(),
  status: registrationStatus.optional(),
  checked_in: flag.optional().meta({ type: "boolean" }),
  query: line(200)
    .transform((value) => value.trim())
    .optional()
    .meta({
      type: "string",
      description: "parts of the name or e-mail address, in any order",
    }),
  cursor: z.string().optional(),
  limit: integer(1, maximumLimit).default(defaultLimit),
});

type Input = Omit<z.output<typeof input>, "event_id">;

/** Its event is optional: without one it lists the events, for keys that have no other tool which does. */
export const listEventRegistrations: ReadTool = {
  kind: "read",
  name: "list_event_registrations",
  title: "List registrations",
  group: "registrations",
  description:
    "The guests of an event in order of registration, with counts of all. Without event_id: the hosted events with their ids and counts, latest start first. While has_more is true, continue with next_cursor.",
  scope: "registrations:read",
  role: "member",
  example: { event_id: exampleIds.event, status: "pending", limit: 20 },
  event: "host_or_co_host",
  input,
  output: pageOf(rosterItem)
    .partial({ items: true })
    .extend({
      counts: rosterCounts.optional(),
      events: z.array(hostedRoster).optional(),
      ...suggestionsOf(rosterItem.pick({ id: true, name: true, email: true, status: true })),
    }),
  read(context, given) {
    const { event, ...rest } = context as LocatedToolContext;
    return event === undefined ? listEvents(rest, given as Input) : listGuests(rest, event.id, given as Input);
  },
};

async function listGuests({ tx }: ToolContext, eventId: string, { status, checked_in, query, ...page }: Input) {
  const filter = { status, checkedIn: checked_in, query };
  const [found, counts] = await Promise.all([readRoster(tx, eventId, filter, page), getRosterCounts(tx, eventId)]);
  const unmatched = page.cursor === undefined && found.items.length === 0 ? query : undefined;
  return {
    ...(unmatched === undefined ? {} : withSuggestions("guest", await findNearGuests(tx, eventId, unmatched))),
    items: found.items.map((item) => JSON.parse(item)),
    pagination: paginationOf(found.nextCursor, found.items.length),
    counts,
  };
}

async function listEvents({ tx, caller }: ToolContext, { status, checked_in, query, ...page }: Input) {
  const filter = Object.entries({ status, checked_in, query }).find(([, value]) => value !== undefined)?.[0];
  if (filter !== undefined) {
    throw fieldError("event_id", `is required with ${filter}; without both, the events are listed with their ids`);
  }
  const found = await readHostedRosters(tx, caller.organizationId, page);
  return {
    events: found.items.map((item) => JSON.parse(item)),
    pagination: paginationOf(found.nextCursor, found.items.length),
  };
}
