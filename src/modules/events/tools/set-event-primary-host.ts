import { defineEventMutation } from "../../../tools/mutation.js";
import { setPrimaryHost } from "../host-rules.js";
import { saveHosts } from "../host-store.js";
import { hostingInput, readHosting } from "../hosting-input.js";

export const setEventPrimaryHost = defineEventMutation({
  name: "set_event_primary_host",
  title: "Hand an event over",
  group: "event_management",
  description:
    "Make another organization the host of an event. Yours becomes a co-host and can no longer change hosts.",
  scope: "events:write",
  role: "admin",
  event: "host",
  destructive: true,
  input: hostingInput,
  read: readHosting,
  propose: setPrimaryHost,
  store: (context, { proposed }) => saveHosts(context.tx, context.event.id, proposed.hosts),
});
