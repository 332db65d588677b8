import sql from "sql-template-tag";
import { makerOn } from "../support/make.js";
import type { BrowserService } from "./support.js";

export type GuestWorld = Awaited<ReturnType<typeof createGuestWorld>>;

/** An event with its guests, and people who sign in. */
export async function createGuestWorld({ db, signIn }: BrowserService) {
  const make = makerOn(db);
  const organizationId = await make.organization("Harbour Works");
  const eventId = await make.event(await make.conference(), { hosts: [organizationId] });
  await db.query(sql`update events set name = 'Evening at the harbour' where id = ${eventId}`);
  return {
    organizationId,
    eventId,
    path: `/o/${organizationId}/events/${eventId}`,
    /** A cookie of a member with this role. */
    async signIn(role: "member" | "admin", name = "Dora Keeper"): Promise<string> {
      const userId = await make.member(organizationId, role);
      await db.query(sql`update users set name = ${name} where id = ${userId}`);
      return signIn(userId);
    },
    async addGuests(guests: { name: string; status?: string; ticket_type?: string }[]): Promise<string[]> {
      const rows = await db.query<{ id: string }>(sql`
        insert into registrations (event_id, name, email, status, ticket_type, registered_at)
        select ${eventId}, g->>'name', 'guest' || gen_random_uuid() || '@example.com', coalesce(g->>'status', 'approved'),
          g->>'ticket_type', now() - interval '1 day' + place * interval '1 second'
        from jsonb_array_elements(${JSON.stringify(guests)}) with ordinality given (g, place) order by place
        returning id`);
      return rows.map(({ id }) => id);
    },
    /** Names of the guests who are checked in, in the order in which they were. */
    async arrivals(): Promise<string[]> {
      const rows = await db.query<{ name: string }>(sql`
        select name from registrations where event_id = ${eventId} and checked_in_at is not null order by checked_in_at`);
      return rows.map(({ name }) => name);
    },
  };
}
