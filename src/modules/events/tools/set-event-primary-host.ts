import { exampleIds } from "../../../schema/examples.js";
import { hostMutation } from "../host-mutation.js";
import { setPrimaryHost } from "../host-rules.js";

export const setEventPrimaryHost = hostMutation({
  name: "set_event_primary_host",
  title: "Hand an event over",
  description:
    "Make another organization the host of an event. Yours becomes a co-host and can no longer change hosts.",
  example: { event_id: exampleIds.event, organization_id: exampleIds.cohost },
  destructive: true,
  change: setPrimaryHost,
});
