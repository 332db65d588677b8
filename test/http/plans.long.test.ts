import { randomUUID } from "node:crypto";
import sql, { raw, type Sql } from "sql-template-tag";
import { beforeAll, expect, it } from "vitest";
import { maximumPage } from "../../contract/nouns.js";
import { hashOf } from "../../src/access/api-key.js";
import type { Caller } from "../../src/access/caller.js";
import type { PastRead } from "../../src/access/changes.js";
import { selectLookups } from "../../src/access/check-request.js";
import { selectVisible } from "../../src/access/visibility.js";
import { serverLimits } from "../../src/infra/database/database-limits.js";
import { openDatabase, type Queryable } from "../../src/infra/database/db.js";
import { textPage } from "../../src/infra/database/keyset-page.js";
import { selectConferences } from "../../src/modules/conferences/store.js";
import { selectEvents } from "../../src/modules/events/store.js";
import {
  type PosterFilterValues,
  selectLockedPoster,
  selectPoster,
  selectPosters,
} from "../../src/modules/posters/store.js";
import { selectProxyCalls } from "../../src/ticketing/proxy-call.js";
import { openFreshDatabase } from "../support/fresh-database.js";
import { withPostgres } from "../support/needs.js";
import { countPlans, keptPlanOf, nodesOf, type PlanNode } from "../support/plans.js";

/** Query plans of the statements that lists and lookups run, on thousands of rows: no scan or sort of a whole table. */

/**
 * `seeks`: it starts to read an index at the position of its page. `isFaster`: for the organization that hosts little, so that
 * the server rather plans it anew.
 */
type Case = { name: string; statement: Sql; maySort: boolean; seeks?: boolean; isFaster?: boolean };

const conference = randomUUID();
const organization = randomUUID();
const otherOrganization = randomUUID();
const smallOrganization = randomUUID();
const event = randomUUID();
const lastId = "00000000-0000-4000-8000-000000000000";

const via = { kind: "key", keyId: randomUUID(), keyName: "plans", expiresAt: null, lastUsedAt: null } as const;
const ofOrganization = (organizationId: string): Caller => ({
  via,
  tier: "organization",
  organizationId,
  userId: randomUUID(),
  scopes: [],
  role: "owner",
});
const callers: [name: string, caller: Caller][] = [
  ["super-admin key", { via, tier: "super-admin", userId: null }],
  ["conference key", { via, tier: "conference", conferenceId: conference, userId: null }],
  ["organization key", ofOrganization(organization)],
  ["key of an organization that hosts little", ofOrganization(smallOrganization)],
];

const largest = raw(String(maximumPage + 1));
const page = (rows: Sql) => textPage(rows, 50);

/** Where a page starts. Before the last rows, a plan for that position looks cheaper than one for any. */
const starts = {
  first: null,
  later: { conference: "2031-02-01", event: "2031-01-01T10:00:00.000Z", poster: "1" },
  last: { conference: "2031-04-09", event: "2031-01-03T18:30:00.000Z", poster: "1999" },
};

const lists = callers.flatMap(([key, caller]) =>
  Object.entries(starts).flatMap(([which, start]): Case[] => {
    const after = (noun: keyof typeof starts.last, ...others: string[]) => start && [start[noun], ...others, lastId];
    const name = (list: string) => `${list}, ${which} page, ${key}`;
    const cases = [
      {
        name: name("conferences"),
        statement: page(selectConferences(caller, "", after("conference"), largest)),
        // A conference key sees one row.
        maySort: caller.tier === "conference",
        isFaster: caller.tier === "organization" && caller.organizationId === smallOrganization,
      },
      ...[{}, { category: "vip" as const }].map((filters) => ({
        name: name(`events by ${Object.keys(filters)}`),
        statement: page(selectEvents(caller, { conferenceId: conference, filters }, "", after("event"), largest)),
        maySort: false,
      })),
      ...posterFilters(caller).map((filter) => ({
        name: name(
          `posters by ${Object.entries(filter).map(([field, value]) => (field === "published" ? `published=${value}` : field))}`,
        ),
        statement: page(selectPosters(caller, filter, "", after("poster", "2026-01-01T00:00:00.000Z"), largest)),
        maySort: false,
      })),
    ];
    return cases.map((one) => ({ ...one, seeks: start !== null && !one.maySort }));
  }),
);

