import { z } from "zod";
import { line, timestamp, uuid } from "../schema/fields.js";
import { registrationStatus, rosterCounts, rosterItem } from "../schema/registrations.js";
import { eventParams, eventReference, listOf } from "./parts.js";

/** How many guests an event has in each state. */
export const stateCounts = rosterCounts.omit({ capacity: true });

export const doorEvent = eventReference.extend({ end_time: timestamp });

/** A guest as it is after a change, without what never changes. */
export const doorGuest = rosterItem.omit({ registered_at: true }).extend({
  /** Recognizes the guest's code without containing it. */
  code_hash: z.string(),
});

/** The moment from which changes are read next time: pass `as_of` as `since`. */
export const doorTime = { now: timestamp, as_of: timestamp };

const guestState = z.object({ id: uuid, name: z.string(), status: registrationStatus, checked_in: z.boolean() });

const guestChanges = z.object({
  event: doorEvent,
  counts: rosterCounts,
  ...doorTime,
  /** Too much has changed to be listed: read everything again. */
  reload: z.boolean(),
  items: z.array(doorGuest),
});

const doorPage = listOf(doorGuest).extend({ event: doorEvent, ...doorTime });

const guestCode = rosterItem.pick({ id: true, name: true, ticket_type: true }).extend({ code: z.string() });
const codePage = listOf(guestCode).extend({ event: doorEvent });

const page = z.object({ cursor: z.string().max(1000).optional() });

const guestFilters = z.object({
  status: registrationStatus.optional(),
  checked_in: z
    .enum(["true", "false"])
    .transform((value) => value === "true")
    .optional(),
  query: line(200)
    .transform((value) => value.trim())
    .optional(),
});

export const guestOperations = {
  /** The event, its counts, and the guests who changed since then. */
  guestChanges: {
    params: eventParams,
    query: z.object({ since: timestamp.optional() }),
    response: guestChanges,
  },
  /** The states of all guests who match, for changes of many. */
  guestSelection: {
    params: eventParams,
    query: guestFilters,
    response: z.object({ items: z.array(guestState) }),
  },
  /** All guests who match, for a spreadsheet. */
  exportGuests: { params: eventParams, query: guestFilters },
  /** The codes of all approved guests, to be printed. */
  guestCodes: { params: eventParams, query: page, response: codePage },
  /** The code that a guest shows at the door. */
  guestCode: { params: eventParams.extend({ registration: uuid }), response: z.object({ code: z.string() }) },
  /** A page of the guests, for devices at the door. */
  door: { params: eventParams, query: page, response: doorPage },
  /** The guest whom a code is for, where a device does not know them. */
  scanCode: {
    params: eventParams,
    body: z.strictObject({ code: z.string().max(200) }),
    response: z.object({ guest: doorGuest }),
  },
  /** The check-in of an event as an application to install. */
  doorManifest: { params: eventParams },
};

export type StateCounts = z.output<typeof stateCounts>;
export type GuestCounts = z.output<typeof rosterCounts>;
export type GuestEvent = z.output<typeof doorEvent>;
export type DoorGuest = z.output<typeof doorGuest>;
export type GuestState = z.output<typeof guestState>;
export type GuestChanges = z.output<typeof guestChanges>;
export type DoorPage = z.output<typeof doorPage>;
export type GuestFilters = z.output<typeof guestFilters>;
