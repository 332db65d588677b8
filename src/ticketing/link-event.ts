import type { Actor } from "../access/caller.js";
import type { Database } from "../infra/database/db.js";
import { lockEventByReference, type ReferencedEvent, saveTicketingLink } from "../modules/events/admin-store.js";
import { recordedChange } from "../records/recorded-change.js";

/** Links an event, given by id or name, to an event of the ticketing platform; null unlinks it. */
export async function linkEvent(
  db: Database,
  actor: Actor,
  reference: string,
  ticketingEventId: string | null,
): Promise<ReferencedEvent> {
  const { result } = await recordedChange(db, actor, async (tx) => {
    const before = await lockEventByReference(tx, reference);
    const after = { ...before, ticketing_event_id: ticketingEventId };
    await saveTicketingLink(tx, before.id, { ticketing_event_id: ticketingEventId });
    const request = { event: reference, ticketing_id: ticketingEventId };
    const changed = before.ticketing_event_id !== ticketingEventId;
    const record = { tool: "svc:events link", event_id: before.id, request, before, after };
    return { result: after, record: changed ? record : null };
  });
  return result;
}
