import { z } from "zod";
import { ServiceError } from "../../../platform/errors.js";
import { email, line } from "../../../schema/fields.js";
import { defineEventMutation } from "../../../tools/mutation.js";
import { afterApprovals, describe, type Seats, type Standing } from "../rules.js";
import { allowOverCapacity, registrationStatus } from "../schema.js";
import { addGuest, findGuest, readSeats } from "../store.js";

type Guest = Standing & { id: string | null; name: string; email: string; ticket_type: string | null };

export const addEventGuest = defineEventMutation({
  name: "add_event_guest",
  title: "Add a guest",
  group: "registrations",
  description:
    "Register a guest for an event, approved at once unless status is pending. An e-mail address can register once an event: a conflict names the registration that has it.",
  scope: "registrations:write",
  role: "admin",
  event: "host_or_co_host",
  destructive: false,
  input: z.object({
    name: line(200),
    email,
    ticket_type: line(200).nullable().default(null),
    status: registrationStatus.extract(["approved", "pending"]).default("approved"),
    allow_over_capacity: allowOverCapacity,
  }),
  async read(context, input): Promise<{ registration: Guest | null; seats?: Seats }> {
    const unlimited = input.status !== "approved" || input.allow_over_capacity;
    return {
      registration: (await findGuest(context.tx, context.event.id, input.email)) ?? null,
      ...(await readSeats(context.tx, context.event.id, { unlimited })),
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
  async store(context, { input }) {
    if (await addGuest(context.tx, context.event.id, input)) return;
    throw new ServiceError("conflict", "This e-mail address was registered at the same moment: preview again");
  },
});

function alreadyRegistered(registration: Guest): ServiceError {
  return new ServiceError(
    "conflict",
    `${registration.email} is registered already: registration ${registration.id}, ${describe(registration)}. Nothing was changed. Move that registration instead`,
    { details: { registration_id: registration.id, status: registration.status, checked_in: registration.checked_in } },
  );
}
