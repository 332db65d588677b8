import sql, { join, type Sql } from "sql-template-tag";
import type { z } from "zod";
import type { RegistrationStatus } from "../../../contract/nouns.js";
import type { rosterCounts } from "../../../contract/schema/registrations.js";
import { rowsWithin } from "../../infra/bounded.js";
import type { Queryable } from "../../infra/database/db.js";
import { type KeysetPage, type Position, readPage } from "../../infra/database/keyset-page.js";
import { inlined, queryNamed } from "../../infra/database/statement-names.js";
import { comparedText, matchesWords, similarRowsOf } from "../../infra/database/text-search.js";
import { nearNames } from "../../infra/near-names.js";
import { eventNotFound } from "../../runner/known-ids.js";

export type RosterFilter = {
  status: RegistrationStatus | undefined;
  checkedIn: boolean | undefined;
  query: string | undefined;
  /** In lower case, without the @. */
  emailDomain?: string | undefined;
};

export type RosterCounts = z.infer<typeof rosterCounts>;

export async function getRosterCounts(tx: Queryable, eventId: string): Promise<RosterCounts> {
  const [row] = await queryNamed<RosterCounts>(
    tx,
    "get roster counts",
    sql`
    select coalesce(t.pending, 0) as pending, coalesce(t.approved, 0) as approved,
      coalesce(t.waitlisted, 0) as waitlisted, coalesce(t.declined, 0) as declined,
      coalesce(t.checked_in, 0) as checked_in, e.capacity
    from events e left join rosters t on t.event_id = e.id where e.id = ${eventId}`,
  );
  if (row === undefined) throw eventNotFound();
  return row;
}

/** A page of the roster in order of registration. */
export async function readRoster(
  tx: Queryable,
  eventId: string,
  filter: RosterFilter,
  query: { cursor?: string | undefined; limit: number },
): Promise<KeysetPage> {
  return readFittingPage(query.limit, (limit) =>
    readPage(tx, ["registrations", eventId, filter], { cursor: query.cursor, limit }, (after, rows) =>
      selectRoster(eventId, filter, after, rows),
    ),
  );
}

/** A page with as many of its rows as a result can have. */
export async function readFittingPage(
  limit: number,
  read: (limit: number) => Promise<KeysetPage>,
): Promise<KeysetPage> {
  const page = await read(limit);
  const fitting = rowsWithin(page.items, maximumPageBytes, { bytesOf: Buffer.byteLength }).length;
  return fitting === page.items.length ? page : read(Math.max(1, fitting));
}

/** Below the limit of a result: pages with very long names end early. */
const maximumPageBytes = 55_000;

/** How many guests suggestions are chosen from, in order of registration. */
export const comparedGuests = 5_000;
const suggestedGuests = 5;

export type SuggestedGuest = { id: string; name: string; email: string; status: RegistrationStatus };

/** The guests, in any state, whose name or e-mail address is nearly what was searched. */
export async function findNearGuests(tx: Queryable, eventId: string, query: string): Promise<SuggestedGuest[]> {
  const guests = sql`(
    select r.id, r.search_text from registrations r where r.event_id = ${eventId}
    order by r.registered_at, r.id limit ${inlined(comparedGuests)})`;
  const found = await queryNamed<{ guest: SuggestedGuest; text: string; wanted: string }>(
    tx,
    "find near guests",
    sql`
    select json_build_object('id', r.id, 'name', r.name, 'email', r.email, 'status', r.status) as guest,
      ${comparedText(sql`r.email || ' ' || r.name`)} as text, ${comparedText(sql`${query}`)} as wanted
    from ${similarRowsOf(guests, query)} k, lateral (select * from registrations where id = k.id limit 1) r`,
  );
  return nearNames(found[0]?.wanted ?? "", found, ({ text }) => text, suggestedGuests).map(({ guest }) => guest);
}

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
export function conditionsOf({ status, checkedIn, query, emailDomain }: RosterFilter): Sql[] {
  const neverCheckedIn = status !== undefined && status !== "approved";
  if (neverCheckedIn && checkedIn) return [sql`false`];
  return [
    ...(status === undefined ? [] : [sql`r.status = ${status}`]),
    ...(checkedIn === undefined || neverCheckedIn
      ? []
      : [checkedIn ? sql`r.checked_in_at is not null` : sql`r.checked_in_at is null`]),
    ...(query === undefined ? [] : [matchesWords(sql`r.search_text`, query)]),
    // The search text, which the index holds, excludes most rows before their addresses are read.
    ...(emailDomain === undefined
      ? []
      : [
          matchesWords(sql`r.search_text`, `@${emailDomain}`),
          sql`right(lower(r.email), ${emailDomain.length + 1}) = ${`@${emailDomain}`}`,
        ]),
  ];
}
