import sql from "sql-template-tag";
import { beforeAll, beforeEach, expect } from "vitest";
import { createEventFixture } from "../support/event-fixture.js";
import { useDatabase } from "../support/setup.js";
import { createToolRunner, type ToolRunner } from "../support/tool-runner.js";

export type RosterGuest = { name: string; email: string; status: string; registered_at: string; checked_in: boolean };

/** An event whose roster is empty before each test; see ../support/setup.ts. */
export function useRoster() {
  const { db } = useDatabase();
  const roster = {} as { eventId: string; tools: ToolRunner };
  beforeAll(async () => {
    const fixture = await createEventFixture(db);
    Object.assign(roster, { eventId: fixture.eventId, tools: createToolRunner(db, fixture) });
  });
  beforeEach(() => db.query(sql`delete from registrations where event_id = ${roster.eventId}`));

  const addGuests = (guests: RosterGuest[], event = roster.eventId) =>
    db.query<{ id: string }>(sql`
      insert into registrations (event_id, name, email, status, registered_at, checked_in_at)
      select ${event}, g->>'name', g->>'email', g->>'status', (g->>'registered_at')::timestamptz,
        case when (g->>'checked_in')::boolean then now() end
      from jsonb_array_elements(${JSON.stringify(guests)}) g returning id`);

  const listPage = (args: Record<string, unknown>) => roster.tools.run("list_event_registrations", args);

  /** All pages. */
  async function list(
    filter: Record<string, unknown>,
    limit: number,
  ): Promise<{ id: string; name: string; email: string }[]> {
    const items = [];
    let cursor: string | undefined;
    do {
      const page = await listPage({ ...filter, limit, ...(cursor && { cursor }) });
      const { pagination } = page;
      expect(pagination).toMatchObject({ count: page.items.length, has_more: pagination.next_cursor !== null });
      items.push(...page.items);
      cursor = pagination.next_cursor ?? undefined;
    } while (cursor !== undefined);
    return items;
  }

  return { db, roster, addGuests, listPage, list };
}

export const rosterStart = Date.parse("2031-01-01T00:00:00.000Z");

/** Few distinct times, so that many guests tie; every fifth guest is declined, and so on. */
export const guestNumber = (n: number): RosterGuest => ({
  name: ["Ada", "BO", "Çelik", "Дмитрий", "100%_\\ sure"][n % 5] + (n % 7 === 0 ? " van Dyk" : ""),
  email: `Guest${n}@${n % 2 === 0 ? "example.com" : "Mail.example.org"}`,
  status: ["approved", "pending", "approved", "waitlisted", "declined"][n % 5] ?? "pending",
  registered_at: new Date(rosterStart + (n % 11) * 1000).toISOString(),
  checked_in: n % 10 === 0,
});
