import sql from "sql-template-tag";
import type { Role } from "../../contract/roles.js";
import type { Page, Pages } from "./pages.ts";

export type NewGuest = {
  name: string;
  status?: string;
  ticket_type?: string;
  checked_in?: boolean;
  answers?: Record<string, unknown>;
};

export type GuestsEvent = {
  eventId: string;
  organizationId: string;
  /** The ids of the guests, in the given order. */
  ids: string[];
  /** Opens the guests tab, for an admin if nobody else is given. */
  open(options?: { role?: Role; search?: string }): Promise<Page>;
  /** By name, as they are stored. */
  states(): Promise<Record<string, string>>;
  counts(): Promise<Record<string, number> | undefined>;
  /** The reasons of all recorded changes. */
  reasons(): Promise<string[]>;
};

/** An event with its guests, the first of whom registered first. */
export async function createGuestsEvent(
  { service, make, open }: Pages,
  guests: NewGuest[],
  { capacity = null }: { capacity?: number | null } = {},
): Promise<GuestsEvent> {
  const { db } = service;
  const organizationId = await make.organization("Harbour Works");
  const eventId = await make.event(await make.conference(), { hosts: [organizationId] });
  await db.query(sql`update events set capacity = ${capacity} where id = ${eventId}`);
  const rows = await db.query<{ id: string }>(sql`
    insert into registrations (event_id, name, email, status, ticket_type, answers, checked_in_at, registered_at)
    select ${eventId}, g->>'name', gen_random_uuid() || '@example.com', coalesce(g->>'status', 'approved'),
      g->>'ticket_type', coalesce(g->'answers', '{}'), case when (g->>'checked_in')::boolean then now() end,
      now() - interval '1 day' + place * interval '1 second'
    from jsonb_array_elements(${JSON.stringify(guests)}) with ordinality given (g, place) order by place
    returning id`);
  return {
    eventId,
    organizationId,
    ids: rows.map(({ id }) => id),
    async open({ role = "admin", search = "" } = {}) {
      const cookie = await service.signIn(await make.member(organizationId, role));
      return open(`/o/${organizationId}/events/${eventId}/guests${search}`, cookie);
    },
    async states() {
      const stored = await db.query<{ name: string; state: string }>(sql`
        select name, case when checked_in_at is null then status else 'checked in' end as state
        from registrations where event_id = ${eventId}`);
      return Object.fromEntries(stored.map(({ name, state }) => [name, state]));
    },
    async counts() {
      const [row] = await db.query<Record<string, number>>(
        sql`select pending, approved, waitlisted, declined, checked_in from rosters where event_id = ${eventId}`,
      );
      return row;
    },
    async reasons() {
      const records = await db.query<{ reason: string }>(
        sql`select reason from mutation_records where event_id = ${eventId} order by at`,
      );
      return records.map(({ reason }) => reason);
    },
  };
}

/** Guests with numbered names. */
export const numbered = (count: number, name: string, status: string): NewGuest[] =>
  Array.from({ length: count }, (_, index) => ({ name: `${name} ${index}`, status }));
