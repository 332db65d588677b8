import { defineTransition } from "../registration-transition.js";

export const waitlistEventRegistration = defineTransition({
  name: "waitlist_event_registration",
  title: "Waitlist a registration",
  description:
    "Put one pending or approved guest on the waiting list. approve_event_registration takes the guest off it.",
  transition: "waitlist",
  destructive: false,
});
