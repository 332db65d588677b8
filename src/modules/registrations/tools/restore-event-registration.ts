import { exampleIds } from "../../../schema/examples.js";
import { defineTransition } from "../registration-transition.js";

export const restoreEventRegistration = defineTransition({
  name: "restore_event_registration",
  title: "Restore a declined registration",
  description: "Undo a decline: back to the status before it.",
  example: { event_id: exampleIds.event, registration_id: exampleIds.declinedRegistration },
  transition: "restore",
  destructive: false,
});
