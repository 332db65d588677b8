import { exampleIds } from "../../../schema/examples.js";
import { hostMutation, readHosts } from "../host-mutation.js";
import { addCohost } from "../host-rules.js";

export const addEventCohost = hostMutation({
  name: "add_event_cohost",
  title: "Add a co-host",
  description: "Make another organization a co-host of an event that yours hosts. It gets access to the event at once.",
  example: { event_id: exampleIds.event, organization_id: exampleIds.otherOrganization },
  destructive: false,
  event: "host",
  read: readHosts,
  change: addCohost,
});
