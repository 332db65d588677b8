import { aboutEvent, definePrompt, details, eventArgument, quoted, safely } from "../prompt.js";

export const buildRunOfShow = definePrompt({
  name: "build_run_of_show",
  title: "Build a run of show",
  description: "Turn a program into segments with times, speakers and breaks, and check it for gaps and overlaps.",
  tools: [
    "get_organization_admin_snapshot",
    "get_event_admin_snapshot",
    "get_event_run_of_show",
    "create_event_segment",
    "update_event_segment",
    "reorder_event_segments",
    "set_event_run_of_show_publication",
  ],
  arguments: { event: eventArgument, program: details("the parts in order, with lengths or times").exactOptional() },
  task: ({ event, program }) => [
    "Build the run of show of an event.",
    aboutEvent(event),
    ...quoted("The program", program),
    "Read the event's times, zone and speakers with get_event_admin_snapshot, and what is there already with get_event_run_of_show. Draft a table for me: local start, length, title, kind, speakers, location. It stays within the event, has breaks where people need them, and no speaker is in two places at once. Ask for what is missing.",
    "Once I agree with the table, create the segments with create_event_segment, in as few calls as its schema allows; correct existing ones with update_event_segment and reorder_event_segments. Read get_event_run_of_show again and report gaps and overlaps. Publish with set_event_run_of_show_publication only if I ask for it.",
    safely,
  ],
});
