import { z } from "zod";
import { pinDigits } from "../door-links.js";
import { email, flag, line, text, timestamp, uuid } from "../schema/fields.js";
import { doorEvent, doorGuest, doorTime } from "./guests.js";
import { count, eventParams, listOf, named } from "./parts.js";

/** A guest as volunteers see them: no e-mail address, and nothing that the guest or the organizers wrote. */
const volunteerGuest = doorGuest.omit({ email: true });

const page = z.object({ cursor: z.string().max(1000).optional() });

const listedLink = named.extend({
  created_by: named,
  created_at: timestamp,
  last_used_at: timestamp.nullable(),
  ends_at: timestamp,
  /** On how many it was opened. */
  devices: count,
  /** Locked: by wrong PINs, for those who have not opened it yet. Ended: the event is over, or the maker may no longer manage it. */
  state: z.enum(["open", "locked", "ended"]),
});

const openedLink = z.object({
  link: named,
  /** The name of whoever made it. */
  maker: z.string(),
  event: doorEvent,
  organization: z.object({ name: z.string(), brand_primary_color: z.string().nullable() }),
});

/** What a preview returned, and a key under which the commit happens once. */
const commit = z.strictObject({
  reason: text(500),
  idempotency_key: uuid,
  expected_version: z.string().max(1000),
});

const checkIn = { registration_id: uuid, checked_in: flag };
const walkIn = { name: line(200), email };

export const doorLinkOperations = {
  doorLinks: { params: eventParams, response: z.object({ timezone: z.string(), items: z.array(listedLink) }) },

  /** Opens the door on this device, with the secret of the link and the PIN. */
  openDoor: {
    body: z.strictObject({ token: z.string().max(100), pin: z.string().max(2 * pinDigits) }),
  },
  closeDoor: {},
  openedDoor: { response: openedLink },
  volunteerGuests: {
    query: page,
    response: listOf(volunteerGuest).extend({ event: doorEvent, ...doorTime }),
  },
  volunteerChanges: {
    query: z.object({ since: timestamp }),
    response: z.object({ event: doorEvent, ...doorTime, reload: z.boolean(), items: z.array(volunteerGuest) }),
  },
  volunteerGuest: { params: z.object({ registration: uuid }), response: z.object({ guest: volunteerGuest }) },
  volunteerScan: {
    body: z.strictObject({ code: z.string().max(200) }),
    response: z.object({ guest: volunteerGuest }),
  },
  previewVolunteerCheckIn: {
    body: z.strictObject(checkIn),
    response: z.object({ checked_in: z.boolean(), expected_version: z.string() }),
  },
  volunteerCheckIn: { body: z.strictObject({ ...checkIn, ...commit.shape }) },
  previewVolunteerWalkIn: {
    body: z.strictObject(walkIn),
    response: z.object({ warnings: z.array(z.string()), expected_version: z.string() }),
  },
  volunteerWalkIn: {
    body: z.strictObject({ ...walkIn, ...commit.shape }),
    response: z.object({ registration_id: uuid }),
  },
};

export type ListedDoorLink = z.output<typeof listedLink>;
export type OpenedLink = z.output<typeof openedLink>;
