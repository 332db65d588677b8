import { exampleIds } from "../../../schema/examples.js";
import { hostMutation, readHostsAndOffer } from "../host-mutation.js";
import { removeCohost, requireHostOrItself } from "../host-rules.js";

export const removeEventCohost = hostMutation({
  name: "remove_event_cohost",
  title: "Remove a co-host",
  description:
    "Remove a co-host of an event that yours hosts, or leave an event by naming your own organization. Its keys lose access at once.",
  example: { event_id: exampleIds.event, organization_id: exampleIds.cohost },
  destructive: true,
  event: "host_or_co_host",
  read: readHostsAndOffer,
  require: (state, { organizationId }) => requireHostOrItself(state, organizationId),
  change: removeCohost,
});
