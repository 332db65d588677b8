import { z } from "zod";
import { maximumWords } from "../nouns.js";
import { text, timestamp, uuid } from "../schema/fields.js";

/** What requests and responses of several operations contain. */

/** Search text, possibly incomplete. */
export const words = text(maximumWords).optional();

export const named = z.object({ id: uuid, name: z.string() });

/** An organization that somebody else sees. */
export const namedOrganization = named.extend({ slug: z.string() });

export const eventReference = named.extend({ start_time: timestamp, timezone: z.string() });

export const count = z.int();

/** A page of a list of the console; `next_cursor` is null on the last one. */
export function listOf<Item extends z.ZodType>(item: Item) {
  return z.object({ items: z.array(item), next_cursor: z.string().nullable() });
}

/** The parameters of operations of an event. */
export const eventParams = z.object({ event: uuid });

export const byId = z.object({ id: uuid });

export type NamedOrganization = z.output<typeof namedOrganization>;
export type EventReference = z.output<typeof eventReference>;
