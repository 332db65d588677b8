import sql, { type Sql } from "sql-template-tag";
import { beforeAll, describe, expect, it } from "vitest";
import { searchedRecords } from "../../src/records/record-page.js";
import { consoleRoutes } from "../../src/registry.js";
import { useFreshDatabase } from "../support/fresh-database.js";
import { useService } from "../support/setup.js";
import { fillTables, ids, size } from "./plans-fixture.js";
import { capturing, excessesOf } from "./read-plans.js";
import { startConsole } from "./support.js";

/**
 * Every read of the console, on thousands of rows: each statement that a request runs is explained, and no node of its plan
 * may read, or sort, more rows than a page, the events of one organization, or the guests of one event need.
 */

/** A page has at most 200 rows, and counts of news end at 1,000; a list may look at all events of the organization beside it. */
const mostRows = 1_500;

const since = encodeURIComponent("2026-01-01T00:00:00.000Z");
const later = "cursor=next";

/** For each route the queries that use its filters. `next` stands for the cursor of the page before. */
const reads: Record<string, string[]> = {
  session: [""],
  "sign-in/oidc": [""],
  "sign-in/oidc/callback": [""],
  "password/resets/:token": [""],
  "invitations/:token": [""],
  "connect/:uid": [""],
  "connect/:uid/request": [""],
  "account/sessions": [""],
  "organizations/:organization/keys": [""],
  "organizations/:organization/keys/:key": [""],
  "organizations/:organization/apps": [""],
  "organizations/:organization/members": [""],
  "organizations/:organization/dashboard": [""],
  "organizations/:organization/proposals": [""],
  "organizations/:organization/events": [
    ...[
      "",
      later,
      "when=upcoming",
      "when=past&sort=latest",
      `when=upcoming&${later}`,
      `when=past&sort=latest&${later}`,
    ],
    ...["when=upcoming&sort=latest", "conference=:conference", "conference=:conference&sort=latest", "needs=me"],
    ...[`from=${since}&until=${since}`, `from=${since}`, "status=approved", "status=published&sort=latest"],
    ...["sort=name", `sort=name&${later}`, "sort=guests", `sort=guests&${later}`, `needs=me&sort=name&${later}`],
  ],
  "organizations/:organization/conferences": [""],
  "organizations/:organization/posters": [
    ...["", later, "state=draft", "state=published", "state=posted", "state=unposted", "platform=x"],
    ...["platform=nowhere", `state=unposted&${later}`],
  ],
  "organizations/:organization/links": ["", later, "platform=x", "platform=nowhere"],
  "organizations/:organization/search": ["query=guest", "query=nobody%20here"],
  "organizations/:organization/activity": [
    ...["", later, "event=:event", "person=:person", "tool=update_event_details", "tool=nothing", "via=console"],
    ...[`since=${since}`, `until=${since}`, "text=reason", "via=console&tool=nothing"],
    ...["person=:stranger", `person=:person&${later}`, "app=:app", "key=:key"],
  ],
  "organizations/:organization/activity/export": ["", "tool=nothing"],
  "organizations/:organization/activity/:record/parts": [""],
  "organizations/:organization/activity/people": [""],
  "organizations/:organization/host-candidates": ["query=organization", "query=nobody%20here"],
  "organizations/:organization/events/:event": [""],
  "organizations/:organization/events/:event/speakers": [""],
  "organizations/:organization/events/:event/posters": ["", later],
  "organizations/:organization/events/:event/pictures.zip": [""],
  "organizations/:organization/events/:event/poster-preview": ["template=headline&format=square"],
  "organizations/:organization/events/:event/guests/changes": ["", `since=${since}`],
  "organizations/:organization/events/:event/guests/codes": ["", later],
  "organizations/:organization/events/:event/guests/:registration/code": [""],
  "organizations/:organization/events/:event/door": ["", later],
  "organizations/:organization/events/:event/door.webmanifest": [""],
  "organizations/:organization/events/:event/door-links": [""],
  "organizations/:organization/events/:event/run-of-show": [""],
  door: [""],
  "door/guests": ["", later],
  "door/guests/changes": [`since=${since}`],
  "door/guests/:registration": [""],
  "admin/conferences": [
    "",
    later,
    "status=draft",
    "status=archived",
    "sort=earliest",
    "q=conference",
    "q=nobody%20here",
  ],
  "admin/conferences/:conference": [""],
  "admin/events": [
    ...["", later, "status=draft", "conference=:conference", "conference=:conference&status=archived"],
    ...["organization=:organization", "sort=earliest", `sort=earliest&${later}`, "sort=earliest&q=first"],
    ...["q=keynote", "q=nobody%20here", "q=rare", `q=keynote&${later}`, "proposed=true"],
    // A frequent word, but only in the last events of the list.
    ...["q=first", `q=first&${later}`],
  ],
  "admin/events/:event": [""],
  "admin/organizations": ["", later, "sort=newest", "q=organization", "q=nobody%20here"],
  "admin/organizations/:organization": [""],
  "admin/people": ["", later, "q=nobody%20here", "q=rare", "q=last", `q=last&${later}`, "platform_admin=true"],
  "admin/invitations": ["", "organization=:organization"],
  "admin/keys": ["", later],
  "admin/records": [
    ...["", later, "event=:event", "person=:person", "tool=update_event_details", "tool=nothing", "via=command_line"],
    ...["organization=:organization", `since=${since}`, `until=${since}`, "text=reason"],
    ...["organization=:organization&tool=nothing", "person=:person&via=command_line"],
  ],
  "admin/records/export": ["tool=nothing"],
};

