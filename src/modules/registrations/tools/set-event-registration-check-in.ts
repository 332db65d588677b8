import { z } from "zod";
import { afterCheckIn } from "../../../../contract/registrations.js";
import { email, flag, uuid } from "../../../../contract/schema/fields.js";
import { ticketingNote } from "../../../../contract/schema/registrations.js";
import { defineEventMutation } from "../../../runner/mutation.js";
import { requireOneOf } from "../../../runner/one-or-many.js";
import { exampleIds } from "../../../schema/examples.js";
import { getRegistration, type RegistrationKey, saveCheckIns } from "../store.js";

export const setEventRegistrationCheckIn = defineEventMutation({
  name: "set_event_registration_check_in",
  title: "Check a guest in or out",
  group: "registrations",
  description: "Check in an approved guest, or undo it with checked_in: false. Send registration_id or email.",
  scope: "registrations:write",
  role: "member",
  example: { event_id: exampleIds.event, registration_id: exampleIds.approvedRegistration, checked_in: true },
  event: "host_or_co_host",
  destructive: false,
  input: z.object({
    registration_id: uuid.exactOptional(),
    email: email.exactOptional(),
    checked_in: flag,
  }),
  prepare: async (_, { registration_id: id, email: address }): Promise<RegistrationKey> => {
    requireOneOf({ registration_id: id, email: address }, ["registration_id", "email"]);
    return id === undefined ? { email: address ?? "" } : { id };
  },
  read: async ({ tx, event }, _, key) => ({ registration: await getRegistration(tx, event.id, key) }),
  propose: ({ registration }, input) => ({ registration: afterCheckIn(registration, input.checked_in) }),
  store: ({ tx, event }, { input, proposed }) =>
    saveCheckIns(tx, event.id, [proposed.registration.id], input.checked_in),
  report: (_, event) => ticketingNote(event),
});
