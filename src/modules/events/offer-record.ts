import type { OrganizationCaller, PlatformCaller } from "../../access/caller.js";
import type { Queryable } from "../../platform/database/db.js";
import { insertRecord } from "../../tools/recorded-change.js";
import type { OfferedChange } from "./host-rules.js";
import { getEventName } from "./store.js";

/**
 * Records in the history of an organization that does not host the event that it was offered to it, or is no longer. Hosts find
 * the record of the change itself, and the organization that answers has its own.
 */
export async function recordForRecipient(
  tx: Queryable,
  eventId: string,
  caller: OrganizationCaller | PlatformCaller,
  current: OfferedChange,
  proposed: OfferedChange,
): Promise<void> {
  const [before, after] = [current.offer, proposed.offer];
  if (before?.to.id === after?.to.id) return;
  const callerId = caller.tier === "organization" ? caller.organizationId : null;
  const isInformed = (id: string) => id === callerId || proposed.hosts.some((host) => host.id === id);
  const offered = { event: { id: eventId, name: await getEventName(tx, eventId) } };
  const record = (organization_id: string, tool: string, states: { before?: object; after?: object }) =>
    insertRecord(
      tx,
      { via: { kind: caller.via.kind === "key" ? "key" : "console" }, name: null },
      { tool, organization_id, request: { event_id: eventId }, ...states },
    );
  if (before !== null && !isInformed(before.to.id)) {
    await record(before.to.id, "host_offer_withdrawn", { before: { ...offered, from: before.from } });
  }
  if (after !== null && !isInformed(after.to.id)) {
    await record(after.to.id, "host_offer_received", { after: { ...offered, from: after.from } });
  }
}
