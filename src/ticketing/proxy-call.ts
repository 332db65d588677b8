import sql, { type Sql } from "sql-template-tag";
import { type ActiveKey, activeKeyJson, activeKeys, callerOf, nameOfHash } from "../access/api-key.js";
import type { Caller } from "../access/caller.js";
import { hostedEvents, listedRows } from "../access/visibility.js";
import { createBatchLoader } from "../platform/batch-loader.js";
import type { Queryable } from "../platform/db.js";
import { ServiceError } from "../platform/errors.js";
import { uuidPattern } from "../platform/ids.js";

export type TicketedEvent = { id: string; ticketingEventId: string };

/** Who has sent a request, and the event that it names: null where there is none, or it has not been read so far. */
export type Visitor = { caller: Caller; event: NamedEvent | null };

type NamedEvent = { id: string; ticketingEventId: string | null; hosted: boolean };

export type VisitorQuestion = { keyHash: Buffer; eventReference: string | null };

/** Key and event in one look-up: nothing that a request has to wait for costs as much as a way to the database. */
export function visitorFinder(db: Queryable): (question: VisitorQuestion) => Promise<Visitor | undefined> {
  return createBatchLoader(nameOfQuestion, async (questions) => {
    const rows = await db.query<VisitorRow>(selectVisitors(questions), "find visitors");
    const visitors: (Visitor | undefined)[] = [];
    for (const { place, caller: facts, event } of rows) {
      visitors[place - 1] = { caller: callerOf(facts), event };
    }
    return visitors;
  });
}

export function selectVisitors(questions: VisitorQuestion[]): Sql {
  const references = questions.map(({ eventReference }) => eventReference);
  return sql`
    select asked.place, ${activeKeyJson} as caller, case when e.id is not null then json_build_object(
      'id', e.id, 'ticketingEventId', e.ticketing_event_id,
      'hosted', exists (select from ${hostedEvents(sql`k.organization_id`)} hosted where hosted.id = e.id)) end as event
    from unnest(
      ${questions.map(({ keyHash }) => keyHash)}::bytea[],
      ${references.map((reference) => (isUuid(reference) ? reference : null))}::uuid[],
      ${references.map((reference) => (isUuid(reference) ? null : reference))}::text[]
    ) with ordinality asked (key_hash, event_id, ticketing_event_id, place)
    join ${activeKeys} k on k.key_hash = asked.key_hash
    left join ${listedRows("event")} e on e.id = coalesce(
      asked.event_id, (select linked.id from events linked where linked.ticketing_event_id = asked.ticketing_event_id))`;
}

type VisitorRow = { place: number; caller: ActiveKey; event: NamedEvent | null };

function nameOfQuestion({ keyHash, eventReference }: VisitorQuestion): string {
  return `${nameOfHash(keyHash)} ${eventReference ?? ""}`;
}

function isUuid(reference: string | null): boolean {
  return reference !== null && uuidPattern.test(reference);
}

/**
 * The event that a request means, by the service's uuid or by the platform's id, once it is certain that the caller's
 * organization hosts it. An id of the platform that belongs to no event here is refused like one of somebody else's.
 */
export function requireTicketedEvent(event: NamedEvent | null, reference: string): TicketedEvent {
  if (event === null && isUuid(reference)) throw new ServiceError("not_found", "Event not found");
  if (event === null && !/^evt-/i.test(reference)) {
    throw new ServiceError(
      "invalid_input",
      "event id: expects an event's uuid, or its evt-… id on the ticketing platform",
    );
  }
  if (event === null || !event.hosted) {
    throw new ServiceError("forbidden", "This key's organization neither hosts nor co-hosts this event");
  }
  if (event.ticketingEventId === null) {
    throw new ServiceError("conflict", "This event is not linked to the ticketing platform: it has no ticketing id");
  }
  return { id: event.id, ticketingEventId: event.ticketingEventId };
}

/** Only the declared field is swapped: an event's uuid anywhere else would leave the service as it is. */
export async function refuseEventsElsewhere(db: Queryable, uuids: string[]): Promise<void> {
  if (uuids.length === 0) return;
  const [event] = await db.query<{ id: string }>(sql`select id from events where id = any(${uuids}::uuid[]) limit 1`);
  if (event === undefined) return;
  throw new ServiceError("invalid_input", `${event.id}: expects the event to be named once, by the field for its id`);
}
