import sql, { type Sql } from "sql-template-tag";
import type { Actor } from "../access/caller.js";
import { type Database, type Queryable, sqlState } from "../platform/db.js";
import { ServiceError } from "../platform/errors.js";
import { uuidPattern } from "../platform/ids.js";
import { updateRow } from "../platform/update-row.js";
import { recordedChange } from "../tools/recorded-change.js";

export type LinkedEvent = { id: string; name: string; conference: string; ticketing_event_id: string | null };

/** Links an event, given by id or name, to an event of the ticketing platform; null unlinks it. */
export async function linkEvent(
  db: Database,
  actor: Actor,
  reference: string,
  ticketingEventId: string | null,
): Promise<LinkedEvent> {
  try {
    const { result } = await recordedChange(db, actor, async (tx) => {
      const before = await getEventByReference(tx, reference);
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
const maxCandidates = 5;

async function getEventByReference(db: Queryable, reference: string): Promise<LinkedEvent> {
  const found = await findEvents(
    db,
    uuidPattern.test(reference) ? sql`e.id = ${reference}` : sql`e.name = ${reference}`,
  );
  const [event] = found;
  if (event === undefined) throw eventNotFound(reference);
  if (found.length > 1) {
    const candidates = found.slice(0, maxCandidates).map(({ id, conference }) => `${id} (${conference})`);
    const more = found.length > maxCandidates ? ", …" : "";
    throw new ServiceError(
      "conflict",
      `several events are named ${reference}; use an id instead: ${candidates.join(", ")}${more}`,
    );
  }
  return event;
}

function findEvents(db: Queryable, condition: Sql): Promise<LinkedEvent[]> {
  return db.query<LinkedEvent>(sql`
    select e.id, e.name, c.slug as conference, e.ticketing_event_id
    from events e join conferences c on c.id = e.conference_id
    where ${condition} order by c.start_date, e.start_time, e.id limit ${maxCandidates + 1}`);
}

function eventNotFound(reference: string): ServiceError {
  return new ServiceError("not_found", `no event has the id or name ${reference}`);
}
