import { z } from "zod";
import { recordVias } from "../nouns.js";
import { hostRole } from "../schema/events.js";
import { line, timestamp, uuid } from "../schema/fields.js";
import { type Warning, type WarningCode, warningCodes } from "../warnings.js";
import { count } from "./parts.js";

/** What a list of records can be filtered by. */
export const recordFilters = {
  event: uuid.optional(),
  person: uuid.optional(),
  /** An API key. */
  key: uuid.optional(),
  /** A connected app. */
  app: uuid.optional(),
  tool: line(100).optional(),
  via: z.enum(recordVias).optional(),
  since: timestamp.optional(),
  text: line(200).optional(),
  until: timestamp.optional(),
};

/** The same, and the organization whose history a record belongs to: for administrators of the platform. */
export const adminRecordFilters = { ...recordFilters, organization: uuid.optional() };

const maybeNamed = z.object({ id: uuid, name: z.string().nullable() });

const warning = z.object({
  code: z.enum(Object.keys(warningCodes) as WarningCode[]),
  message: z.string(),
  path: z.string().exactOptional(),
}) satisfies z.ZodType<Warning>;

/** A record of a change. Of the staff of another organization, only the organization's name is there. */
export const listedRecord = z.object({
  id: uuid,
  at: timestamp,
  tool: z.string(),
  via: z.enum(recordVias),
  /** False for one whose actor is not shown. */
  own: z.boolean(),
  organization: z.object({ id: uuid, slug: z.string(), name: z.string() }).nullable(),
  event: maybeNamed.extend({ timezone: z.string().nullable() }).nullable(),
  /** Name and e-mail address are null for a person who was removed. */
  user: maybeNamed.extend({ email: z.string().nullable() }).nullable(),
  api_key: maybeNamed.nullable(),
  /** The connected app. */
  app: maybeNamed.nullable(),
  /** The door link that was opened; `user` is who made it. */
  door_link: maybeNamed.nullable(),
  operator: z.string().nullable(),
  reason: z.string().nullable(),
  /** What the change was warned of when it was committed. */
  warnings: z.array(warning),
  /** The outcome of a change outside the service, or of an import, for which no states are known. */
  outcome: z.unknown(),
  effect: z.enum(["created", "removed", "changed"]),
  /** What it has undone, if it undid another change. */
  reverts: z.object({ record_id: uuid, tool: z.string(), at: timestamp, origin: z.string() }).nullable(),
  /** The argument that decides what the tool does, such as the action of a batch; of a revert, of what it undid. */
  action: z.string().nullable(),
  /** The first of the rows that it changed, by the names that they had then, and how many there are. */
  about: z.object({
    subjects: z.array(z.object({ kind: z.string(), id: uuid.nullable(), name: z.string() })),
    in_all: count,
  }),
  /** Who undid it, and when; of others, their organization. The name is null for a person who was removed. */
  undone: z.object({ by: z.string().nullable(), at: timestamp }).nullable(),
  /** The change that undid this one, while that is in effect. */
  reverted_by: uuid.nullable(),
  /** How many parts the change was committed in, what they changed, and how many are undone; null for one part. */
  parts: z.object({ count, changed: count, reverted: count }).nullable(),
  /** The tables of the rows that it replaced; null if these are not recorded. */
  kept_tables: z.array(z.string()).nullable(),
  /** Whether the commit found nothing to change. */
  unchanged: z.boolean(),
  /** What the organization that reads it is to the event now; null if it does not host it, or nobody sees the event. */
  hosting: hostRole.nullable(),
  /** Whether that organization has cancelled the event, of which nothing else can be undone then. */
  cancelled: z.boolean(),
  changes: z.array(z.object({ path: z.string(), from: z.unknown(), to: z.unknown() })),
  changes_in_all: count,
});

export type ListedRecord = z.output<typeof listedRecord>;