/** One request, and a small batch. For large batches a scan of tables this small is the better plan. */
const lookups = [1, 4].flatMap((requests): Case[] => {
  const keyHashes = Array.from({ length: requests }, () => hashOf(randomUUID()));
  const lookups = keyHashes.map((keyHash, i) => ({ keyHash, eventReference: i % 2 === 0 ? event : "evt-plans" }));
  return [
    { name: `keys of ${requests}`, statement: selectLookups(keyHashes, []), maySort: false },
    {
      name: `keys of ${requests}, with what they hold`,
      statement: selectLookups(keyHashes, Array.from({ length: requests }, held)),
      maySort: false,
    },
    { name: `proxy calls of ${requests}`, statement: selectProxyCalls(lookups), maySort: false },
  ];
});

function held(): PastRead {
  return { list: "events", scope: randomUUID(), readAt: { server: "", snapshot: "1000:1000:" } };
}

const rows = callers.flatMap(([key, caller]): Case[] => [
  { name: `a poster, ${key}`, statement: selectPoster(caller, lastId, ""), maySort: false },
  { name: `a poster to change, ${key}`, statement: selectLockedPoster(caller, lastId, ""), maySort: false },
  ...(["conference", "event", "poster"] as const).map((noun) => ({
    name: `whether a ${noun} is visible, ${key}`,
    statement: selectVisible(caller, noun, lastId),
    maySort: false,
  })),
]);

const cases = [...lists, ...lookups, ...rows];

/** Every combination the route can build: a conference key always filters by its own conference. */
function posterFilters(caller: Caller): PosterFilterValues[] {
  return [{}, { event_id: event }].flatMap((byEvent) =>
    (caller.tier === "conference" ? [{ conference_id: conference }] : [{}, { conference_id: conference }]).flatMap(
      (byConference) =>
        [{}, { published: true }, { published: false }].map((byState) => ({ ...byEvent, ...byConference, ...byState })),
    ),
  );
}

const control: Case[] = [
  { name: "a sort", statement: sql`select id from posters order by image_url, id`, maySort: false },
  { name: "a scan", statement: sql`select id from posters where title = 'x'`, maySort: false },
];

const plans = new Map<Case, PlanNode>();
const plannedAnew = new Map<Case, number | undefined>();

beforeAll(async () => {
  // A separate database, because rows of other tests would change the planner's estimates.
  const { db, remove } = await openFreshDatabase();
  await fill(db);
  for (const one of [...cases, ...control]) plans.set(one, await keptPlanOf(db, one.statement));
  if (process.env.DATABASE_URL) for (const one of cases) plannedAnew.set(one, await countPlans(db, one.statement));
  await remove();
});

it.each(cases)("$name", (one) => expect(slowNodes(one), outline(plans.get(one))).toEqual([]));

it.each(lists.filter(({ seeks }) => seeks))("$name reads no row before it", (one) => {
  const conditions = nodesOf(planFor(one)).map((node) => node["Index Cond"] ?? "");
  expect(conditions.filter((condition) => condition.includes("ROW("))).toHaveLength(1);
});

withPostgres("a statement that is planned once per connection", () => {
  // The server tries five plans with the values of the request before it keeps one.
  it.each(cases.filter(({ isFaster }) => !isFaster))("$name", (one) => expect(plannedAnew.get(one)).toBe(5));
});

withPostgres("a look-up that was planned when its tables were empty", () => {
  it("scans none of them when they have grown", async () => {
    const fresh = await openFreshDatabase();
    const service = openDatabase(fresh.connection, { poolSize: 3, onIdleError: () => {}, limits: serverLimits });
    const { scope, list, readAt } = held();
    const lookUp = () =>
      service.lookups.query(selectLookups([hashOf("svc_mk_plans")], [{ scope, list, readAt }]), "look up");
    try {
      // Of a table that was never analyzed, the planner assumes ten pages.
      await fresh.db.query(sql`analyze`);
      for (let run = 1; run <= 12; run += 1) await lookUp();
      await fresh.db.query(sql`
        insert into changes (list, scope, xid)
        select ${list}, ${scope}::uuid, i::text::xid8 from generate_series(1, 5000) i`);
      const before = await scansBy(service.lookups);
      await lookUp();
      const after = await scansBy(service.lookups);
      expect(after.by_index).toBeGreaterThan(before.by_index);
      expect(after.whole).toBe(before.whole);
    } finally {
      await service.close();
      await fresh.remove();
    }
  });

  /** The scans of tables by this connection and those before it; others have made none meanwhile. */
  async function scansBy(connection: Queryable): Promise<{ whole: number; by_index: number }> {
    await connection.query(sql`select pg_stat_force_next_flush()`);
    const [scans] = await connection.query<{ whole: number; by_index: number }>(sql`
      select sum(seq_scan)::int as whole, sum(idx_scan)::int as by_index from pg_stat_user_tables
      where relname in ('changes', 'change_horizon', 'api_keys')`);
    if (scans === undefined) throw new Error("no statistics");
    return scans;
  }
});

