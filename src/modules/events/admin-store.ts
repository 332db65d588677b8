import sql, { raw, type Sql } from "sql-template-tag";
import type { adminEventFilters } from "../../../contract/console/admin.js";
import { ServiceError } from "../../../contract/errors.js";
import type { Status } from "../../../contract/nouns.js";
import type { TimeOrder } from "../../../contract/orders.js";
import { eventFields } from "../../../contract/schema/events.js";
import type { Actor } from "../../access/caller.js";
import { eventsOfHost, hostOrder, hostsOf } from "../../access/hosting.js";
import { proposalOfEvent, waitingEvents } from "../../access/proposals.js";
import { type Database, type Queryable, sqlState } from "../../infra/database/db.js";
import { comesAfterIn, type Position, timeOrders } from "../../infra/database/keyset-page.js";
import { firstMatches, matchesBeginnings } from "../../infra/database/text-search.js";
import { updateRow } from "../../infra/database/update-row.js";
import { uuidPattern } from "../../infra/ids.js";
import { recordedChange } from "../../records/recorded-change.js";
import { columnsOf } from "../../schema/columns.js";
import { type Conditions, type FilterValues, filterConditions } from "../../schema/filters.js";

const matchesName = (q: string) => matchesBeginnings(sql`e.search_text`, q);

/** Conditions on a row e of events. */
const conditions: Conditions<typeof adminEventFilters> = {
  q: matchesName,
  conference: (id) => sql`e.conference_id = ${id}`,
  organization: (id) => sql`e.id = any(${eventsOfHost(id)})`,
  status: (status) => sql`e.status = ${status}`,
  proposed: () => sql`e.id in ${waitingEvents}`,
};

/** Events in any status. */
export function selectEventsForAdmins(
  { sort, ...filters }: FilterValues<typeof adminEventFilters> & { sort: TimeOrder },
  after: Position | null,
  limit: number,
): Sql {
  const { q, ...exact } = filters;
  const later = comesAfterIn(timeOrders[sort], sql`e.start_time, e.id`, after);
  const direction = raw(timeOrders[sort]);
  const others = sql`${filterConditions(conditions, exact)} and ${later}`;
  const [columns, order] = [sql`e.id, e.start_time`, sql`e.start_time ${direction}, e.id ${direction}`];
  const found =
    q === undefined
      ? sql`(select ${columns} from events e where ${others} order by ${order} limit ${limit})`
      : firstMatches({ table: sql`events`, row: sql`e`, columns, matches: matchesName(q), others, order }, limit);
  return sql`
    select row_to_json(item)::text as item, array[iso8601(found.start_time), found.id::text] as position
    from ${found} found,
    lateral (select * from events where id = found.id limit 1) e,
    lateral (
      select e.id, e.name, iso8601(e.start_time) as start_time, iso8601(e.end_time) as end_time, e.timezone, e.status,
        e.category, e.ticketing_event_id, ${conferenceOf(sql`e.conference_id`)} as conference,
        (select h.name from ${hostsOf(sql`e.id`)} h order by ${hostOrder} limit 1) as host,
        ${proposalOfEvent} as proposal) item
    order by found.start_time ${direction}, found.id ${direction}`;
}

export async function getEventForAdmins(db: Queryable, id: string, baseUrl: string): Promise<object> {
  const [row] = await db.query<{ item: object }>(sql`
    select row_to_json(item) as item from events e, lateral (
      select e.id, ${columnsOf("e", eventFields, baseUrl)}, e.ticketing_event_id, iso8601(e.created_at) as created_at,
        iso8601(e.updated_at) as updated_at, ${conferenceOf(sql`e.conference_id`)} as conference,
        (select coalesce(json_agg(host), '[]') from (
          select h.id, h.name, h.slug, h.role from ${hostsOf(sql`e.id`)} h order by ${hostOrder}) host) as hosts,
        ${proposalOfEvent} as proposal, iso8601(e.cancelled_at) as cancelled_at,
        coalesce((select t.pending + t.approved + t.waitlisted + t.declined from rosters t where t.event_id = e.id), 0)
          as registrations,
        (select count(*) from posters p where p.event_id = e.id)::int as posters) item
    where e.id = ${id}`);
  if (row === undefined) throw new ServiceError("not_found", `No event has the id ${id}`);
  return row.item;
}

function conferenceOf(id: Sql): Sql {
  return sql`(
    select json_build_object('id', c.id, 'name', c.name, 'slug', c.slug, 'status', c.status)
    from conferences c where c.id = ${id})`;
}

/** An event as operators refer to it. */
type ReferencedEvent = {
  id: string;
  name: string;
  conference: string;
  status: Status;
  ticketing_event_id: string | null;
  luma_url: string | null;
};

const maxCandidates = 5;

/** The event with this id, or the only one with this name, in any status. It stays locked until the transaction ends. */
async function lockEventByReference(tx: Queryable, reference: string): Promise<ReferencedEvent> {
  const isReferenced = uuidPattern.test(reference) ? sql`e.id = ${reference}` : sql`e.name = ${reference}`;
  const found = await findEvents(tx, isReferenced, sql`for no key update of e`);
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

export async function getReferencedEvent(db: Queryable, id: string): Promise<ReferencedEvent> {
  const [event] = await findEvents(db, sql`e.id = ${id}`);
  if (event === undefined) throw eventNotFound(id);
  return event;
}

function findEvents(db: Queryable, condition: Sql, lock = sql``): Promise<ReferencedEvent[]> {
  return db.query<ReferencedEvent>(sql`
    select e.id, e.name, c.slug as conference, e.status, e.ticketing_event_id, e.luma_url
    from events e join conferences c on c.id = e.conference_id
    where ${condition} order by c.start_date, e.start_time, e.id limit ${maxCandidates + 1} ${lock}`);
}

function eventNotFound(reference: string): ServiceError {
  return new ServiceError("not_found", `no event has the id or name ${reference}`);
}

/** Changes the status of an event, given by id or name. */
export async function setEventStatus(
  db: Database,
  actor: Actor,
  reference: string,
  status: Status,
): Promise<ReferencedEvent> {
  const { result } = await recordedChange(db, actor, async (tx) => {
    const before = await lockEventByReference(tx, reference);
    const after = { ...before, status };
    await updateRow(tx, "events", { id: before.id }, { status });
    const request = { event: reference, status };
    const record = { tool: "svc:events set-status", event_id: before.id, request, before, after };
    return { result: after, record: before.status === status ? null : record };
  });
  return result;
}

type TicketingLink = { ticketing_event_id: string | null; luma_url: string | null };

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
