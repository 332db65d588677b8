import sql, { type Sql } from "sql-template-tag";
import type { Queryable } from "../../platform/db.js";
import { ServiceError } from "../../platform/errors.js";
import type { Seats, Standing } from "./rules.js";

/** A registration as the tools that change it show it. */
export type Registration = Standing & { id: string; name: string; email: string };

export async function getRegistration(tx: Queryable, eventId: string, id: string): Promise<Registration> {
  const [row] = await tx.query<Registration>(
    sql`select ${columns} from registrations r where r.id = ${id} and r.event_id = ${eventId}`,
  );
  if (row === undefined) throw unknownRegistrations([id]);
  return row;
}

/** All of the wanted registrations, in the wanted order. */
export async function getRegistrations(tx: Queryable, eventId: string, ids: string[]): Promise<Registration[]> {
  const rows = await tx.query<Registration>(
    sql`select ${columns} from registrations r where r.id = any (${ids}::uuid[]) and r.event_id = ${eventId}`,
  );
  const known = new Map(rows.map((row) => [row.id, row]));
  const unknown = ids.filter((id) => !known.has(id));
  if (unknown.length > 0) throw unknownRegistrations(unknown);
  return ids.flatMap((id) => known.get(id) ?? []);
}

export type Guest = Registration & { ticket_type: string | null };

export async function findGuest(tx: Queryable, eventId: string, email: string): Promise<Guest | undefined> {
  const [row] = await tx.query<Guest>(sql`
    select ${columns}, r.ticket_type from registrations r
    where r.event_id = ${eventId} and lower(r.email) = lower(${email})`);
  return row;
}

/** False when another guest took the e-mail address in the meantime. */
export async function addGuest(
  tx: Queryable,
  eventId: string,
  guest: Pick<Guest, "name" | "email" | "status" | "ticket_type">,
): Promise<boolean> {
  const added = await tx.query<{ id: string }>(sql`
    insert into registrations (event_id, name, email, status, ticket_type, source)
    values (${eventId}, ${guest.name}, ${guest.email}, ${guest.status}, ${guest.ticket_type}, 'agent')
    on conflict (event_id, lower(email)) do nothing
    returning id`);
  return added.length > 0;
}

export async function saveStandings(
  tx: Queryable,
  eventId: string,
  registrations: (Pick<Standing, "status" | "previous_status"> & { id: string })[],
): Promise<void> {
  await tx.query(sql`
    update registrations r set status = n.status, previous_status = n.previous_status
    from unnest(
      ${registrations.map(({ id }) => id)}::uuid[], ${registrations.map(({ status }) => status)}::text[],
      ${registrations.map(({ previous_status }) => previous_status)}::text[]) n (id, status, previous_status)
    where r.id = n.id and r.event_id = ${eventId}`);
}

export async function saveCheckIn(tx: Queryable, eventId: string, id: string, checkedIn: boolean): Promise<void> {
  await tx.query(sql`
    update registrations set checked_in_at = case when ${checkedIn} then now() end
    where id = ${id} and event_id = ${eventId}`);
}

/**
 * The seats of an event with a capacity, as a part of the state that an approval rests on. Where there is no limit to
 * keep there is nothing in it, so that approvals do not make each other's previews stale.
 */
export async function readSeats(
  tx: Queryable,
  eventId: string,
  { unlimited }: { unlimited: boolean },
): Promise<{ seats?: Seats }> {
  if (unlimited) return {};
  const [seats] = await tx.query<Seats>(sql`
    select coalesce(t.approved, 0) as approved, e.capacity
    from events e left join rosters t on t.event_id = e.id
    where e.id = ${eventId} and e.capacity is not null`);
  return seats === undefined ? {} : { seats };
}

const columns: Sql = sql`r.id, r.name, r.email, r.status, r.previous_status, r.checked_in_at is not null as checked_in`;

function unknownRegistrations(ids: string[]): ServiceError {
  return new ServiceError(
    "not_found",
    `No registration of this event has the id ${ids.length === 1 ? ids[0] : `of ${ids.length} in registration_ids (see unknown_ids)`}: list_event_registrations lists them. Nothing was changed`,
    { details: { unknown_ids: ids } },
  );
}
