import sql from "sql-template-tag";
import type { Queryable } from "../../src/infra/database/db.js";
import { makerOn } from "./make.js";

/**
 * An organization with this many events in 4 conferences, half of them over. Of each ten posters one is a draft, eight are
 * posted and one is not; every event has guests.
 */
export async function createLargeOrganization(
  db: Queryable,
  { events, postersPerEvent }: { events: number; postersPerEvent: number },
): Promise<string> {
  const make = makerOn(db);
  const organizationId = await make.organization("Large Organization");
  const conferenceIds = await Promise.all([1, 2, 3, 4].map(() => make.conference()));
  const ids = await db.query<{ id: string }>(sql`
    insert into events (conference_id, name, start_time, end_time, timezone, status, category, capacity)
    select (${conferenceIds}::uuid[])[1 + n % 4], 'Event ' || n, start_time, start_time + interval '2 hours', 'Europe/Lisbon',
      'published', 'community', 100
    from generate_series(1, ${events}::int) n,
      lateral (select now() + (n - ${events}::int / 2) * interval '6 hours' as start_time) t
    returning id`);
  const eventIds = ids.map(({ id }) => id);
  await db.query(sql`
    insert into event_hosts (event_id, organization_id, role)
    select id, ${organizationId}, 'host' from unnest(${eventIds}::uuid[]) id`);
  await db.query(sql`
    insert into posters (event_id, image_url, title, published, posted_urls, created_at, metadata)
    select e.id, 'https://images.example.com/poster.png', 'Poster ' || n, n % 10 <> 0,
      case when n % 10 not in (0, 1) then jsonb_build_object('x', 'https://x.com/example/status/' || n) end,
      now() - (e.position * ${postersPerEvent}::int + n) * interval '1 minute',
      '{"width": 1080, "height": 1350, "format": "portrait"}'
    from unnest(${eventIds}::uuid[]) with ordinality e (id, position), generate_series(1, ${postersPerEvent}::int) n`);
  await db.query(sql`
    insert into registrations (event_id, name, email, status)
    select e.id, 'Guest ' || n, 'guest' || n || '@example.com', case when n % 3 = 0 then 'pending' else 'approved' end
    from unnest(${eventIds}::uuid[]) e (id), generate_series(1, 5) n`);
  return organizationId;
}