it.each(control)("detects $name", (one) => expect(slowNodes(one)).not.toEqual([]));

/** Nodes that read or sort more rows than the page has. A bitmap scan returns rows unordered. */
function slowNodes(one: Case): string[] {
  return nodesOf(planFor(one))
    .filter((node) => node["Relation Name"] !== "change_horizon") // has one row
    .map((node) => node["Node Type"])
    .filter((type) => type === "Seq Scan" || type.startsWith("Bitmap") || (!one.maySort && type.endsWith("Sort")));
}

function planFor(one: Case): PlanNode {
  const plan = plans.get(one);
  if (plan === undefined) throw new Error("no plan");
  return plan;
}

/** The plan with one node per line, for failure messages. */
function outline(node: PlanNode | undefined, indent = ""): string {
  if (node === undefined) return "no plan";
  const line = [node["Node Type"], node["Relation Name"], node["Index Name"]].filter((part) => part !== undefined);
  return [`\n${indent}${line.join(" ")}`, ...(node.Plans ?? []).map((child) => outline(child, `${indent}  `))].join("");
}

/**
 * 2,000 conferences with an event each, 2,000 keys and 2,000 members. With any filter a list has more than one page: one
 * conference has 2,000 events, one event 2,000 posters, and one organization hosts most of that conference and events in
 * hundreds of others. Another one hosts five events.
 */
async function fill(tx: Queryable): Promise<void> {
  await tx.query(sql`
    insert into conferences
      (id, name, slug, short_name, description, city, start_date, end_date, timezone, status, category)
    select case when i = 1 then ${conference}::uuid else gen_random_uuid() end, 'plans', gen_random_uuid()::text, 'P', 'P', 'P',
      date '2031-01-01' + i % 100, '2032-01-01', 'UTC', case when i % 10 = 0 then 'draft' else 'published' end, 'mainline'
    from generate_series(1, 2000) i`);
  await tx.query(sql`
    insert into events (id, conference_id, name, start_time, end_time, timezone, status, category)
    select case when n = 1 then ${event}::uuid else gen_random_uuid() end, conference_id, 'plans',
      timestamptz '2031-01-01Z' + n * interval '1 minute', '2033-01-01Z', 'UTC', 'published',
      (array['mainline', 'community', 'sponsored', 'vip'])[1 + n % 4]
    from (
      select ${conference}::uuid as conference_id, i as n from generate_series(1, 2000) i
      union all
      select id, 2000 + row_number() over () from conferences where name = 'plans' and id <> ${conference}) spread`);
  await tx.query(sql`
    insert into organizations (id, name, slug) values
      (${organization}, 'plans', ${organization}), (${otherOrganization}, 'plans', ${otherOrganization}),
      (${smallOrganization}, 'plans', ${smallOrganization})`);
  await tx.query(sql`
    insert into event_hosts (event_id, organization_id, role)
    select id, case when n % 3 > 0 and (n <= 2000 or n % 2 = 1) then ${organization}::uuid else ${otherOrganization} end, 'host'
    from (select id, (extract(epoch from start_time - timestamptz '2031-01-01Z') / 60)::int as n from events where name = 'plans') e`);
  await tx.query(sql`
    insert into event_hosts (event_id, organization_id, role)
    select id, ${smallOrganization}, 'co_host' from events where name = 'plans' order by start_time limit 5`);
  await tx.query(sql`
    insert into posters (event_id, image_url, published, sort_order)
    select id, 'https://images.example.com/p.png', i % 3 > 0, i
    from events e, generate_series(1, case when e.id = ${event} then 2000 else 1 end) i where name = 'plans'`);
  await tx.query(sql`
    insert into api_keys (name, key_hash, key_prefix)
    select 'plans', sha256(i::text::bytea), 'svc_mk_plans' from generate_series(1, 2000) i`);
  await tx.query(sql`
    with made as (
      insert into users (email, name) select 'plans' || i || '@example.com', 'plans' from generate_series(1, 2000) i returning id)
    insert into members (organization_id, user_id, role) select ${organization}, id, 'member' from made`);
  for (const table of [
    "api_keys",
    "members",
    "conferences",
    "events",
    "event_hosts",
    "hosted_conferences",
    "posters",
    "hosted_posters",
  ]) {
    await tx.query(raw(`analyze ${table}`));
  }
}
