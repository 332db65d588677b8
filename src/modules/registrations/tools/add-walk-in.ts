import { z } from "zod";
import { ServiceError } from "../../../../contract/errors.js";
import { describeState, type Seats } from "../../../../contract/registrations.js";
import { email, line } from "../../../../contract/schema/fields.js";
import { nobodyIsNotified, ticketingNote } from "../../../../contract/schema/registrations.js";
import type { Warning } from "../../../../contract/warnings.js";
import { defineEventMutation } from "../../../runner/mutation.js";
import { addGuests, findGuests, type GuestRegistration, readSeats } from "../store.js";

/** `registration` is null, and then has no id, until the guest is added. */
type WalkIn = { registration: (Omit<GuestRegistration, "id"> & { id: string | null }) | null; seats?: Seats };

/**
 * For members, who work at the door. A full event is a warning: the guest stands there, and whoever is at the door knows
 * whether there is room.
 */
export const addWalkIn = defineEventMutation({
  name: "add_walk_in",
  title: "Add a guest at the door",
  group: "registrations",
  description: `Register somebody who is not on the guest list, approved and checked in. ${nobodyIsNotified}`,
  scope: "registrations:write",
  role: "member",
  event: "host_or_co_host",
  destructive: false,
  input: z.object({ name: line(200), email }),
  async read({ tx, event }, input): Promise<WalkIn> {
    const [[registration = null], seats] = await Promise.all([
      findGuests(tx, event.id, [input.email]),
      readSeats(tx, event.id, { unlimited: false }),
    ]);
    return { registration, ...seats };
  },
  propose({ registration, seats }, input) {
    if (registration !== null) throw alreadyListed(input.email, registration);
    const state = { status: "approved", previous_status: null, checked_in: true } as const;
    return {
      registration: { id: null, ...input, ...state, ticket_type: null },
      ...(seats && { seats: { ...seats, approved: seats.approved + 1 } }),
    };
  },
  basis: ({ registration }) => registration,
  warnings: ({ proposed: { seats } }): Warning[] =>
    seats === undefined || seats.approved <= seats.capacity
      ? []
      : [
          {
            code: "over_capacity",
            message: `The event is full: with this guest, ${seats.approved} are approved for ${seats.capacity} seats`,
            path: "seats",
          },
        ],
  report: (_, event) => ticketingNote(event),
  async store({ tx, event }, { input, proposed }) {
    const guest = { ...input, status: "approved" as const, ticket_type: null, checked_in: true };
    if ((await addGuests(tx, event.id, [guest], "door")) === 1) return;
    throw alreadyListed(input.email, proposed.registration);
  },
});

function alreadyListed(address: string, registration: WalkIn["registration"]): ServiceError {
  const state = registration === null ? "" : `, ${describeState(registration)}`;
  return new ServiceError(
    "conflict",
    `${address} is on the guest list already${state}. Nothing was changed. Find that guest in the list`,
    { details: { registration_id: registration?.id ?? null } },
  );
}
