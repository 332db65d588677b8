import sql, { type Sql } from "sql-template-tag";
import type { Queryable } from "../../platform/database/db.js";
import { ServiceError } from "../../platform/errors.js";
import { type CompactState, compactState, type RegistrationState, type Seats } from "./rules.js";

/** A registration as previews of changes show it. */
export type Registration = RegistrationState & { id: string; name: string; email: string };

export async function getRegistration(tx: Queryable, eventId: string, id: string): Promise<Registration> {
  const [row] = await tx.query<Registration>(sql`
    select r.id, r.name, r.email, ${stateColumns} from registrations r where r.id = ${id} and r.event_id = ${eventId}`);
  if (row === undefined) throw unknownRegistrations([id]);
  return row;
}

/** The states of all these registrations by id, in the given order. */
export async function getRegistrationStates(
  tx: Queryable,
  eventId: string,
  ids: string[],
): Promise<Record<string, CompactState>> {
  const rows = await tx.query<RegistrationState & { id: string }>(sql`
    select r.id, ${stateColumns} from registrations r
    where r.id = any (${ids}::uuid[]) and r.event_id = ${eventId} order by array_position(${ids}::uuid[], r.id)`);
  const known = new Set(rows.map(({ id }) => id));
  const unknown = ids.filter((id) => !known.has(id));
  if (unknown.length > 0) throw unknownRegistrations(unknown);
  return Object.fromEntries(rows.map(({ id, ...state }) => [id, compactState(state)]));
}

export type GuestRegistration = Registration & { ticket_type: string | null };

export async function findGuest(tx: Queryable, eventId: string, email: string): Promise<GuestRegistration | undefined> {
  const [row] = await tx.query<GuestRegistration>(sql`
    select r.id, r.name, r.email, ${stateColumns}, r.ticket_type from registrations r
    where r.event_id = ${eventId} and lower(r.email) = lower(${email})`);
  return row;
}

/** False when the e-mail address is registered already. */
export async function addGuest(
  tx: Queryable,
  eventId: string,
  guest: Pick<GuestRegistration, "name" | "email" | "status" | "ticket_type">,
): Promise<boolean> {
  const added = await tx.query<{ id: string }>(sql`
    insert into registrations (event_id, name, email, status, ticket_type, source)
    values (${eventId}, ${guest.name}, ${guest.email}, ${guest.status}, ${guest.ticket_type}, 'agent')
    on conflict (event_id, lower(email)) do nothing
    returning id`);
  return added.length > 0;
}

/** Writes everything of the states except the check-in. */
export async function saveStates(
  tx: Queryable,
  eventId: string,
  registrations: (Pick<RegistrationState, "status" | "previous_status"> & { id: string })[],
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
 * The seats of an event with a capacity, as part of the state that an approval depends on. They are left out where no
 * limit applies, so that one approval does not make the preview of another stale.
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

const stateColumns: Sql = sql`r.status, r.previous_status, r.checked_in_at is not null as checked_in`;

export function unknownRegistrations(ids: string[]): ServiceError {
  const [first] = ids;
  const message =
    ids.length === 1
      ? `No registration of this event has the id ${first}`
      : `${ids.length} of registration_ids are not registrations of this event: see unknown_ids`;
  return new ServiceError("not_found", `${message}. Nothing was changed. Get ids from list_event_registrations`, {
    details: { unknown_ids: ids },
  });
}
