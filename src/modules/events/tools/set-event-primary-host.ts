import { roleAtLeast } from "../../../../contract/roles.js";
import { defineEventMutation } from "../../../runner/mutation.js";
import { exampleIds } from "../../../schema/examples.js";
import { findMemberRole } from "../../organizations/store.js";
import { basisOfHosts, hostTool, readHostsAndOffer } from "../host-mutation.js";
import { decideHost, effectOfHost, type HostCaller } from "../host-rules.js";
import { saveHostOffer, saveHosts } from "../host-store.js";
import { getOrganizationNamed } from "../named-organization.js";
import { recordForRecipient } from "../offer-record.js";
import { handOverWarnings } from "../warnings.js";

export const setEventPrimaryHost = defineEventMutation({
  ...hostTool,
  name: "set_event_primary_host",
  title: "Hand an event over",
  description:
    "Make another organization the host. A co-host takes over at once. Any other organization gets an offer: it names itself to accept, or the current host to decline; name yourself to withdraw.",
  example: { event_id: exampleIds.event, organization_id: exampleIds.cohost },
  event: "host_or_offered",
  destructive: true,
  async prepare({ db, caller }, input): Promise<HostCaller> {
    const { organizationId, userId } = caller;
    const named = await getOrganizationNamed(db, caller, input);
    const role = await findMemberRole(db, named.id, userId);
    return { organizationId, administersNamed: role !== undefined && roleAtLeast(role, "admin") };
  },
  read: readHostsAndOffer,
  propose: (current, _input, caller) => decideHost(current, caller),
  basis: (current) => basisOfHosts(current),
  warnings: ({ current, proposed, prepared }) => handOverWarnings(current, proposed, prepared),
  async store({ tx, event, caller }, { current, proposed }) {
    await Promise.all([
      saveHosts(tx, event.id, proposed.hosts),
      saveHostOffer(tx, event.id, proposed.offer, caller.userId),
    ]);
    await recordForRecipient(tx, event.id, caller, current, proposed);
  },
  report({ current, proposed, prepared: caller }) {
    const effect = effectOfHost(current, proposed, caller);
    return effect === undefined ? {} : { effect };
  },
});
