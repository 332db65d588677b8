import { z } from "zod";
import { registrationStatuses } from "../nouns.js";
import { registrationActions } from "../registrations.js";
import { email, flag, jsonObject, line, text, timestamp, uuid } from "./fields.js";

export const registrationStatus = z.enum(registrationStatuses);

export const registrationRow = z.strictObject({
  id: uuid.optional(),
  event: line(200),
  name: line(200),
  email,
  status: registrationStatus.optional(),
  previous_status: registrationStatus.exclude(["declined"]).nullable().optional(),
  ticket_type: line(200).nullable().optional(),
  answers: jsonObject.optional(),
  source: line(200).nullable().optional(),
  note: text(20_000).nullable().optional(),
  registered_at: timestamp.optional(),
  checked_in_at: timestamp.nullable().optional(),
});

/** What the descriptions of tools that change registrations say of people and of the other list of guests. */
export const nobodyIsNotified = "Nobody is notified; ticketing stays as it is.";

/** What changes of guests say about an event that is linked to the ticketing platform. */
export function ticketingNote(event: { isLinked: boolean } | undefined): { note?: string } {
  if (event?.isLinked !== true) return {};
  return {
    note: "This event also has guests on the ticketing platform: a list of its own, which this does not change. Nobody is notified.",
  };
}

/** The input of tools for one registration. */
export const oneRegistration = { registration_id: uuid };

export const allowOverCapacity = flag
  .default(false)
  .meta({ type: "boolean", description: "approve even if the event is full" });

/** A registration as lists show it. */
export const rosterItem = z.object({
  id: uuid,
  name: z.string(),
  email: z.string(),
  status: registrationStatus,
  ticket_type: z.string().nullable(),
  registered_at: timestamp,
  checked_in_at: timestamp.nullable(),
});

export const rosterCounts = z.object({
  pending: z.int(),
  approved: z.int(),
  waitlisted: z.int(),
  declined: z.int(),
  checked_in: z.int(),
  capacity: z.int().nullable(),
});

/** An event as the list of all rosters shows it. */
export const hostedRoster = rosterCounts.extend({
  id: uuid,
  name: z.string(),
  start_time: timestamp,
  timezone: z.string(),
});

/** Reason, user and key are null for changes by another organization, whose name is all that others see of its staff. */
const historyEntry = z.object({
  at: timestamp,
  tool: z.string(),
  from: z.string().nullable(),
  to: z.string().nullable(),
  reason: z.string().nullable(),
  user: z.object({ name: z.string(), email: z.string() }).nullable(),
  key: z.string().nullable(),
  /** Opened by a volunteer; `user` is who made the link. */
  door_link: z.object({ name: z.string().nullable() }).exactOptional(),
  organization: z.string().nullable(),
});

/** One guest with what was changed, and what can be done next. */
export const registrationDetails = z.object({
  registration: rosterItem.extend({
    previous_status: registrationStatus.exclude(["declined"]).nullable(),
    answers: z.record(z.string(), z.unknown()),
    answers_left_out: z.int().optional().meta({ description: "number of answers too long to show" }),
    source: z.string().nullable(),
    note: z.string().nullable(),
  }),
  history: z.array(historyEntry),
  open_moves: z.array(z.enum(registrationActions)),
});

export type Guest = z.output<typeof rosterItem>;
export type HistoryEntry = z.output<typeof historyEntry>;
