import sql, { raw, type Sql } from "sql-template-tag";
import { beforeAll, expect, it } from "vitest";
import { eventsAroundNow, nearEvents } from "../../src/access/visibility.js";
import { scannedEvents } from "../../src/modules/organizations/event-lines.js";
import { namedEvents } from "../../src/modules/organizations/search-store.js";
import { type FreshDatabase, useFreshDatabase } from "../support/fresh-database.js";
import { useService } from "../support/setup.js";
import { fillTables, ids } from "./plans-fixture.js";
import { capturing, excessesOf } from "./read-plans.js";
import { startConsole } from "./support.js";

/** What is shown of all events of an organization at once must not grow with their number. */

const pastEvents = nearEvents + 200;
/** The events around now, with two records each. All events are more. */
const mostRows = 4 * nearEvents + 100;

const fresh = useFreshDatabase();
const { service } = useService(() =>
  startConsole(
    { wrapDatabase: capturing((statement) => statements.push(statement)) },
    { consoleLimit: 100_000 },
    { connection: fresh.connection },
  ),
);
let cookie: string;
let statements: Sql[] = [];

beforeAll(async () => {
  await fillTables(fresh.db);
  await hostEverything(fresh);
  cookie = await service.signIn(ids.person ?? "");
}, 300_000);

/** The organization of the fixture co-hosts all events, most of which are to come, and some more of the past. */
async function hostEverything({ db }: FreshDatabase): Promise<void> {
  await db.query(sql`
    insert into events (conference_id, name, start_time, end_time, timezone, status, category)
    select c.id, 'Past ' || i, now() - i * interval '3 hours', now() - i * interval '3 hours' + interval '1 hour', 'UTC',
      'published', 'community'
    from generate_series(1, ${pastEvents}::int) i
    join (select id, row_number() over (order by slug) as place from conferences where status = 'published') c
      on c.place = 1 + i % 900`);
  await db.query(sql`
    insert into event_hosts (event_id, organization_id, role)
    select id, ${ids.organization}, case when name like 'Past %' then 'host' else 'co_host' end from events
    on conflict do nothing`);
  await db.query(raw("vacuum analyze"));
}

async function read(path: string): Promise<{ json: Record<string, unknown>; statements: Sql[] }> {
  statements = [];
  const reply = await service.get(`organizations/${ids.organization}/${path}`, cookie);
  expect(reply.status, reply.text).toBe(200);
  return { json: reply.json, statements: [...statements] };
}

/** Of the tables that are read row by row: counts come from indexes alone, and links are looked up for more events. */
async function expectBounded(made: Sql[], most = mostRows): Promise<void> {
  expect(made.length).toBeGreaterThan(0);
  const isCounted = (relation = "") => ["events", "registrations", "mutation_records", "posters"].includes(relation);
  for (const statement of made) {
    expect(await excessesOf(fresh.db, statement, most, isCounted), statement.sql).toEqual([]);
  }
}

it.each([
  "dashboard",
  "events?when=upcoming",
  "events?when=past&sort=latest",
  "events?sort=name",
  "events?sort=guests",
  "events?status=approved",
  "events?needs=me",
  "search?query=first",
  "activity",
  "activity?tool=none",
])("%s reads only the nearest events", async (path) => {
  await expectBounded((await read(path)).statements, path.startsWith("search") ? 2 * namedEvents : mostRows);
});

type Page = { items: { id: string; name: string }[]; next_cursor: string | null };

/** All items of a list, or those of its first pages, and the statements of the last page. */
async function readAll(path: string, pages = Number.POSITIVE_INFINITY): Promise<Page["items"]> {
  const items: Page["items"] = [];
  let cursor: string | null = "";
  for (let page = 0; cursor !== null && page < pages; page++) {
    const reply = await read(cursor === "" ? path : `${path}&cursor=${cursor}`);
    const { items: found, next_cursor } = reply.json as Page;
    items.push(...found);
    cursor = next_cursor;
  }
  return items;
}

