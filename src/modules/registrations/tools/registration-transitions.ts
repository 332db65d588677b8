import { z } from "zod";
import { afterCheckIn, canApprove, proposeTransition, type Transition } from "../../../../contract/registrations.js";
import { email, flag, uuid } from "../../../../contract/schema/fields.js";
import {
  allowOverCapacity,
  nobodyIsNotified,
  oneRegistration,
  ticketingNote,
} from "../../../../contract/schema/registrations.js";
import { defineEventMutation } from "../../../runner/mutation.js";
import { requireOneOf } from "../../../runner/one-or-many.js";
import type { ToolDeclaration } from "../../../runner/tool.js";
import { exampleIds } from "../../../schema/examples.js";
import { requireOwnCheckIn } from "../history-store.js";
import { getRegistration, type RegistrationKey, readSeats, saveCheckIns, saveStates } from "../store.js";

/** A tool for one transition of one registration. */
function defineTransition({
  transition,
  ...tool
}: Pick<ToolDeclaration, "name" | "title" | "description" | "example"> & {
  destructive: boolean;
  transition: Transition;
}) {
  const approves = canApprove(transition);
  return defineEventMutation({
    ...tool,
    group: "registrations",
    scope: "registrations:write",
    role: "admin",
    event: "host_or_co_host",
    input: z.object({ ...oneRegistration, ...(approves && { allow_over_capacity: allowOverCapacity }) }),
    async read({ tx, event }, input) {
      const unlimited = !approves || input.allow_over_capacity === true;
      const [registration, seats] = await Promise.all([
        getRegistration(tx, event.id, { id: input.registration_id }),
        readSeats(tx, event.id, { unlimited }),
      ]);
      return { registration, ...seats };
    },
    propose: (current) => proposeTransition(current, transition),
    // Whether a seat is free is checked by `propose`, so other guests are no part of the version.
    basis: ({ registration }) => registration,
    store: ({ tx, event }, { proposed }) => saveStates(tx, event.id, [proposed.registration]),
    report: (_, event) => ticketingNote(event),
  });
}

export const approveEventRegistration = defineTransition({
  name: "approve_event_registration",
  title: "Approve a registration",
  description: `Approve a pending or waitlisted guest; refused if the event is full. For several guests use batch_update_event_registrations. ${nobodyIsNotified}`,
  example: { event_id: exampleIds.event, registration_id: exampleIds.pendingRegistration },
  transition: "approve",
  destructive: false,
});

export const declineEventRegistration = defineTransition({
  name: "decline_event_registration",
  title: "Decline a registration",
  description: `Decline a pending, waitlisted or approved guest. restore_event_registration undoes it. ${nobodyIsNotified}`,
  example: { event_id: exampleIds.event, registration_id: exampleIds.pendingRegistration },
  transition: "decline",
  destructive: true,
});

export const waitlistEventRegistration = defineTransition({
  name: "waitlist_event_registration",
  title: "Waitlist a registration",
  description: `Put a pending or approved guest on the waiting list. ${nobodyIsNotified}`,
  example: { event_id: exampleIds.event, registration_id: exampleIds.pendingRegistration },
  transition: "waitlist",
  destructive: false,
});

export const restoreEventRegistration = defineTransition({
  name: "restore_event_registration",
  title: "Restore a declined registration",
  description: `Undo a decline: the guest gets back the status from before it. ${nobodyIsNotified}`,
  example: { event_id: exampleIds.event, registration_id: exampleIds.declinedRegistration },
  transition: "restore",
  destructive: false,
});

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
  async read({ tx, event, caller: { via } }, input, key) {
    const registration = await getRegistration(tx, event.id, key);
    if (via.kind === "door" && registration.checked_in && !input.checked_in) {
      await requireOwnCheckIn(tx, event.id, registration.id, via.linkId);
    }
    return { registration };
  },
  propose: ({ registration }, input) => ({ registration: afterCheckIn(registration, input.checked_in) }),
  store: ({ tx, event }, { input, proposed }) =>
    saveCheckIns(tx, event.id, [proposed.registration.id], input.checked_in),
  report: (_, event) => ticketingNote(event),
});
