import { createHash, createHmac, hkdfSync, randomBytes } from "node:crypto";
import pg from "pg";
import { createDataset, type Dataset, id } from "./dataset.js";

export type ScaleDataset = Dataset & {
  organizationId: string;
  /** An event of the organization with `rosterSize` guests. */
  rosterEventId: string;
  registrationId: string;
  personId: string;
  /** Of a platform administrator who is an owner of the organization. */
  cookie: string;
  /** Of the organization, with every scope. */
  organizationKey: string;
  rows: Record<string, number>;
};

export const rosterSize = 20_000;

const eventNumber = "10";

/**
 * A dataset of the given number of events with ten times as many registrations, twice as many records, half of them of one
 * organization, which hosts a tenth of the events, and a tenth as many people and keys. Half of the events are past.
 */
export async function createScaleDataset(events: number): Promise<ScaleDataset> {
  const firstDay = new Date(Date.now() - 1000 * 3_600_000).toISOString().slice(0, 10);
  const dataset = await createDataset({ events, keys: events / 20, firstDay });
  const client = new pg.Client({ connectionString: dataset.databaseUrl });
  await client.connect();
  try {
    await client.query("set session_replication_role = replica; set synchronous_commit = off");
    await withoutIndexes(client, ["registrations", "mutation_records"], async () => {
      await dateConferences(client);
      await addPeople(client, events / 10);
      await addGuests(client, events);
      await addProgrammes(client, events);
      await addRecords(client, events);
      await addKeysAndLinks(client, events);
    });
    await client.query("set session_replication_role = default");
    await client.query("vacuum analyze");
    return { ...dataset, ...(await pickRows(client)) };
  } finally {
    await client.end();
  }
}

/** Building an index after loading is several times faster than adding rows to it. */
async function withoutIndexes(client: pg.Client, tables: string[], load: () => Promise<void>): Promise<void> {
  const { rows } = await client.query<{ indexname: string; indexdef: string }>(
    `select indexname, indexdef from pg_indexes
     where schemaname = 'public' and tablename = any($1) and indexname not in (select conname from pg_constraint)`,
    [tables],
  );
  for (const { indexname } of rows) await client.query(`drop index ${indexname}`);
  await load();
  await client.query("set maintenance_work_mem = '512MB'");
  for (const { indexdef } of rows) await client.query(indexdef);
}

async function addPeople(client: pg.Client, people: number): Promise<void> {
  await client.query(`
    update users set platform_admin = true where id = ${id("user", "1")};
    delete from members where organization_id <> ${id("organization", "1")};
    insert into users (id, email, name)
      select ${id("user", "n")}, 'person' || n || '@example.com', 'Person ' || n from generate_series(2, ${people}) n;
    insert into members
      select ${id("organization", `case when n <= 100 then 1 else 1 + n % ${people / 50} end`)}, ${id("user", "n")}, 'admin'
      from generate_series(2, ${people}) n
    on conflict do nothing`);
}

/** A conference lasts from its first event to its last. */
async function dateConferences(client: pg.Client): Promise<void> {
  await client.query(`
    update conferences c set start_date = days.first, end_date = days.last
      from (
        select conference_id, min(start_time)::date as first, max(end_time)::date as last from events group by conference_id
      ) days
      where days.conference_id = c.id;
    update hosted_conferences h set start_date = c.start_date from conferences c where c.id = h.conference_id`);
}

/** One event with a large roster, one in 200 with hundreds of guests, every second with a few. */
async function addGuests(client: pg.Client, events: number): Promise<void> {
  const guests = `case when n = ${eventNumber} then ${rosterSize} when n % 200 = 0 then 400 when n % 2 = 1 then 16 else 0 end`;
  await client.query(`
    insert into registrations (event_id, name, email, status, answers, registered_at, checked_in_at)
      select ${id("event", "n")}, (array['Ada', 'Zoë', 'Łukasz', 'José', 'Anne-Marie'])[1 + k % 5] || ' Guest ' || k,
        'guest' || k || '.' || n || '@example.com', status, '{"Company": "Example", "Diet": "none"}',
        timestamptz '2026-01-01T00:00:00Z' + k * interval '1 minute',
        case when status = 'approved' and k % 9 = 0 then timestamptz '2026-06-01T00:00:00Z' end
      from generate_series(1, ${events}) n, generate_series(1, ${guests}) k,
        lateral (select (array['approved', 'approved', 'approved', 'pending', 'waitlisted', 'declined'])[1 + k % 6] as status) s;
    insert into rosters (event_id, pending, approved, waitlisted, declined, checked_in)
      select event_id, count(*) filter (where status = 'pending'), count(*) filter (where status = 'approved'),
        count(*) filter (where status = 'waitlisted'), count(*) filter (where status = 'declined'), count(checked_in_at)
      from registrations group by event_id`);
}

/** Speakers and a run of show of every fifth event. */
async function addProgrammes(client: pg.Client, events: number): Promise<void> {
  await client.query(`
    insert into speakers (id, event_id, name, title, position)
      select ${id("speaker", "n || ' ' || k")}, ${id("event", "n")}, 'Speaker ' || k, 'Engineer', k
      from generate_series(5, ${events}, 5) n, generate_series(0, 3) k;
    insert into segments (id, event_id, title, start_time, duration_minutes, position)
      select ${id("segment", "n || ' ' || k")}, e.id, 'Talk ' || k, e.start_time + k * interval '20 minutes', 20, k
      from generate_series(5, ${events}, 5) n join events e on e.id = ${id("event", "n")}, generate_series(0, 3) k;
    insert into segment_speakers (segment_id, speaker_id, event_id)
      select ${id("segment", "n || ' ' || k")}, ${id("speaker", "n || ' ' || k")}, ${id("event", "n")}
      from generate_series(5, ${events}, 5) n, generate_series(0, 3) k`);
}