it.each(["upcoming", "past"])("pages of %s events read only what they show", async (when) => {
  const found = await readAll(`events?when=${when}&limit=200`);
  const [expected] = await fresh.db.query<{ count: number }>(sql`
    select count(*)::int as count from event_hosts h join events e on e.id = h.event_id
    where h.listed and h.organization_id = ${ids.organization} and (e.end_time > now()) = ${when === "upcoming"}`);
  expect(new Set(found.map(({ id }) => id)).size).toBe(expected?.count);
  await expectBounded(statements);
});

it("activity has the organization's records and those of others about the nearest events, in order", async () => {
  const found = await readAll("activity?limit=100", 5);
  const expected = await fresh.db.query<{ id: string }>(sql`
    select r.id from mutation_records r
    where r.organization_id = ${ids.organization} or r.event_id in (
      select v.id from ${eventsAroundNow(ids.organization ?? "")} v)
    order by r.at desc, r.id desc limit 500`);
  expect(found.map(({ id }) => id)).toEqual(expected.map(({ id }) => id));
});

it("the snapshot reads only the nearest events", async () => {
  const made = await snapshot();
  expect(made.names).toHaveLength(25);
  await expectBounded(made.statements);
});

it("the snapshot finds any event by the beginnings of words, and the nearest by any part of their name", async () => {
  expect((await snapshot({ event_name: "1999" })).names).toEqual(["Keynote 1999"]);
  // More than the searched number of events are before this one.
  expect((await snapshot({ event_name: "5999" })).names).toEqual(["Keynote 5999"]);
  const numbers = (await snapshot({ event_name: "keynote 999" })).names.map((name) => name.split(" ")[1]);
  expect(numbers).toEqual(["999", "1999"]);
  await expectBounded((await snapshot({ event_name: "nobody here" })).statements, 2 * scannedEvents);
});

it("all pages of the snapshot have every event once and read only a few", async () => {
  const [expected] = await fresh.db.query<{ count: number }>(sql`
    select count(*)::int as count from event_hosts where listed and organization_id = ${ids.organization}`);
  const names: string[] = [];
  let page = await snapshot({ limit: 100 });
  for (names.push(...page.names); page.cursor !== null; names.push(...page.names)) {
    page = await snapshot({ limit: 100, cursor: page.cursor });
    await expectBounded(page.statements);
  }
  expect(new Set(names).size).toBe(names.length);
  expect(names).toHaveLength(expected?.count ?? 0);
});

it.each([
  ["pending guests", { pending_guests: true }, sql`t.pending > 0`],
  [
    "posters",
    { not_posted_on: "nowhere.example" },
    sql`exists (select from posters p where p.event_id = h.event_id and p.published)`,
  ],
  ["dates", { from: "2020-01-01", to: "2099-01-01" }, sql`true`],
  ["dates before all", { to: "1999-01-01" }, sql`false`],
])("a filter by %s goes on after as many events as a page may look at", async (_name, filter, condition) => {
  const [expected] = await fresh.db.query<{ count: number }>(sql`
    select count(*)::int as count from event_hosts h left join rosters t on t.event_id = h.event_id
    where h.listed and h.organization_id = ${ids.organization} and ${condition}`);
  const names: string[] = [];
  let page = await snapshot({ ...filter, limit: 100 });
  for (names.push(...page.names); page.cursor !== null; names.push(...page.names)) {
    await expectBounded(page.statements, 2 * scannedEvents);
    page = await snapshot({ ...filter, limit: 100, cursor: page.cursor });
  }
  expect(new Set(names).size).toBe(names.length);
  expect(names).toHaveLength(expected?.count ?? 0);
});

async function snapshot(args: object = {}): Promise<{ names: string[]; cursor: string | null; statements: Sql[] }> {
  statements = [];
  const path = `organizations/${ids.organization}/tools/get_organization_admin_snapshot`;
  const reply = await service.post(path, cookie, args);
  expect(reply.status, reply.text).toBe(200);
  const { events, pagination } = reply.json as {
    events: { name: string }[];
    pagination: { next_cursor: string | null };
  };
  return {
    names: events.map(({ name }) => name),
    cursor: pagination.next_cursor,
    statements: [...statements],
  };
}
