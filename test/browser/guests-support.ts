import sql from "sql-template-tag";
import { makerOn } from "../support/make.js";
import { type BrowserService, startBrowserService } from "./support.js";

export type GuestWorld = {
  service: BrowserService;
  eventId: string;
  /** `/o/…/events/…` */
  path: string;
  /** A cookie of a member with this role. */
  signIn(role: "member" | "admin", name?: string): Promise<string>;
  addGuests(guests: { name: string; status?: string; ticket_type?: string }[]): Promise<string[]>;
  /** Names of the guests who are checked in, in the order in which they were. */
  arrivals(): Promise<string[]>;
  close(): Promise<void>;
};

/** An event with its guests, and people who sign in. */
export async function startGuestWorld(): Promise<GuestWorld> {
  const service = await startBrowserService();
  const make = makerOn(service.db);
  const organizationId = await make.organization("Harbour Works");
  const eventId = await make.event(await make.conference(), { hosts: [organizationId] });
  await service.db.query(sql`update events set name = 'Evening at the harbour' where id = ${eventId}`);
  const [{ slug } = { slug: "" }] = await service.db.query<{ slug: string }>(
    sql`select slug from organizations where id = ${organizationId}`,
  );
  return {
    service,
    eventId,
    path: `/o/${slug}/events/${eventId}`,
    async signIn(role, name = "Dora Keeper") {
      const userId = await make.member(organizationId, role);
      await service.db.query(sql`update users set name = ${name} where id = ${userId}`);
      return service.signIn(userId);
    },
    async addGuests(guests) {
      const rows = await service.db.query<{ id: string }>(sql`
        insert into registrations (event_id, name, email, status, ticket_type, registered_at)
        select ${eventId}, g->>'name', 'guest' || gen_random_uuid() || '@example.com', coalesce(g->>'status', 'approved'),
          g->>'ticket_type', now() - interval '1 day' + place * interval '1 second'
        from jsonb_array_elements(${JSON.stringify(guests)}) with ordinality given (g, place) order by place
        returning id`);
      return rows.map(({ id }) => id);
    },
    async arrivals() {
      const rows = await service.db.query<{ name: string }>(sql`
        select name from registrations where event_id = ${eventId} and checked_in_at is not null order by checked_in_at`);
      return rows.map(({ name }) => name);
    },
    close: () => service.close(),
  };
}
