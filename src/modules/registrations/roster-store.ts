import sql, { join, type Sql } from "sql-template-tag";
import type { z } from "zod";
import { ServiceError } from "../../../contract/errors.js";
import type { RegistrationStatus } from "../../../contract/nouns.js";
import { type BatchRow, maximumBatch } from "../../../contract/registrations.js";
import type { rosterCounts } from "../../../contract/schema/registrations.js";
import { hostedEvents } from "../../access/visibility.js";
import { rowsWithin } from "../../infra/bounded.js";
import type { Queryable } from "../../infra/database/db.js";
import { comesAfterIn, type KeysetPage, type Position, readPage } from "../../infra/database/keyset-page.js";
import { inlined, queryNamed } from "../../infra/database/statement-names.js";
import { comparedText, matchesWords, similarRowsOf } from "../../infra/database/text-search.js";
import { nearNames } from "../../infra/near-names.js";
import { eventNotFound } from "../../runner/known-ids.js";
import { stateColumns, unknownAddresses, unknownRegistrations } from "./store.js";

export type RosterFilter = {
  status: RegistrationStatus | undefined;
  checkedIn: boolean | undefined;
  query: string | undefined;
  /** In lower case, without the @. */
  emailDomain?: string | undefined;
};

export type RosterCounts = z.infer<typeof rosterCounts>;