/** Half of the records are of the large organization; a thousand of them of the event with the large roster. */
async function addRecords(client: pg.Client, events: number): Promise<void> {
  await client.query(`
    insert into mutation_records
      (at, tool, via, organization_id, event_id, user_id, reason, request, request_hash, before, after)
      select now() - n * interval '1 minute',
        (array['update_event_details', 'update_event_registration_status', 'add_event_guest', 'patch_poster'])[1 + n / 2 % 4],
        case when n % 20 = 0 then 'console' else 'key' end,
        ${id("organization", `case when n % 2 = 0 then 1 else 2 + n / 2 % ${Math.max(10, events / 500) - 1} end`)},
        ${id("event", `case when n % 2 = 0 and n <= 2000 then ${eventNumber} when n % 2 = 0 then n / 2 % ${events / 10} * 10 + 10 else n / 2 end`)},
        ${id("user", "1 + n % 300")}, 'A reason', jsonb_build_object('event_id', n, 'dry_run', false), md5(n::text),
        '{"name": "An event with a name"}', '{"name": "An event with another name"}'
      from generate_series(1, ${2 * events}) n`);
}

async function addKeysAndLinks(client: pg.Client, events: number): Promise<void> {
  await client.query(`
    insert into api_keys (name, key_hash, key_prefix, organization_id, scopes, created_by, expires_at)
      select 'Organization key ' || n, sha256(('organization key ' || n)::bytea), 'svc_mk_bench', m.organization_id,
        array['org:read'], m.user_id, now() + interval '60 days'
      from (select *, row_number() over () as n from members) m limit ${events / 20};
    update posters p set posted_urls = jsonb_build_object('x', 'https://x.com/example/status/1')
      from event_hosts h where h.organization_id = ${id("organization", "1")} and p.event_id = h.event_id and p.sort_order = 1;
    insert into poster_links (poster_id, platform, event_id, url, reported_at)
      select id, 'x', event_id, posted_urls ->> 'x', created_at from posters where posted_urls is not null;
    insert into invitations (token_hash, email, organization_id, role, invited_by, by_operator, expires_at, accepted_at)
      select sha256(('invitation ' || n)::bytea), 'person' || n || '@example.com', ${id("organization", "1 + n % 10")},
        'member', 'Somebody', true, now() + interval '1 day', case when n > 100 then now() end
      from generate_series(1, ${events / 10}) n;
    insert into visits (user_id, organization_id, visited_at)
      values (${id("user", "1")}, ${id("organization", "1")}, now() - interval '60 days')`);
}

async function pickRows(client: pg.Client): Promise<Omit<ScaleDataset, keyof Dataset>> {
  const { rows } = await client.query<{
    organization: string;
    event: string;
    registration: string;
    person: string;
  }>(`
    select ${id("organization", "1")} as organization, ${id("event", eventNumber)} as event, ${id("user", "1")} as person,
      (select id from registrations where event_id = ${id("event", eventNumber)} order by registered_at limit 1) as registration`);
  const [row] = rows;
  if (row === undefined) throw new Error("the dataset is empty");
  const token = await addSession(client, row.person);
  const organizationKey = `svc_mk_${randomBytes(40).toString("hex").slice(0, 43)}`;
  await client.query(
    `insert into api_keys (name, key_hash, key_prefix, organization_id, scopes, created_by, expires_at)
     values ('scale', $1, $2, $3, array['conferences:read', 'org:read', 'org:write', 'events:write', 'registrations:read',
       'registrations:write'], $4, now() + interval '30 days')`,
    [createHash("sha256").update(organizationKey).digest(), organizationKey.slice(0, 12), row.organization, row.person],
  );
  return {
    organizationId: row.organization,
    rosterEventId: row.event,
    registrationId: row.registration,
    personId: row.person,
    cookie: `svc_session=${token}`,
    organizationKey,
    rows: await countRows(client),
  };
}

/** As signing in does: the service hashes tokens with a secret of its own. */
async function addSession(client: pg.Client, personId: string): Promise<string> {
  const secret = randomBytes(32).toString("hex");
  await client.query("insert into service_secrets (name, value) values ('secret_key', $1)", [secret]);
  const key = hkdfSync("sha256", secret, "svc", "session tokens", 32);
  const token = randomBytes(16).toString("hex");
  await client.query(
    "insert into sessions (user_id, token_hash, expires_at) values ($1, $2, now() + interval '1 day')",
    [personId, createHmac("sha256", Buffer.from(key)).update(token).digest()],
  );
  return token;
}

async function countRows(client: pg.Client): Promise<Record<string, number>> {
  const tables = ["events", "posters", "registrations", "api_keys", "mutation_records", "users"];
  const counts: Record<string, number> = {};
  for (const table of tables) {
    const { rows } = await client.query<{ count: number }>(`select count(*)::int as count from ${table}`);
    counts[table] = rows[0]?.count ?? 0;
  }
  return counts;
}
