import { z } from "zod";
import { uuid } from "../../../../contract/schema/fields.js";
import { definePlatformMutation } from "../../../runner/mutation.js";
import { getOrganization } from "../../organizations/store.js";
import { getReferencedEvent } from "../event-reference.js";
import { type OfferedChange, setHost } from "../host-rules.js";
import { findHostOffer, listHosts, saveHosts } from "../host-store.js";
import { recordForRecipient } from "../offer-record.js";

export const setEventHost = definePlatformMutation({
  name: "set_event_host",
  title: "Set an event's host",
  description:
    "Make an organization the host of an event, without asking it. The host until now becomes a co-host, and its offer of the event ends.",
  destructive: true,
  input: z.object({ event_id: uuid, organization_id: uuid }),
  async read({ tx }, { event_id, organization_id }): Promise<OfferedChange> {
    const { id } = await getReferencedEvent(tx, event_id);
    const organization = await getOrganization(tx, organization_id);
    return { organization, hosts: await listHosts(tx, id), offer: await findHostOffer(tx, id, null) };
  },
  propose: setHost,
  async store({ tx, caller }, { current, proposed, input: { event_id } }) {
    await saveHosts(tx, event_id, proposed.hosts);
    await recordForRecipient(tx, event_id, caller, current, proposed);
  },
});
