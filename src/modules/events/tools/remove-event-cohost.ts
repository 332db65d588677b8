import { exampleIds } from "../../../schema/examples.js";
import { hostMutation, readHostsAndOffer } from "../host-mutation.js";
import { removeCohost, requireHostOrItself } from "../host-rules.js";
import { getEventName } from "../store.js";
import { leavingWarnings } from "../warnings.js";

export const removeEventCohost = hostMutation({
  name: "remove_event_cohost",
  title: "Remove a co-host",
  description:
    "Remove a co-host from an event that yours hosts, or leave an event by naming your own organization. Access to the event ends at once.",
  example: { event_id: exampleIds.event, organization_id: exampleIds.cohost },
  destructive: true,
  event: "host_or_co_host",
  read: readHostsAndOffer,
  require: (state, { organizationId }) => requireHostOrItself(state, organizationId),
  change: removeCohost,
  related: async ({ tx, caller, event }) => ({ caller, event: await getEventName(tx, event.id) }),
  warnings: ({ current, proposed }, { caller, event }) => leavingWarnings(current, proposed, caller, event),
});
