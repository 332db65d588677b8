import { nobodyIsNotified } from "../../../../contract/schema/registrations.js";
import { exampleIds } from "../../../schema/examples.js";
import { defineTransition } from "../registration-transition.js";

export const approveEventRegistration = defineTransition({
  name: "approve_event_registration",
  title: "Approve a registration",
  description: `Approve a pending or waitlisted guest; refused if the event is full. For several guests use batch_update_event_registrations. ${nobodyIsNotified}`,
  example: { event_id: exampleIds.event, registration_id: exampleIds.pendingRegistration },
  transition: "approve",
  destructive: false,
});
