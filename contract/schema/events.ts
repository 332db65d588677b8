import { z } from "zod";
import {
  eventCategories,
  eventTiers,
  hostRoles,
  maximumCapacity,
  maximumLine,
  maximumLongText,
  maximumText,
  maximumVenueAddress,
  statuses,
  ticketingIdExample,
  ticketingIdPattern,
} from "../nouns.js";
import { listedStatus } from "./conferences.js";
import { imageUrl, integer, line, text, timestamp, timezone, uuid, webUrl } from "./fields.js";
import { changesOf, nullableLine, outputsOf, rowInputsOf, toolInputsOf } from "./noun.js";

export const eventCategory = z.enum(eventCategories);
export const eventTier = z.enum(eventTiers);
export const hostRole = z.enum(hostRoles);
export const ticketingEventId = z
  .string()
  .regex(ticketingIdPattern, { error: `expected an event id of the platform, such as ${ticketingIdExample}` });

/** The editable fields that everyone who sees an event sees. Hosts may set only the two listed statuses. */
export const publicEventFields = {
  name: { output: z.string(), input: line(maximumLine) },
  start_time: { output: timestamp, input: timestamp, column: "timestamp" },
  end_time: { output: timestamp, input: timestamp, column: "timestamp" },
  timezone: { output: z.string().meta({ description: "IANA time zone name" }), input: timezone },
  venue: nullableLine(maximumLine),
  venue_address: nullableLine(maximumVenueAddress),
  status: { output: listedStatus, input: z.enum(statuses), toolInput: listedStatus },
  category: { output: eventCategory, input: eventCategory },
  tier: { output: eventTier.nullable(), input: eventTier.nullable() },
  // Shorter in tools than in an import, because a preview shows it up to five times.
  description: {
    output: z.string().nullable(),
    input: text(maximumLongText).nullable(),
    toolInput: text(maximumText).nullable(),
  },
  luma_url: {
    output: z.string().nullable().meta({ description: "link to the event on the external ticketing platform" }),
    input: webUrl.nullable(),
  },
  // Tools take the address of an image that the service stores, an import its path.
  tile_image_url: {
    output: z.string().nullable(),
    input: imageUrl.nullable(),
    toolInput: webUrl.nullable(),
    column: "image",
  },
} as const;

/** All editable fields of an event: REST, tools, import, export and SQL are derived from this declaration. */
export const eventFields = {
  ...publicEventFields,
  capacity: { output: z.int().nullable(), input: integer(0, maximumCapacity).nullable() },
} as const;

export const eventSummary = z
  .object({ id: uuid, ...outputsOf(publicEventFields), conference_id: uuid, created_at: timestamp })
  .meta({ id: "EventSummary" });

/** The filters of the list of a conference's events. */
export const eventFilters = { category: eventCategory.optional() };

/** What update_event_details accepts. */
export const eventChanges = z.object(changesOf(toolInputsOf(eventFields)));

export const eventRow = z.strictObject({
  id: uuid.optional(),
  conference: line(200),
  ...rowInputsOf(eventFields),
  ticketing_event_id: line(200).nullable().optional(),
  run_of_show_published: z.boolean().optional(),
  created_at: timestamp.optional(),
  hosts: z.array(z.strictObject({ organization: line(200), role: hostRole })).optional(),
});
