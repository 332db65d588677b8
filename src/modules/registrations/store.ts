import sql, { type Sql } from "sql-template-tag";
import { ServiceError } from "../../../contract/errors.js";
import type { RegistrationState, Seats } from "../../../contract/registrations.js";
import { someOf } from "../../../contract/shortened.js";
import type { Queryable } from "../../infra/database/db.js";
import { queryNamed } from "../../infra/database/statement-names.js";

/** A registration as previews of changes show it. */
export type Registration = RegistrationState & { id: string; name: string; email: string };

/** Which registration a request means. */
export type RegistrationKey = { id: string } | { email: string };

export async function getRegistration(tx: Queryable, eventId: string, key: RegistrationKey): Promise<Registration> {
  const isMeant = "id" in key ? sql`r.id = ${key.id}` : sql`lower(r.email) = lower(${key.email})`;
  const [row] = await queryNamed<Registration>(tx, "get registration")`
    select r.id, r.name, r.email, ${stateColumns} from registrations r where ${isMeant} and r.event_id = ${eventId}`;
  if (row === undefined) throw "id" in key ? unknownRegistrations([key.id]) : unknownAddresses([key.email]);
  return row;
}

export type GuestRegistration = Registration & { ticket_type: string | null };

/** The registrations with these e-mail addresses, in the given order. */
export async function findGuests(tx: Queryable, eventId: string, emails: string[]): Promise<GuestRegistration[]> {
  return tx.query<GuestRegistration>(sql`
    select r.id, r.name, r.email, ${stateColumns}, r.ticket_type
    from unnest(${emails}::text[]) with ordinality given (email, n), lateral (
      select * from registrations r where r.event_id = ${eventId} and lower(r.email) = lower(given.email) limit 1) r
    order by given.n`);
}

export type NewGuest = Pick<GuestRegistration, "name" | "email" | "status" | "ticket_type"> & { checked_in?: boolean };

/** How many were added: those whose e-mail addresses are registered already are not. */
export async function addGuests(
  tx: Queryable,
  eventId: string,
  guests: NewGuest[],
  source: "agent" | "door",
): Promise<number> {
  const added = await queryNamed<{ id: string }>(tx, "add guests")`
    insert into registrations (event_id, name, email, status, ticket_type, source, checked_in_at)
    select ${eventId}, g.name, g.email, g.status, g.ticket_type, ${source}, case when g.checked_in then now() end
    from jsonb_to_recordset(${JSON.stringify(guests)}::jsonb)
      g (name text, email text, status text, ticket_type text, checked_in boolean)
    on conflict (event_id, lower(email)) do nothing
    returning id`;
  return added.length;
}

/** Writes everything of the states except the check-in. */
export async function saveStates(
  tx: Queryable,
  eventId: string,
  registrations: (Pick<RegistrationState, "status" | "previous_status"> & { id: string })[],
): Promise<void> {
  await queryNamed(tx, "save states")`
    update registrations r set status = n.status, previous_status = n.previous_status
    from unnest(
      ${registrations.map(({ id }) => id)}::uuid[], ${registrations.map(({ status }) => status)}::text[],
      ${registrations.map(({ previous_status }) => previous_status)}::text[]) n (id, status, previous_status)
    where r.id = n.id and r.event_id = ${eventId}`;
}

export async function saveCheckIns(tx: Queryable, eventId: string, ids: string[], checkedIn: boolean): Promise<void> {
  await queryNamed(tx, "save check ins")`
    update registrations set checked_in_at = case when ${checkedIn} then now() end
    where id = any (${ids}::uuid[]) and event_id = ${eventId}`;
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
  const [seats] = await queryNamed<Seats>(tx, "read seats")`
    select coalesce(t.approved, 0) as approved, e.capacity
    from events e left join rosters t on t.event_id = e.id
    where e.id = ${eventId} and e.capacity is not null`;
  return seats === undefined ? {} : { seats };
}

export async function countApproved(tx: Queryable, eventId: string): Promise<number> {
  const [row] = await queryNamed<{ approved: number }>(tx, "count approved")`
    select approved from rosters where event_id = ${eventId}`;
  return row?.approved ?? 0;
}

export const stateColumns: Sql = sql`r.status, r.previous_status, r.checked_in_at is not null as checked_in`;

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

export function unknownAddresses(emails: string[]): ServiceError {
  const message =
    emails.length === 1
      ? `No registration of this event has the e-mail address ${emails[0]}`
      : `${emails.length} e-mail addresses are not registered for this event: ${someOf(emails)}`;
  return new ServiceError(
    "not_found",
    `${message}. Nothing was changed. Search with list_event_registrations, or leave them out`,
    { details: { unknown_emails: emails } },
  );
}
