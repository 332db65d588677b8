import { nobodyIsNotified } from "../../../../contract/schema/registrations.js";
import { exampleIds } from "../../../schema/examples.js";
import { defineTransition } from "../registration-transition.js";

export const restoreEventRegistration = defineTransition({
  name: "restore_event_registration",
  title: "Restore a declined registration",
  description: `Undo a decline: the guest gets back the status from before it. ${nobodyIsNotified}`,
  example: { event_id: exampleIds.event, registration_id: exampleIds.declinedRegistration },
  transition: "restore",
  destructive: false,
});
