import { defineEventMutation } from "../../../tools/mutation.js";
import { addCohost } from "../host-rules.js";
import { saveHosts } from "../host-store.js";
import { hostingInput, readHosting } from "../hosting-input.js";

export const addEventCohost = defineEventMutation({
  name: "add_event_cohost",
  title: "Add a co-host",
  group: "event_management",
  description:
    "Let another organization co-host an event that yours hosts: its keys then reach the event too. Name it by id or slug.",
  scope: "events:write",
  role: "admin",
  event: "host",
  destructive: false,
  input: hostingInput,
  read: readHosting,
  propose: addCohost,
  store: (context, { proposed }) => saveHosts(context.tx, context.event.id, proposed.hosts),
});
