import sql from "sql-template-tag";
import { expect } from "vitest";
import type { Queryable } from "../../src/infra/database/db.js";

/** The stored hosts of an event by position, which starts at 0 and has no gaps where a tool has written it. */
export async function storedHosts(db: Queryable, eventId: string): Promise<[organizationId: string, role: string][]> {
  const rows = await db.query<{ organization_id: string; role: string; position: number }>(sql`
    select organization_id, role, position from event_hosts where event_id = ${eventId}
    order by position, role = 'host' desc`);
  expect(rows.map(({ position }) => position)).toEqual(rows.map((_, index) => index));
  return rows.map(({ organization_id, role }) => [organization_id, role]);
}
