import sql, { type Sql } from "sql-template-tag";
import { type Queryable, sqlState } from "../platform/db.js";
import { ServiceError } from "../platform/errors.js";
import { uuidPattern } from "../platform/ids.js";

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
