import { z } from "zod";
import { imageUrl, integer, line, text, timestamp, timezone, uuid, webUrl } from "../../schema/fields.js";
import { listedStatus, statuses } from "../conferences/schema.js";

export const eventCategory = z.enum(["mainline", "community", "sponsored", "vip"], {
  error: "expected one of mainline, community, sponsored, vip",
});
export const eventTier = z.enum(["headline", "vip", "community"]);
export const hostRole = z.enum(["host", "co_host"]);

export const eventSummary = z
  .object({
    id: uuid,
    name: z.string(),
    start_time: timestamp,
    end_time: timestamp,
    timezone: z.string().meta({ description: "IANA time zone name" }),
    venue: z.string().nullable(),
    venue_address: z.string().nullable(),
    status: listedStatus,
    category: eventCategory,
    tier: eventTier.nullable(),
    description: z.string().nullable(),
    luma_url: z.string().nullable().meta({ description: "link to the event on the external ticketing platform" }),
    tile_image_url: z.string().nullable(),
    conference_id: uuid,
    created_at: timestamp,
  })
  .meta({ id: "EventSummary" });

/** The editable fields of an event, with what each accepts. */
export const eventFields = {
  name: line(200),
  start_time: timestamp,
  end_time: timestamp,
  timezone,
  venue: line(200).nullable(),
  venue_address: line(400).nullable(),
  category: eventCategory,
  tier: eventTier.nullable(),
  description: text(20_000).nullable(),
  luma_url: webUrl.nullable(),
  tile_image_url: imageUrl.nullable(),
  capacity: integer(0, 10_000_000).nullable(),
};

/**
 * What update_event_details takes: any of the fields, and the two statuses that hosts may move between. A preview shows a
 * text up to five times: the description is shorter here than in an import. Images of the service itself come from one.
 */
export const eventDetailsInput = {
  name: eventFields.name.exactOptional(),
  description: text(4000).nullable().exactOptional(),
  start_time: eventFields.start_time.exactOptional(),
  end_time: eventFields.end_time.exactOptional(),
  timezone: eventFields.timezone.exactOptional(),
  venue: eventFields.venue.exactOptional(),
  venue_address: eventFields.venue_address.exactOptional(),
  category: eventFields.category.exactOptional(),
  tier: eventFields.tier.exactOptional(),
  status: listedStatus.exactOptional(),
  capacity: eventFields.capacity.exactOptional(),
  luma_url: eventFields.luma_url.exactOptional(),
  tile_image_url: webUrl.nullable().exactOptional(),
};

export const eventRow = z.strictObject({
  id: uuid.optional(),
  conference: line(200),
  name: eventFields.name,
  start_time: eventFields.start_time,
  end_time: eventFields.end_time,
  timezone: eventFields.timezone,
  venue: eventFields.venue.optional(),
  venue_address: eventFields.venue_address.optional(),
  status: z.enum(statuses),
  category: eventCategory,
  tier: eventFields.tier.optional(),
  description: eventFields.description.optional(),
  luma_url: eventFields.luma_url.optional(),
  ticketing_event_id: line(200).nullable().optional(),
  tile_image_url: eventFields.tile_image_url.optional(),
  capacity: eventFields.capacity.optional(),
  run_of_show_published: z.boolean().optional(),
  created_at: timestamp.optional(),
  hosts: z.array(z.strictObject({ organization: line(200), role: hostRole })).optional(),
});
