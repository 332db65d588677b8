import { exampleIds } from "../../../schema/examples.js";
import { hostMutation } from "../host-mutation.js";
import { removeCohost } from "../host-rules.js";

export const removeEventCohost = hostMutation({
  name: "remove_event_cohost",
  title: "Remove a co-host",
  description:
    "Remove an organization from the co-hosts of an event that yours hosts; its keys lose access immediately. The host itself cannot be removed.",
  example: { event_id: exampleIds.event, organization_id: exampleIds.cohost },
  destructive: true,
  change: removeCohost,
});
