import { createHash, randomBytes } from "node:crypto";
import pg from "pg";
import { scopes } from "../../contract/scopes.js";
import { refuseWhileStopping } from "./clean-up.js";
import { svc } from "./service.js";

export type Dataset = {
  databaseUrl: string;
  conferenceId: string;
  eventId: string;
  keys: { tier: string; key: string }[];
};

export type DatasetOptions = {
  events: number;
  /** Keys of the first organization, with every scope: `benchKey(1)` to `benchKey(keys)`. */
  keys: number;
  conferences?: number;
  /** Each has one more key: `benchKey(keys + k)` is that of organization k. */
  organizations?: number;
  postersPerEvent?: number;
  /** The number of the organization that hosts event n, in SQL; by default the first one hosts a tenth of all events. */
  host?: string;
};

const server = process.env.DATABASE_URL ?? "postgres://127.0.0.1:5432/postgres";
const created: string[] = [];

/**
 * Creates a database with the given number of events, with posters, hosts and keys. The first organization has events in
 * every conference: the benchmarks use its keys. Events start every hour for 2,000 hours.
 */
export async function createDataset(options: DatasetOptions): Promise<Dataset> {
  const databaseUrl = await createDatabase();
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const startedAt = performance.now();
    await fill(client, options);
    console.error(`${options.events} events created in ${Math.round((performance.now() - startedAt) / 1000)} s`);
    return { databaseUrl, ...(await pick(client)) };
  } finally {
    await client.end();
  }
}

/** A key that can be computed from its number, so that load generators need no list. */
export function benchKey(n: number): string {
  return `svc_mk_${String(n).padStart(43, "0")}`;
}

