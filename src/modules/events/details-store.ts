import sql, { join, raw } from "sql-template-tag";
import type { z } from "zod";
import type { Queryable } from "../../platform/db.js";
import { ServiceError } from "../../platform/errors.js";
import { eventDetailsInput } from "./schema.js";

type Fields = { [Name in keyof typeof eventDetailsInput]: z.output<(typeof eventDetailsInput)[Name]> };

/** Some of an event's editable fields. */
export type EventDetails = { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> };

/** The named fields; a start or an end is decided together with the other. */
export async function getEventDetails(
  tx: Queryable,
  eventId: string,
  names: string[],
  baseUrl: string,
): Promise<EventDetails> {
  const [row] = await tx.query<Required<EventDetails>>(sql`
    select name, description, iso8601(start_time) as start_time, iso8601(end_time) as end_time, timezone, venue,
      venue_address, category, tier, status, capacity, luma_url, absolute_url(${baseUrl}, tile_image_url) as tile_image_url
    from events where id = ${eventId}`);
  if (row === undefined) throw new ServiceError("not_found", "Event not found");
  const wanted = new Set(names);
  if (wanted.has("start_time") || wanted.has("end_time")) wanted.add("start_time").add("end_time");
  return Object.fromEntries(Object.entries(row).filter(([name]) => wanted.has(name)));
}

export async function saveEventDetails(tx: Queryable, eventId: string, changes: EventDetails): Promise<void> {
  // Column names come from the declaration of the fields, never from the request.
  const names = Object.keys(eventDetailsInput) as (keyof EventDetails)[];
  const assignments = names
    .filter((name) => changes[name] !== undefined)
    .map((name) => sql`${raw(name)} = ${changes[name]}`);
  await tx.query(sql`update events set ${join(assignments)} where id = ${eventId}`);
}
