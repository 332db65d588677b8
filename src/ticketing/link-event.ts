import sql from "sql-template-tag";
import type { Actor } from "../access/caller.js";
import { findEvents, lockEventByReference, type ReferencedEvent } from "../modules/events/event-reference.js";
import { type Database, sqlState } from "../platform/database/db.js";
import { updateRow } from "../platform/database/update-row.js";
import { ServiceError } from "../platform/errors.js";
import { recordedChange } from "../tools/recorded-change.js";

/** Links an event, given by id or name, to an event of the ticketing platform; null unlinks it. */
export async function linkEvent(
  db: Database,
  actor: Actor,
  reference: string,
  ticketingEventId: string | null,
): Promise<ReferencedEvent> {
  try {
    const { result } = await recordedChange(db, actor, async (tx) => {
      const before = await lockEventByReference(tx, reference);
      const after = { ...before, ticketing_event_id: ticketingEventId };
      await updateRow(tx, "events", { id: before.id }, { ticketing_event_id: ticketingEventId });
      const request = { event: reference, ticketing_id: ticketingEventId };
      const changed = before.ticketing_event_id !== ticketingEventId;
      const record = { tool: "svc:events link", event_id: before.id, request, before, after };
      return { result: after, record: changed ? record : null };
    });
    return result;
  } catch (error) {
    if (sqlState(error) !== uniqueViolation) throw error;
    const [owner] = await findEvents(db, sql`e.ticketing_event_id = ${ticketingEventId}`);
    const name = owner === undefined ? "another event" : `${owner.name} (${owner.id})`;
    throw new ServiceError("conflict", `${ticketingEventId} is already linked to ${name}; unlink that event first`);
  }
}

const uniqueViolation = "23505";