/** An empty database with the current schema; `dropDatasets` drops it. */
export async function createDatabase(): Promise<string> {
  refuseWhileStopping();
  const name = `svc_bench_${randomBytes(4).toString("hex")}`;
  created.push(name);
  await onServer(`create database ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  await svc(["migrate"], { DATABASE_URL: url.href });
  return url.href;
}

export async function dropDatasets(): Promise<void> {
  for (const name of created.splice(0)) await onServer(`drop database if exists ${name} with (force)`);
}

/** Loads in bulk with triggers disabled, fills the derived tables itself, and recreates the secondary indexes. */
async function fill(
  client: pg.Client,
  { events, keys, postersPerEvent = 3, ...options }: DatasetOptions,
): Promise<void> {
  const conferences = options.conferences ?? Math.max(10, events / 5_000);
  const organizations = options.organizations ?? Math.max(10, events / 500);
  const host = options.host ?? `case when n % 10 = 0 then 1 else 2 + n % ${organizations - 1} end`;
  await client.query("set session_replication_role = replica");
  const { rows: indexes } = await client.query<{ indexname: string; indexdef: string }>(`
    select indexname, indexdef from pg_indexes
    where schemaname = 'public' and tablename in ('events', 'event_hosts', 'posters', 'hosted_posters')
      and indexname not in (select conname from pg_constraint)`);
  for (const { indexname } of indexes) await client.query(`drop index ${indexname}`);
  await client.query(`
    insert into users (id, email, name) select ${id("user", "1")}, 'bench@example.com', 'Bench';
    insert into organizations (id, name, slug)
      select ${id("organization", "n")}, 'Organization ' || n, 'organization-' || n from generate_series(1, ${organizations}) n;
    insert into members select id, ${id("user", "1")}, 'owner' from organizations;
    insert into conferences
      (id, name, slug, short_name, description, city, start_date, end_date, timezone, status, category)
      select ${id("conference", "n")}, 'Conference ' || n, 'conference-' || n, 'C' || n, 'A conference', 'Lisbon',
        date '2030-01-01' + n % 400, date '2032-01-01', 'Europe/Lisbon', 'published', 'mainline'
      from generate_series(1, ${conferences}) n;
    insert into events
      (id, conference_id, conference_listed, name, start_time, end_time, timezone, venue, status, category, description)
      select ${id("event", "n")}, ${id("conference", `1 + n / 10 % ${conferences}`)}, true, 'Event ' || n,
        timestamptz '2030-01-01T09:00:00Z' + n % 2000 * interval '1 hour',
        timestamptz '2030-01-01T11:00:00Z' + n % 2000 * interval '1 hour', 'Europe/Lisbon', 'Hall ' || n % 20,
        'published', (array['mainline', 'community', 'sponsored', 'vip'])[1 + n / 7 % 4], repeat('Words about it. ', 12)
      from generate_series(1, ${events}) n;
    insert into event_hosts (event_id, organization_id, role, conference_id, category, start_time, listed)
      select e.id, ${id("organization", host)}, 'host',
        e.conference_id, e.category, e.start_time, e.listed
      from generate_series(1, ${events}) n join events e on e.id = ${id("event", "n")};
    insert into hosted_conferences
      select distinct h.organization_id, c.id, c.start_date from event_hosts h join conferences c on c.id = h.conference_id;
    insert into posters
      (id, event_id, conference_id, listed, image_url, title, published, sort_order, metadata, created_at)
      select ${id("poster", "e.id::text || k")}, e.id, e.conference_id, true,
        'https://images.example.com/' || e.id || '.png', e.name, k <> 2, k,
        '{"style": "bold", "speakers": ["Ada", "Grace"], "caption": "Join us"}', timestamptz '2026-01-01T00:00:00Z'
      from events e cross join generate_series(1, ${postersPerEvent}) k;
    insert into hosted_posters
      select h.organization_id, p.id, p.event_id, p.conference_id, p.listed, p.published, p.sort_order, p.created_at
      from posters p join event_hosts h on h.event_id = p.event_id;
    insert into api_keys (name, key_hash, key_prefix, organization_id, scopes, created_by, expires_at)
      select 'key ' || n, sha256(('svc_mk_' || lpad(n::text, 43, '0'))::bytea), 'svc_mk_00000',
        ${id("organization", `greatest(1, n - ${keys})`)}, ${everyScope}, ${id("user", "1")}, now() + interval '30 days'
      from generate_series(1, ${keys + organizations}) n;`);
  for (const { indexdef } of indexes) await client.query(indexdef);
  await client.query("set session_replication_role = default");
  await client.query("vacuum analyze");
}

const everyScope = `array[${scopes.map((scope) => `'${scope}'`).join(", ")}]`;

/** A deterministic id, so that rows can reference each other without a lookup. */
function id(kind: string, number: string): string {
  return `md5('${kind} ' || (${number}))::uuid`;
}

async function pick(client: pg.Client): Promise<Omit<Dataset, "databaseUrl">> {
  const { rows } = await client.query<{ conference_id: string; event_id: string; organization_id: string }>(`
    select conference_id, event_id, organization_id from event_hosts
    where conference_id = ${id("conference", "1")} and organization_id = ${id("organization", "1")}
    order by event_id limit 1`);
  const row = rows[0];
  if (row === undefined) throw new Error("the dataset is empty");
  const keys = [
    { tier: "super-admin", conference: null, organization: null },
    { tier: "conference", conference: row.conference_id, organization: null },
    { tier: "organization", conference: null, organization: row.organization_id },
  ];
  const createdKeys: Dataset["keys"] = [];
  for (const { tier, conference, organization } of keys) {
    const key = `svc_mk_${randomBytes(40).toString("hex").slice(0, 43)}`;
    await client.query(
      `insert into api_keys
         (name, key_hash, key_prefix, conference_id, organization_id, scopes, created_by, expires_at)
       values ($1, $2, $3, $4::uuid, $5::uuid, case when $5::uuid is null then null else ${everyScope} end,
         case when $5::uuid is null then null else ${id("user", "1")} end,
         case when $5::uuid is null then null else now() + interval '30 days' end)`,
      [tier, createHash("sha256").update(key).digest(), key.slice(0, 12), conference, organization],
    );
    createdKeys.push({ tier, key });
  }
  return { conferenceId: row.conference_id, eventId: row.event_id, keys: createdKeys };
}

async function onServer(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
