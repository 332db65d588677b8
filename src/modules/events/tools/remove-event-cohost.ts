import { defineEventMutation } from "../../../tools/mutation.js";
import { removeCohost } from "../host-rules.js";
import { saveHosts } from "../host-store.js";
import { hostingInput, readHosting } from "../hosting-input.js";

export const removeEventCohost = defineEventMutation({
  name: "remove_event_cohost",
  title: "Remove a co-host",
  group: "event_management",
  description:
    "Take an organization off the co-hosts of an event that yours hosts; its keys lose the event at once. The host itself cannot be removed.",
  scope: "events:write",
  role: "admin",
  event: "host",
  destructive: true,
  input: hostingInput,
  read: readHosting,
  propose: removeCohost,
  store: (context, { proposed }) => saveHosts(context.tx, context.event.id, proposed.hosts),
});
