import { z } from "zod";
import { uuid } from "../../../schema/fields.js";
import { definePlatformMutation } from "../../../tools/mutation.js";
import { getOrganization } from "../../organizations/store.js";
import { getReferencedEvent } from "../event-reference.js";
import { setPrimaryHost } from "../host-rules.js";
import { listHosts, saveHosts } from "../host-store.js";

export const setEventHost = definePlatformMutation({
  name: "set_event_host",
  title: "Set an event's host",
  description: "Make an organization the host of an event. The host until now becomes a co-host.",
  destructive: true,
  input: z.object({ event_id: uuid, organization_id: uuid }),
  async read({ tx }, { event_id, organization_id }) {
    const { id } = await getReferencedEvent(tx, event_id);
    return { organization: await getOrganization(tx, organization_id), hosts: await listHosts(tx, id) };
  },
  propose: setPrimaryHost,
  store: ({ tx }, { proposed, input }) => saveHosts(tx, input.event_id, proposed.hosts),
});
