import sql, { join, type Sql } from "sql-template-tag";
import type { z } from "zod";
import type { Queryable } from "../../platform/database/db.js";
import { type KeysetPage, type Position, readPage } from "../../platform/database/keyset-page.js";
import { matchesWords } from "../../platform/database/text-search.js";
import { ServiceError } from "../../platform/errors.js";
import { rowsWithin } from "../../tools/bounded.js";
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

/** A page of the roster in order of registration. */
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
  const fitting = rowsWithin(page.items, maximumPageBytes, { bytesOf: Buffer.byteLength }).length;
  return fitting === page.items.length ? page : read(Math.max(1, fitting));
}

/** Below the limit of a result: pages with very long names end early. */
const maximumPageBytes = 55_000;

/**
 * The inner query reads nothing but columns of the index, so that a search visits the table for its page only. `limit 1`
 * keeps each look-up one by id, whatever the planner assumes about the sizes of tables.
 */
export function selectRoster(
  eventId: string,
  filter: RosterFilter,
  position: Position | null,
  limit: number,
  columns: Sql = listedColumns,
): Sql {
  const after =
    position === null ? [] : [sql`(r.registered_at, r.id) > (${position[0]}::timestamptz, ${position[1]}::uuid)`];
  const wanted = [sql`r.event_id = ${eventId}`, ...conditionsOf(filter), ...after];
  return sql`
    select row_to_json(item)::text as item, array[item.registered_at, item.id::text] as position
    from (
      select r.id, r.registered_at from registrations r where ${join(wanted, " and ")}
      order by r.registered_at, r.id limit ${limit}) k, lateral (
      select ${columns} from registrations r where r.id = k.id limit 1) item
    order by k.registered_at, k.id`;
}

/** Any selection of columns has `id` and `registered_at` in this form: they are a row's position in the list. */
const listedColumns: Sql = sql`r.id, r.name, r.email, r.status, r.ticket_type, iso8601(r.registered_at) as registered_at,
  iso8601(r.checked_in_at) as checked_in_at`;

/** Each filter without a search is served by an index of its own. Only approved guests can be checked in. */
export function conditionsOf({ status, checkedIn, query }: RosterFilter): Sql[] {
  const neverCheckedIn = status !== undefined && status !== "approved";
  if (neverCheckedIn && checkedIn) return [sql`false`];
  return [
    ...(status === undefined ? [] : [sql`r.status = ${status}`]),
    ...(checkedIn === undefined || neverCheckedIn
      ? []
      : [checkedIn ? sql`r.checked_in_at is not null` : sql`r.checked_in_at is null`]),
    ...(query === undefined ? [] : [matchesWords(sql`r.search_text`, query)]),
  ];
}
