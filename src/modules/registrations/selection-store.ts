import sql, { join, type Sql } from "sql-template-tag";
import { ServiceError } from "../../../contract/errors.js";
import { type BatchRow, maximumBatch } from "../../../contract/registrations.js";
import type { Queryable } from "../../infra/database/db.js";
import { conditionsOf, type RosterFilter } from "./roster-store.js";
import { stateColumns, unknownAddresses, unknownRegistrations } from "./store.js";

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
