import { defineTransition } from "../registration-transition.js";

export const restoreEventRegistration = defineTransition({
  name: "restore_event_registration",
  title: "Restore a declined registration",
  description:
    "Undo a decline: the guest returns to the status before it (pending if unknown). Refused when that is approved and the event is full.",
  transition: "restore",
  destructive: false,
});
