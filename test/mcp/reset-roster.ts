import sql from "sql-template-tag";
import type { Queryable } from "../../src/infra/database/db.js";
import type { EventFixture } from "../support/event-fixture.js";

/** Replaces the registrations of an event with new ones, one of each status, and removes its capacity. */
export async function resetRoster(db: Queryable, eventId: string): Promise<EventFixture["registrationIds"]> {
  await db.query(sql`delete from registrations where event_id = ${eventId}`);
  await db.query(sql`update events set capacity = null where id = ${eventId} and capacity is not null`);
  const rows = await db.query<{ status: keyof EventFixture["registrationIds"]; id: string }>(sql`
    insert into registrations (event_id, name, email, status, previous_status)
    select ${eventId}, 'Guest ' || status, status || '@example.com', status,
      case status when 'declined' then 'approved' end
    from unnest(array['pending', 'approved', 'waitlisted', 'declined']) status
    returning status, id`);
  return Object.fromEntries(rows.map(({ status, id }) => [status, id])) as EventFixture["registrationIds"];
}
