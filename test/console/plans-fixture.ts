import { randomUUID } from "node:crypto";
import sql, { raw } from "sql-template-tag";
import type { Queryable } from "../../src/infra/database/db.js";

/** Conferences and organizations are few: their lists may be sorted. */
export const size = { hostedEvents: 300, conferences: 1_000, organizations: 1_000, guests: 6_000, rows: 6_000 };

const [organization, conference, event, registration, person, stranger, record] = Array.from({ length: 7 }, () =>
  randomUUID(),
);

/** One of each, for requests. The person is a platform administrator and an owner of the organization, which hosts the event. */
export const ids: Record<string, string | undefined> = {
  organization,
  conference,
  event,
  registration,
  person,
  stranger,
  record,
  app: stranger,
  key: stranger,
  uid: "no-such-request",
};

/** Thousands of rows of everything that the console lists. */
export async function fillTables(db: Queryable): Promise<void> {
  await addEvents(db);
  await addPostersAndGuests(db);
  await addRecordsAndKeys(db);
  await db.query(raw("vacuum analyze"));
}

async function addEvents(db: Queryable): Promise<void> {
  await db.query(sql`
    insert into conferences (id, name, slug, short_name, description, city, start_date, end_date, timezone, status, category)
    select case when i = 1 then ${conference}::uuid else gen_random_uuid() end, 'Conference ' || i, 'c-' || i, 'C', 'C', 'C',
      current_date + i % 400, current_date + 500, 'UTC', case when i % 100 = 0 then 'draft' else 'published' end, 'mainline'
    from generate_series(1, ${size.conferences}::int) i`);
  await db.query(sql`
    insert into organizations (id, name, slug)
    select case when i = 1 then ${organization}::uuid else gen_random_uuid() end, 'Organization ' || i, 'o-' || i
    from generate_series(1, ${size.organizations}::int) i`);
  await db.query(sql`
    insert into users (id, email, name, platform_admin)
    select case i when 1 then ${person}::uuid when 2 then ${stranger}::uuid else gen_random_uuid() end,
      'person' || i || '@example.com',
      case when i % 1000 = 0 then 'Rare ' else 'Person ' end || i || case when i::text collate "C" > '5' and i % 2 = 0 then ' Last' else '' end,
      i % 1000 = 1
    from generate_series(1, ${size.rows}::int) i`);
  await db.query(sql`
    insert into members (organization_id, user_id, role)
    select case when u.place <= 300 then ${organization}::uuid else o.id end, u.id, 'owner'
    from (select id, row_number() over (order by length(email), email) as place from users) u
    join (select id, row_number() over (order by length(slug), slug) as place from organizations) o
      on o.place = 1 + u.place % ${size.organizations}::int
    on conflict do nothing`);
  await db.query(sql`
    insert into events (id, conference_id, name, start_time, end_time, timezone, status, category, capacity)
    select case when i = 1 then ${event}::uuid else gen_random_uuid() end,
      case when i <= ${size.hostedEvents}::int then ${conference}::uuid else c.id end,
      case when i % 1000 = 0 then 'Rare ' else 'Keynote ' end || i || case when i <= 1200 then ' First' else '' end, start_time, start_time + interval '2 hours', 'UTC',
      case when i % 10 = 0 then 'draft' else 'published' end, 'community', 100
    from generate_series(1, ${size.rows}::int) i
    join (select id, row_number() over (order by slug) as place from conferences) c
      on c.place = 1 + i % ${size.conferences}::int,
    lateral (select now() + (i - ${size.hostedEvents}::int / 2) * interval '6 hours' as start_time) t`);
  await db.query(sql`
    insert into event_hosts (event_id, organization_id, role)
    select e.id, case when e.place <= ${size.hostedEvents}::int then ${organization}::uuid else o.id end, 'host'
    from (select id, row_number() over (order by start_time) as place from events) e
    join (select id, row_number() over (order by slug) as place from organizations) o
      on o.place = 1 + e.place % ${size.organizations}::int`);
  // Every organization may have twenty proposals.
  await db.query(sql`
    insert into event_proposals (event_id, organization_id)
    select e.id, (array_agg(h.organization_id))[1] from events e join event_hosts h on h.event_id = e.id
    where e.status = 'draft' group by e.id`);
}

