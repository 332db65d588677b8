import { aboutEvent, definePrompt, eventArgument } from "../prompt.js";

export const doorBriefing = definePrompt({
  name: "door_briefing",
  title: "Brief the door",
  description: "One page for the people at the door: times, place, numbers, who is who, and open questions.",
  tools: [
    "get_organization_admin_snapshot",
    "get_event_admin_snapshot",
    "get_event_run_of_show",
    "list_event_registrations",
  ],
  arguments: { event: eventArgument },
  task: ({ event }) => [
    "Write a briefing for the people at the door of an event. Change nothing.",
    aboutEvent(event),
    "Read get_event_admin_snapshot, get_event_run_of_show and list_event_registrations (the counts, and the approved guests with notes).",
    "One page in this order: when and where in local time, with the address; doors, start and end; guests approved, checked in, waitlisted and still pending against the capacity; speakers and hosts by name, so that they are recognized; guests whose notes ask for something; what to do with people who are waitlisted or not on the list. Mark what you do not know. Leave out e-mail addresses.",
  ],
});
