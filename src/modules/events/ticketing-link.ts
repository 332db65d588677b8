import sql from "sql-template-tag";
import { ServiceError } from "../../../contract/errors.js";
import { type Queryable, sqlState } from "../../infra/database/db.js";
import { updateRow } from "../../infra/database/update-row.js";
import { findEvents } from "./event-reference.js";

export type TicketingLink = { ticketing_event_id: string | null; luma_url: string | null };

/** Refuses an event of the ticketing platform that another event is linked to. */
export async function requireUnlinked(tx: Queryable, eventId: string, ticketingEventId: string | null): Promise<void> {
  const [owner] = await findEvents(tx, sql`e.ticketing_event_id = ${ticketingEventId} and e.id <> ${eventId}`);
  if (owner !== undefined) throw alreadyLinked(ticketingEventId, `${owner.name} (${owner.id})`);
}

export async function saveTicketingLink(tx: Queryable, eventId: string, link: Partial<TicketingLink>): Promise<void> {
  const { ticketing_event_id: id } = link;
  if (id !== undefined) await requireUnlinked(tx, eventId, id);
  try {
    await updateRow(tx, "events", { id: eventId }, link);
  } catch (error) {
    // Linked by another change that has committed since.
    if (sqlState(error) === uniqueViolation) throw alreadyLinked(id, "another event");
    throw error;
  }
}

function alreadyLinked(id: string | null | undefined, owner: string): ServiceError {
  return new ServiceError("conflict", `${id} is already linked to ${owner}; unlink that event first`);
}

const uniqueViolation = "23505";