async function addPostersAndGuests(db: Queryable): Promise<void> {
  await db.query(sql`
    insert into posters (event_id, image_url, title, published, posted_urls, created_at)
    select e.id, 'https://images.example.com/poster.png', 'Poster ' || n, n <> 3,
      case when n = 1 then jsonb_build_object('x', 'https://x.com/example/status/' || n) end, now() - e.place * interval '1 minute'
    from (select id, row_number() over (order by start_time) as place from events) e, generate_series(1, 3) n`);
  await db.query(sql`
    insert into registrations (id, event_id, name, email, status, answers)
    select case when n = 1 then ${registration}::uuid else gen_random_uuid() end, ${event}, 'Guest ' || n,
      'guest' || n || '@example.com', case when n % 3 = 0 then 'pending' else 'approved' end, '{"Diet": "none"}'
    from generate_series(1, ${size.guests}::int) n`);
  await db.query(sql`
    insert into registrations (event_id, name, email)
    select e.id, 'Other guest', 'other@example.com' from events e where e.id <> ${event}`);
}

async function addRecordsAndKeys(db: Queryable): Promise<void> {
  await db.query(sql`
    insert into mutation_records (at, tool, via, operator, organization_id, event_id, user_id, reason, request, request_hash, before, after)
    select now() - i * interval '1 minute', case when i % 10 = 0 then 'update_event_details' else 'add_event_guest' end,
      via, case when via = 'command_line' then 'operator' end, organization_id, e.id, u.id, 'A reason', '{}', 'x', '{}', '{}'
    from generate_series(1, 2 * ${size.rows}::int) i
    join (select id, row_number() over (order by start_time) as place from events) e on e.place = 1 + i % ${size.rows}::int
    join (select id, row_number() over (order by length(email), email) as place from users) u on u.place = 1 + i % 300,
    lateral (select case when i % 2 = 0 then ${organization}::uuid end as organization_id,
      case when i % 100 = 0 then 'command_line' else 'key' end as via) t`);
  await db.query(sql`
    insert into mutation_records (id, at, tool, via, organization_id, event_id, user_id, reason, request, request_hash, part_of)
    select case when i = 0 then ${record}::uuid else gen_random_uuid() end, now() - interval '2 years' + i * interval '1 second',
      'batch_update_event_registrations', 'console', ${organization}, ${event}, ${person}, 'A reason', '{}', 'x',
      case when i > 0 then ${record}::uuid end
    from generate_series(0, 40) i`);
  await db.query(sql`
    insert into api_keys (name, key_hash, key_prefix, organization_id, scopes, created_by, expires_at)
    select 'Key ' || m.place, sha256(m.place::text::bytea), 'svc_mk_plans', m.organization_id, array['org:read'], m.user_id,
      now() + interval '9 days'
    from (
      select *, row_number() over (partition by organization_id) as number, row_number() over () as place from members) m
    where m.number <= 50`);
  await db.query(sql`
    insert into api_keys (name, key_hash, key_prefix)
    select 'Platform key ' || i, sha256(('platform' || i)::bytea), 'svc_mk_plans'
    from generate_series(1, ${size.rows}::int) i`);
  await db.query(sql`
    insert into mutation_records (at, tool, via, operator, request, request_hash, after)
    select now() - interval '1 year', 'svc:keys create', 'command_line', 'operator', '{}', 'x', jsonb_build_object('id', id)
    from api_keys where organization_id is null`);
  await db.query(sql`
    insert into invitations (token_hash, email, organization_id, role, invited_by, by_operator, expires_at, accepted_at)
    select sha256(i::text::bytea), 'guest' || i || '@example.com', case when i % 2 = 0 then ${organization}::uuid end,
      case when i % 2 = 0 then 'member' end, 'Somebody', true, now() + interval '1 day', case when i > 20 then now() end
    from generate_series(1, ${size.rows}::int) i`);
  await db.query(sql`
    insert into sessions (user_id, token_hash, expires_at) select id, sha256(id::text::bytea), now() + interval '1 day' from users`);
  await db.query(sql`
    insert into visits (user_id, organization_id, visited_at) values (${person}, ${organization}, now() - interval '60 days')`);
}