export async function getRosterCounts(tx: Queryable, eventId: string): Promise<RosterCounts> {
  const [row] = await queryNamed<RosterCounts>(tx, "get roster counts")`
    select coalesce(t.pending, 0) as pending, coalesce(t.approved, 0) as approved,
      coalesce(t.waitlisted, 0) as waitlisted, coalesce(t.declined, 0) as declined,
      coalesce(t.checked_in, 0) as checked_in, e.capacity
    from events e left join rosters t on t.event_id = e.id where e.id = ${eventId}`;
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
async function readFittingPage(limit: number, read: (limit: number) => Promise<KeysetPage>): Promise<KeysetPage> {
  const page = await read(limit);
  const fitting = rowsWithin(page.items, maximumPageBytes, { bytesOf: Buffer.byteLength }).length;
  return fitting === page.items.length ? page : read(Math.max(1, fitting));
}

/** Below the limit of a result: pages with very long names end early. */
const maximumPageBytes = 55_000;

/** How many guests suggestions are chosen from, in order of registration. */
export const comparedGuests = 5_000;
const suggestedGuests = 5;

type SuggestedGuest = { id: string; name: string; email: string; status: RegistrationStatus };

/** The guests, in any state, whose name or e-mail address is nearly what was searched. */
export async function findNearGuests(tx: Queryable, eventId: string, query: string): Promise<SuggestedGuest[]> {
  const guests = sql`(
    select r.id, r.search_text from registrations r where r.event_id = ${eventId}
    order by r.registered_at, r.id limit ${inlined(comparedGuests)})`;
  const found = await queryNamed<{ guest: SuggestedGuest; text: string; wanted: string }>(tx, "find near guests")`
    select json_build_object('id', r.id, 'name', r.name, 'email', r.email, 'status', r.status) as guest,
      ${comparedText(sql`r.email || ' ' || r.name`)} as text, ${comparedText(sql`${query}`)} as wanted
    from ${similarRowsOf(guests, query)} k, lateral (select * from registrations where id = k.id limit 1) r`;
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
  const after = comesAfterIn("asc", sql`r.registered_at, r.id`, position);
  const wanted = [sql`r.event_id = ${eventId}`, ...conditionsOf(filter), after];
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

/** A page of the events that an organization hosts, with the counts of their rosters, those that start last first. */
export function readHostedRosters(
  tx: Queryable,
  organizationId: string,
  query: { cursor?: string | undefined; limit: number },
): Promise<KeysetPage> {
  return readFittingPage(query.limit, (limit) =>
    readPage(tx, ["hosted rosters", organizationId], { cursor: query.cursor, limit }, (after, rows) =>
      selectHostedRosters(organizationId, after, rows),
    ),
  );
}

/** The inner query is served by the index of hosted events by time; each `limit 1` keeps a look-up one by id. */
export function selectHostedRosters(organizationId: string, position: Position | null, limit: number): Sql {
  const after = comesAfterIn("desc", sql`v.start_time, v.id`, position);
  return sql`
    select row_to_json(item)::text as item, array[item.start_time, item.id::text] as position
    from (
      select v.id, v.start_time from ${hostedEvents(organizationId)} v where ${after}
      order by v.start_time desc, v.id desc limit ${limit}) k,
    lateral (select * from events where id = k.id limit 1) e
    left join lateral (select * from rosters where event_id = k.id limit 1) t on true,
    lateral (
      select e.id, e.name, iso8601(e.start_time) as start_time, e.timezone, coalesce(t.pending, 0) as pending,
        coalesce(t.approved, 0) as approved, coalesce(t.waitlisted, 0) as waitlisted,
        coalesce(t.declined, 0) as declined, coalesce(t.checked_in, 0) as checked_in, e.capacity) item
    order by k.start_time desc, k.id desc`;
}

/** Which registrations a batch is about. `limit` takes the earliest of those that match. */
export type Selection = { ids: string[] } | { emails: string[] } | { filter: RosterFilter; limit: number | undefined };

/** The selected registrations, in the given order or in that of the list. */
export async function selectRegistrations(tx: Queryable, eventId: string, selection: Selection): Promise<BatchRow[]> {
  if ("ids" in selection) return selectByIds(tx, eventId, selection.ids);
  if ("emails" in selection) return selectByEmails(tx, eventId, selection.emails);
  return selectByFilter(tx, eventId, selection.filter, selection.limit);
}

const columns: Sql = sql`r.id, r.name, r.email, ${stateColumns}`;

async function selectByIds(tx: Queryable, eventId: string, ids: string[]): Promise<BatchRow[]> {
  const rows = await tx.query<BatchRow>(sql`
    select ${columns} from registrations r
    where r.id = any (${ids}::uuid[]) and r.event_id = ${eventId} order by array_position(${ids}::uuid[], r.id)`);
  const known = new Set(rows.map(({ id }) => id));
  const unknown = ids.filter((id) => !known.has(id));
  if (unknown.length > 0) throw unknownRegistrations(unknown);
  return rows;
}

async function selectByEmails(tx: Queryable, eventId: string, emails: string[]): Promise<BatchRow[]> {
  const rows = await tx.query<BatchRow & { n: number }>(sql`
    select given.n::integer as n, ${columns} from unnest(${emails}::text[]) with ordinality given (email, n), lateral (
      select * from registrations r where r.event_id = ${eventId} and lower(r.email) = lower(given.email) limit 1) r
    order by given.n`);
  const known = new Set(rows.map(({ n }) => n));
  const unknown = emails.filter((_, index) => !known.has(index + 1));
  if (unknown.length > 0) throw unknownAddresses(unknown);
  return rows.map(({ n: _, ...row }) => row);
}

async function selectByFilter(
  tx: Queryable,
  eventId: string,
  filter: RosterFilter,
  limit: number | undefined,
): Promise<BatchRow[]> {
  const wanted = [sql`r.event_id = ${eventId}`, ...conditionsOf(filter)];
  const rows = await tx.query<BatchRow>(sql`
    select ${columns} from registrations r where ${join(wanted, " and ")}
    order by r.registered_at, r.id limit ${limit ?? maximumBatch + 1}`);
  if (rows.length === 0) {
    throw new ServiceError(
      "not_found",
      "No guest of this event matches the filter. Nothing was changed. See who there is with list_event_registrations",
    );
  }
  if (rows.length <= maximumBatch) return rows;
  throw new ServiceError(
    "invalid_input",
    `filter: more than ${maximumBatch} guests match, and one call changes at most ${maximumBatch}. Nothing was changed. Narrow the filter, or send filter.limit: ${maximumBatch} and repeat the call for the rest`,
  );
}
