import { line } from "../../../contract/schema/fields.js";
import { definePrompt, eventArgument, quoted } from "../prompt.js";

export const whatChangedSince = definePrompt({
  name: "what_changed_since",
  title: "What changed since",
  description: "A summary of what people and agents changed since a time, and what needs a look.",
  tools: ["get_organization_admin_snapshot", "list_changes"],
  arguments: {
    since: line(100).meta({ description: "a date, a time, or words such as yesterday noon" }),
    event: eventArgument.exactOptional(),
  },
  task: ({ since, event }) => [
    `Summarize what changed since ${JSON.stringify(since)}. Change nothing.`,
    ...quoted("Only about this event (find its id with get_organization_admin_snapshot if this is not one)", event),
    "Read list_changes from that time on, all pages; if the time is ambiguous, say how you read it. Group by event and then by kind of change: who, in which way (key or console), why, and from what to what. Times are local to each event.",
    "End with what needs a look: changes without a good reason, changes back and forth, and changes shortly before an event.",
  ],
});
