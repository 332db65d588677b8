import { nobodyIsNotified } from "../../../../contract/schema/registrations.js";
import { exampleIds } from "../../../schema/examples.js";
import { defineTransition } from "../registration-transition.js";

export const waitlistEventRegistration = defineTransition({
  name: "waitlist_event_registration",
  title: "Waitlist a registration",
  description: `Put a pending or approved guest on the waiting list. ${nobodyIsNotified}`,
  example: { event_id: exampleIds.event, registration_id: exampleIds.pendingRegistration },
  transition: "waitlist",
  destructive: false,
});
