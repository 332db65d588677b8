import { nobodyIsNotified } from "../../../../contract/schema/registrations.js";
import { exampleIds } from "../../../schema/examples.js";
import { defineTransition } from "../registration-transition.js";

export const declineEventRegistration = defineTransition({
  name: "decline_event_registration",
  title: "Decline a registration",
  description: `Decline a pending, waitlisted or approved guest. restore_event_registration undoes it. ${nobodyIsNotified}`,
  example: { event_id: exampleIds.event, registration_id: exampleIds.pendingRegistration },
  transition: "decline",
  destructive: true,
});
