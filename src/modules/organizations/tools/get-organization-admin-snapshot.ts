import { z } from "zod";
import { date, flag, integer, line } from "../../../../contract/schema/fields.js";
import { paginationOf } from "../../../infra/database/keyset-page.js";
import { suggestionsOf, withSuggestions } from "../../../runner/suggestions.js";
import { defineRead } from "../../../runner/tool.js";
import { maximumLines, readEventLines } from "../event-lines.js";
import { getHostedConference } from "../hosted-conferences.js";
import { findNearEvents } from "../search-store.js";
import { getOrganizationSnapshot, snapshotParts } from "../snapshot-store.js";

const defaultLines = 25;

const conference = z.looseObject({ id: z.string(), name: z.string(), slug: z.string() });

export const getOrganizationAdminSnapshot = defineRead({
  name: "get_organization_admin_snapshot",
  title: "Look at the organization",
  group: "organization",
  description:
    "Start here. Returns the profile, counts, the next conferences, and the hosted events with their ids, one line each, upcoming ones first. With a filter, only events are returned.",
  scope: "org:read",
  role: "member",
  example: { conference: "next", pending_guests: true },
  input: z.object({
    event_name: line(200).exactOptional().meta({ description: "words of the name, in any order" }),
    conference: line(200).exactOptional().meta({ description: "id, slug or name, or a unique part of one; or next" }),
    from: date.exactOptional().meta({ description: "events that start on or after this local date" }),
    to: date.exactOptional().meta({ description: "events that start on or before this local date" }),
    pending_guests: flag.exactOptional().meta({ description: "whether guests are waiting for a decision" }),
    not_posted_on: line(64).exactOptional().meta({
      description: "linkedin: events with a published poster not yet posted there; anywhere: posted nowhere",
    }),
    include: z.array(z.enum(snapshotParts)).max(snapshotParts.length).default([]),
    cursor: z.string().max(1000).exactOptional().meta({ description: "next_cursor of the previous page" }),
    limit: integer(1, maximumLines).default(defaultLines),
  }),
  output: z.object({
    organization: z.looseObject({ id: z.string(), name: z.string(), slug: z.string() }).optional(),
    conferences: z.array(conference).optional(),
    counts: z.record(z.string(), z.number()).optional(),
    host_offers: z.array(z.looseObject({ event_id: z.string() })).optional(),
    proposals: z.array(z.looseObject({ event: z.looseObject({ id: z.string(), name: z.string() }) })).optional(),
    events: z.array(
      z.looseObject({
        id: z.string(),
        name: z.string(),
        conference: z.string(),
        local_time: z.string(),
        timezone: z.string(),
        start_time: z.string(),
        venue: z.string().nullable(),
        status: z.string(),
        role: z.string(),
        speakers: z.array(z.string()),
        guests: z.record(z.string(), z.number()),
        posters: z.record(z.string(), z.number()),
        run_of_show_published: z.boolean(),
      }),
    ),
    pagination: z.object({ has_more: z.boolean(), next_cursor: z.string().nullable(), count: z.int() }),
    members: z
      .array(z.object({ user_id: z.string(), email: z.string(), name: z.string(), role: z.string() }))
      .optional(),
    keys: z
      .array(z.looseObject({ id: z.string(), name: z.string() }))
      .nullable()
      .optional(),
    ...suggestionsOf(z.object({ id: z.string(), name: z.string(), start_time: z.string(), timezone: z.string() })),
  }),
  async read({ tx, caller, baseUrl }, input) {
    const { cursor, limit, include, ...filters } = input;
    const isPart = cursor !== undefined || (Object.keys(filters).length > 0 && include.length === 0);
    const named = input.conference === undefined ? undefined : await getHostedConference(tx, caller, input.conference);
    const filter = {
      conferenceId: named?.id,
      from: input.from,
      to: input.to,
      name: input.event_name,
      pendingGuests: input.pending_guests,
      notPostedOn: input.not_posted_on,
    };
    const [snapshot, page] = await Promise.all([
      isPart ? undefined : getOrganizationSnapshot(tx, caller, baseUrl, include),
      readEventLines(tx, caller, filter, { cursor, limit }),
    ]);
    const { lines: events, nextCursor } = page;
    const { event_name: name } = input;
    const isWithoutMatch = name !== undefined && cursor === undefined && events.length === 0;
    return {
      ...snapshot,
      ...(cursor !== undefined || named === undefined ? {} : { conferences: [named] }),
      events,
      ...(isWithoutMatch ? withSuggestions("event", await findNearEvents(tx, caller.organizationId, name)) : {}),
      pagination: paginationOf(nextCursor, events.length),
    };
  },
});
