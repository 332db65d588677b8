import { z } from "zod";
import { ServiceError } from "../../../platform/errors.js";
import { exampleIds } from "../../../schema/examples.js";
import { email, line } from "../../../schema/fields.js";
import { defineEventMutation } from "../../../tools/mutation.js";
import { afterApprovals, describeState, type Seats } from "../rules.js";
import { allowOverCapacity, registrationStatus } from "../schema.js";
import { addGuest, findGuest, type GuestRegistration, readSeats } from "../store.js";

type NewGuest = Omit<GuestRegistration, "id"> & { id: null };

type AddGuestState = { registration: GuestRegistration | NewGuest | null; seats?: Seats };

export const addEventGuest = defineEventMutation({
  name: "add_event_guest",
  title: "Add a guest",
  group: "registrations",
  description:
    "Register a guest for an event, approved unless status is pending. An e-mail address can be registered once per event; a conflict names the existing registration.",
  scope: "registrations:write",
  role: "admin",
  example: { event_id: exampleIds.event, name: "Grace Hopper", email: "grace@example.com" },
  event: "host_or_co_host",
  destructive: false,
  input: z.object({
    name: line(200),
    email,
    ticket_type: line(200).nullable().default(null),
    status: registrationStatus.extract(["approved", "pending"]).default("approved"),
    allow_over_capacity: allowOverCapacity,
  }),
  async read({ tx, event }, input): Promise<AddGuestState> {
    const unlimited = input.status !== "approved" || input.allow_over_capacity;
    return {
      registration: (await findGuest(tx, event.id, input.email)) ?? null,
      ...(await readSeats(tx, event.id, { unlimited })),
    };
  },
  propose(current, input) {
    if (current.registration !== null) throw alreadyRegistered(current.registration);
    const { name, email, status, ticket_type } = input;
    return {
      registration: { id: null, name, email, status, previous_status: null, checked_in: false, ticket_type },
      ...afterApprovals(current.seats, status === "approved" ? 1 : 0),
    };
  },
  async store({ tx, event }, { input }) {
    if (await addGuest(tx, event.id, input)) return;
    throw new ServiceError(
      "conflict",
      "This e-mail address was registered by another request. Nothing was changed. Preview again",
    );
  },
});

function alreadyRegistered(registration: GuestRegistration | NewGuest): ServiceError {
  return new ServiceError(
    "conflict",
    `${registration.email} is already registered: registration ${registration.id}, ${describeState(registration)}. Nothing was changed. Change that registration instead`,
    { details: { registration_id: registration.id, status: registration.status, checked_in: registration.checked_in } },
  );
}
