import sql, { type Sql } from "sql-template-tag";
import type { z } from "zod";
import type { Queryable } from "../../platform/db.js";
import { ServiceError } from "../../platform/errors.js";
import { type KeysetPage, type Position, readPage } from "../../platform/keyset-page.js";
import type { RegistrationStatus } from "./rules.js";
import type { rosterCounts } from "./schema.js";

export type RosterFilter = {
  status: RegistrationStatus | undefined;
  checkedIn: boolean | undefined;
  query: string | undefined;
};

export type RosterCounts = z.infer<typeof rosterCounts>;

export async function getRosterCounts(tx: Queryable, eventId: string): Promise<RosterCounts> {
  const [row] = await tx.query<RosterCounts>(sql`
    select coalesce(t.pending, 0) as pending, coalesce(t.approved, 0) as approved,
      coalesce(t.waitlisted, 0) as waitlisted, coalesce(t.declined, 0) as declined,
      coalesce(t.checked_in, 0) as checked_in, e.capacity
    from events e left join rosters t on t.event_id = e.id where e.id = ${eventId}`);
  if (row === undefined) throw new ServiceError("not_found", "Event not found");
  return row;
}

/** A page of the roster by time of registration. */
export async function readRoster(
  tx: Queryable,
  eventId: string,
  filter: RosterFilter,
  query: { cursor?: string | undefined; limit: number },
): Promise<KeysetPage> {
  const read = (limit: number) =>
    readPage(tx, ["registrations", eventId, filter], { cursor: query.cursor, limit }, (after, rows) =>
      selectRoster(eventId, filter, after, rows),
    );
  const page = await read(query.limit);
  const fitting = countFitting(page.items);
  return fitting === page.items.length ? page : read(fitting);
}

/** Very long names make a page end early, so that an answer stays one that an agent can read. */
const maximumPageBytes = 55_000;

function countFitting(items: string[]): number {
  let bytes = 0;
  const excess = items.findIndex((item) => {
    bytes += Buffer.byteLength(item) + 1;
    return bytes > maximumPageBytes;
  });
  return excess === -1 ? items.length : Math.max(1, excess);
}

export function selectRoster(eventId: string, filter: RosterFilter, position: Position | null, limit: number): Sql {
  const after = position === null ? null : sql`(${position[0]}::timestamptz, ${position[1]}::uuid)`;
  const wanted = matching(filter);
  if (filter.query === undefined) return page(sql`(${inOrder(eventId, wanted ?? sql`true`, after, limit)})`, limit);
  return page(
    wanted === undefined
      ? sql`(${searchBlocks(eventId, filter.query, sql`true`, after, limit)})`
      : sql`(${searchFiltered(eventId, filter.query, wanted, after, limit)})`,
    limit,
  );
}

/** `limit 1` keeps each look-up one by id, whatever the planner believes about the sizes of tables. */
function page(keys: Sql, limit: number): Sql {
  return sql`
    select row_to_json(item)::text as item, array[item.registered_at, item.id::text] as position
    from ${keys} k, lateral (
      select r.id, r.name, r.email, r.status, r.ticket_type, iso8601(r.registered_at) as registered_at,
        iso8601(r.checked_in_at) as checked_in_at
      from registrations r where r.id = k.id limit 1) item
    order by k.registered_at, k.id limit ${limit}`;
}

/** The filters beside the search; each is a prefix of an index, or the condition of a partial one. */
function matching({ status, checkedIn }: RosterFilter): Sql | undefined {
  if (checkedIn === undefined) return status === undefined ? undefined : sql`r.status = ${status}`;
  if (status !== undefined && status !== "approved") return checkedIn ? sql`false` : sql`r.status = ${status}`;
  if (checkedIn) return sql`r.checked_in_at is not null`;
  return status === undefined ? sql`r.checked_in_at is null` : sql`r.status = 'approved' and r.checked_in_at is null`;
}

function inOrder(eventId: string, wanted: Sql, after: Sql | null, limit: number): Sql {
  return sql`
    select r.id, r.registered_at from registrations r
    where r.event_id = ${eventId} and ${wanted} and ${later(after)}
    order by r.registered_at, r.id limit ${limit}`;
}

/** How many rows a filtered search looks at one by one before it turns to the blocks. */
const headRows = 1000;

/**
 * Guests of one state are often few, or all late in the list: the first of them are looked at one by one. Only where
 * they do not fill the page, and there are more, the blocks are searched from there on.
 */
function searchFiltered(eventId: string, query: string, wanted: Sql, after: Sql | null, limit: number): Sql {
  const last = sql`(select h.registered_at, h.id from head h order by h.registered_at desc, h.id desc limit 1)`;
  return sql`
    with head as materialized (
      select r.id, r.registered_at, ${found(query)} as found from (
        select r.id, r.registered_at, r.name, r.email from registrations r
        where r.event_id = ${eventId} and ${wanted} and ${later(after)}
        order by r.registered_at, r.id limit ${headRows}) r)
    (select h.id, h.registered_at from head h where h.found order by h.registered_at, h.id limit ${limit})
    union all
    select s.id, s.registered_at from (${searchBlocks(eventId, query, wanted, last, limit)}) s
    where (select count(*) = ${headRows} and count(*) filter (where h.found) < ${limit} from head h)`;
}

/** A block with the text has a row with it: without other filters, no more blocks are opened than a page has rows. */
function searchBlocks(eventId: string, query: string, wanted: Sql, after: Sql | null, limit: number): Sql {
  const pattern = sql`lower(${query}::text)`;
  return sql`
    select r.id, r.registered_at
    from roster_blocks b,
      unnest(b.ids, string_to_array(convert_from(b.search, 'UTF8'), E'\n')) entry (id, line),
      lateral (select r.* from registrations r where r.id = entry.id limit 1) r
    where b.event_id = ${eventId} and position(convert_to(${pattern}, 'UTF8') in b.search) > 0
      and strpos(entry.line, ${pattern}) > 0
      and r.event_id = b.event_id and ${wanted} and ${later(after)} and ${found(query)}
      and ${after === null ? sql`true` : fromBlockOf(eventId, after)}
    order by b.first_at, b.first_id, r.registered_at, r.id limit ${limit}`;
}

function fromBlockOf(eventId: string, after: Sql): Sql {
  return sql`(b.first_at, b.first_id) >= (
    select coalesce(f.first_at, '-infinity'), coalesce(f.first_id, '00000000-0000-0000-0000-000000000000')
    from (values (1)) once left join lateral (
      select f.first_at, f.first_id from roster_blocks f
      where f.event_id = ${eventId} and (f.first_at, f.first_id) <= ${after}
      order by f.first_at desc, f.first_id desc limit 1) f on true)`;
}

function later(after: Sql | null): Sql {
  return after === null ? sql`true` : sql`(r.registered_at, r.id) > ${after}`;
}

function found(query: string): Sql {
  return sql`strpos(roster_line(r.name, r.email), lower(${query}::text)) > 0`;
}
