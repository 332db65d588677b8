import { exampleIds } from "../../../schema/examples.js";
import { defineTransition } from "../registration-transition.js";

export const approveEventRegistration = defineTransition({
  name: "approve_event_registration",
  title: "Approve a registration",
  description:
    "Approve one pending or waitlisted guest. Refused when the event is full. For several: batch_update_event_registrations.",
  example: { event_id: exampleIds.event, registration_id: exampleIds.pendingRegistration },
  transition: "approve",
  destructive: false,
});
