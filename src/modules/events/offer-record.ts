import type { OrganizationCaller, PlatformCaller } from "../../access/caller.js";
import type { Queryable } from "../../infra/database/db.js";
import type { OfferedChange } from "./host-rules.js";
import { getEventName, recordOffer } from "./store.js";

/**
 * Records in the history of an organization that an event was offered to it, or no longer is. The organization that answers has
 * a record of its own, and one that becomes the host without being asked finds that change.
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
  const host = proposed.hosts.find(({ role }) => role === "host");
  const isInformed = (id: string) => id === callerId || id === host?.id;
  const event = { id: eventId, name: await getEventName(tx, eventId) };
  if (before !== null && !isInformed(before.to.id)) await recordOffer(tx, caller, "withdrawn", { ...before, event });
  if (after !== null && !isInformed(after.to.id)) await recordOffer(tx, caller, "received", { ...after, event });
}
