import sql, { type Sql } from "sql-template-tag";
import type { OrganizationCaller } from "../../access/caller.js";
import { visibleEvents } from "../../access/visibility.js";
import { type Queryable, sqlState } from "../../platform/db.js";
import { ServiceError } from "../../platform/errors.js";
import { uuidPattern } from "../../platform/ids.js";

export type TicketedEvent = { id: string; ticketingEventId: string };

/**
 * The event that a request means, by the service's uuid or by the platform's id, once it is certain that the caller's
 * organization hosts it. An id of the platform that belongs to no event here is refused like one of somebody else's.
 */
export async function getTicketedEvent(
  db: Queryable,
  caller: OrganizationCaller,
  reference: string,
): Promise<TicketedEvent> {
  const isUuid = uuidPattern.test(reference);
  const matches = isUuid ? sql`e.id = ${reference}` : sql`e.ticketing_event_id = ${reference}`;
  const [row] = await db.query<{ id: string; ticketing_event_id: string | null; hosted: boolean }>(
    sql`
    select e.id, e.ticketing_event_id, exists (select from ${visibleEvents(caller)} v where v.id = e.id) as hosted
    from events e where ${matches} and e.listed`,
    isUuid ? "find ticketed event by id" : "find ticketed event by ticketing id",
  );
  if (row === undefined && isUuid) throw new ServiceError("not_found", "Event not found");
  if (row === undefined && !/^evt-/i.test(reference)) {
    throw new ServiceError(
      "invalid_input",
      "event id: expects an event's uuid, or its evt-… id on the ticketing platform",
    );
  }
  if (row === undefined || !row.hosted) {
    throw new ServiceError("forbidden", "This key's organization neither hosts nor co-hosts this event");
  }
  if (row.ticketing_event_id === null) {
    throw new ServiceError("conflict", "This event is not linked to the ticketing platform: it has no ticketing id");
  }
  return { id: row.id, ticketingEventId: row.ticketing_event_id };
}

/** Only the declared field is swapped: an event's uuid anywhere else would leave the service as it is. */
export async function refuseEventsElsewhere(db: Queryable, uuids: string[]): Promise<void> {
  if (uuids.length === 0) return;
  const [event] = await db.query<{ id: string }>(sql`select id from events where id = any(${uuids}::uuid[]) limit 1`);
  if (event === undefined) return;
  throw new ServiceError("invalid_input", `${event.id}: expects the event to be named once, by the field for its id`);
}

export type LinkedEvent = { id: string; name: string; conference: string; ticketing_event_id: string | null };

/** Says which event of the ticketing platform an event is; null unlinks it. `reference` is an id or a name. */
export async function linkEvent(
  db: Queryable,
  reference: string,
  ticketingEventId: string | null,
): Promise<LinkedEvent> {
  const { id } = await getEventByReference(db, reference);
  try {
    const [row] = await db.query<LinkedEvent>(sql`
      update events e set ticketing_event_id = ${ticketingEventId}
      from conferences c where e.id = ${id} and c.id = e.conference_id
      returning e.id, e.name, c.slug as conference, e.ticketing_event_id`);
    if (row === undefined) throw noEvent(reference);
    return row;
  } catch (error) {
    if (sqlState(error) !== uniqueViolation) throw error;
    const [owner] = await findEvents(db, sql`e.ticketing_event_id = ${ticketingEventId}`);
    const name = owner === undefined ? "another event" : `${owner.name} (${owner.id})`;
    throw new ServiceError(
      "conflict",
      `${ticketingEventId} already belongs to ${name}: a ticketing id belongs to one event`,
    );
  }
}

const uniqueViolation = "23505";
const shownCandidates = 5;

async function getEventByReference(db: Queryable, reference: string): Promise<LinkedEvent> {
  const found = await findEvents(
    db,
    uuidPattern.test(reference) ? sql`e.id = ${reference}` : sql`e.name = ${reference}`,
  );
  const [event] = found;
  if (event === undefined) throw noEvent(reference);
  if (found.length > 1) {
    const candidates = found.slice(0, shownCandidates).map(({ id, conference }) => `${id} (${conference})`);
    const more = found.length > shownCandidates ? ", …" : "";
    throw new ServiceError(
      "conflict",
      `several events are named ${reference}: use an id, ${candidates.join(", ")}${more}`,
    );
  }
  return event;
}

function findEvents(db: Queryable, condition: Sql): Promise<LinkedEvent[]> {
  return db.query<LinkedEvent>(sql`
    select e.id, e.name, c.slug as conference, e.ticketing_event_id
    from events e join conferences c on c.id = e.conference_id
    where ${condition} order by c.start_date, e.start_time, e.id limit ${shownCandidates + 1}`);
}

function noEvent(reference: string): ServiceError {
  return new ServiceError("not_found", `there is no event with the id or name ${reference}`);
}
