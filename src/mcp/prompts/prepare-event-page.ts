import { aboutEvent, definePrompt, details, eventArgument, quoted, safely } from "../prompt.js";

export const prepareEventPage = definePrompt({
  name: "prepare_event_page",
  title: "Prepare an event page",
  description: "Complete an event's description, times, place and speakers until the page can be published.",
  tools: [
    "get_organization_admin_snapshot",
    "get_event_admin_snapshot",
    "update_event_details",
    "add_event_speaker",
    "update_event_speaker",
  ],
  arguments: {
    event: eventArgument,
    facts: details("what is known: speakers, topic, place, tone").exactOptional(),
  },
  task: ({ event, facts }) => [
    "Prepare the page of an event for publication.",
    aboutEvent(event),
    ...quoted("What I know about it", facts),
    "Read it with get_event_admin_snapshot. List what is missing or doubtful: description, start and end in the event's time zone, venue and address, capacity, speakers without title, company, bio or photo. Ask me for facts that you do not have; do not invent any.",
    "Then propose the changes: update_event_details for the event (one call for all fields), add_event_speaker and update_event_speaker for people. Set the status to published last, and only if I ask for it.",
    safely,
  ],
});