/** No index serves text, so these look at a fixed number of records. */
const searches: Record<string, string[]> = {
  "organizations/:organization/activity": ["text=nobody%20here"],
  "admin/records": ["text=nobody%20here"],
};

/** Counts of everything there is. */
const wholeTables: Record<string, string[]> = { "admin/overview": [""] };

/** These read all guests of one event, and no more: a selection and an export. */
const wholeRosters: Record<string, string[]> = {
  "organizations/:organization/events/:event/guests/selection": ["", "status=pending", "query=nobody%20here"],
  "organizations/:organization/events/:event/guests.csv": ["", "status=pending"],
};

const streams = ["organizations/:organization/changes", "admin/changes"];

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
  // A separate database, because rows of other tests would change the planner's estimates.
  await fillTables(fresh.db);
  cookie = await service.signIn(ids.person ?? "");
  await service.db.query(sql`update events set end_time = now() + interval '1 day' where id = ${ids.event}`);
  const link = await service.change(ids.organization ?? "", cookie, "create_door_link", {
    event_id: ids.event,
    name: "Main entrance",
  });
  expect(link.status, link.text).toBe(200);
  const [, token] = String(link.json.link).split("#");
  const opened = await service.post("door", undefined, { token, pin: link.json.pin });
  cookie += `; ${opened.headers.get("set-cookie")?.split(";")[0]}`;
}, 300_000);

it("has a line for every read of the console", () => {
  const placeholders: Record<string, string> = {
    conferences: ":conference",
    events: ":event",
    organizations: ":organization",
  };
  const declared = consoleRoutes
    .filter(({ method }) => method === "GET")
    .map(({ path }) => path.replace("/api/console/", ""))
    .map((path) => path.replace(/^admin\/(\w+)\/:id$/, (_, noun) => `admin/${noun}/${placeholders[noun]}`));
  expect(declared.sort()).toEqual([...[reads, wholeRosters, wholeTables].flatMap(Object.keys), ...streams].sort());
});

const requestsOf = (table: Record<string, string[]>) =>
  Object.entries(table).flatMap(([path, queries]) => queries.map((query) => ({ path, query })));

describe("a read", () => {
  it.each(requestsOf(reads))("$path $query", async ({ path, query }) => {
    for (const statement of await statementsOf(path, query)) await expectBounded(statement, mostRows);
  });

  it.each(requestsOf(wholeRosters))("of all guests: $path $query", async ({ path, query }) => {
    for (const statement of await statementsOf(path, query)) await expectBounded(statement, size.guests);
  });

  it.each(requestsOf(searches))("by text: $path $query", async ({ path, query }) => {
    for (const statement of await statementsOf(path, query)) await expectBounded(statement, searchedRecords);
  });

  it.each(requestsOf(wholeTables))("of everything: $path $query", async ({ path, query }) => {
    for (const statement of await statementsOf(path, query)) await expectBounded(statement, size.rows);
  });

  it("of the list of guests", async () => {
    for (const query of [{}, { status: "approved" }, { checked_in: false }, { query: "guest 1" }]) {
      statements = [];
      const path = `organizations/${ids.organization}/tools/list_event_registrations`;
      const reply = await service.post(path, cookie, { event_id: ids.event, ...query });
      expect(reply.status, reply.text).toBe(200);
      for (const statement of statements) await expectBounded(statement, mostRows);
    }
  });
});

it.each([
  ["a scan", sql`select count(*) from events where description = 'x'`],
  ["a sort", sql`select id from mutation_records order by request_hash, id limit 10`],
])("detects %s", async (_, statement) => {
  expect(await excessesOf(fresh.db, statement, mostRows)).not.toEqual([]);
});

async function statementsOf(path: string, query: string): Promise<Sql[]> {
  const url = withIds(path);
  if (!query.includes("next")) return run(url, withIds(query));
  const first = await service.get(`${url}?${withIds(query.replace(later, "limit=1"))}`, cookie);
  const page = first.json as { next_cursor?: string; pagination?: { next_cursor: string } };
  const cursor = page.pagination?.next_cursor ?? page.next_cursor;
  expect(cursor, first.text).toEqual(expect.any(String));
  return run(url, withIds(query.replace("next", cursor ?? "")));
}

async function run(url: string, query: string): Promise<Sql[]> {
  statements = [];
  const response = await fetch(`${service.url}/api/console/${url}?${query}`, {
    headers: { cookie },
    redirect: "manual",
  });
  const text = await response.text();
  expect(response.status, text).not.toBe(400);
  expect(response.status, text).toBeLessThan(500);
  return statements;
}

const withIds = (text: string) => text.replaceAll(/:(\w+)/g, (_, name: string) => ids[name] ?? "none");

async function expectBounded(statement: Sql, most: number): Promise<void> {
  expect(await excessesOf(fresh.db, statement, most), statement.sql).toEqual([]);
}
