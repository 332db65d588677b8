import sql, { raw, type Sql } from "sql-template-tag";
import { beforeAll, expect, it } from "vitest";
import { hashOf } from "../../src/access/api-key.js";
import { selectHostingCallers } from "../../src/access/hosting.js";
import type { Database, Queryable, Transaction } from "../../src/infra/database/db.js";
import { workOf } from "../../src/infra/database/statement-names.js";
import { fillTables } from "../console/plans-fixture.js";
import { addStaff, createEventFixture, type EventFixture, type StaffFixture } from "../support/event-fixture.js";
import { useFreshDatabase } from "../support/fresh-database.js";
import { withPostgres } from "../support/needs.js";
import { countPlans, keptPlanOf, nodesOf } from "../support/plans.js";
import { exampleInputs } from "../support/tool-examples.js";
import { createToolRunner } from "../support/tool-runner.js";

/** The plans that connections keep for the statements of tools, beside thousands of rows of other organizations. */

/** What the names of all statements begin with that tools run under a name, written out: a new one needs a plan that can be kept. */
const named = [
  ...[
    "add guests",
    "add segment speakers",
    "add segments",
    "add speaker",
    "change segments",
    "close speaker positions",
  ],
  ...["count posters", "find event details", "find segments", "find speaker", "get event snapshot"],
  ...["get event start", "get hosting", "get material", "get organization details", "get organization named"],
  ...["get organization snapshot", "get poster publication", "get registration", "get registration details"],
  ...["get roster counts", "get run of show publication", "get schedule state", "insert record", "list history"],
  ...["find host offer", "get event name"],
  ...["count guests of events", "count links by network", "count registrations by group", "get counted event"],
  "get counted conference",
  ...["count proposals", "find proposal", "get proposal conference", "lock proposals", "save return of proposal"],
  ...["add posters", "get event status", "read affected by cancelling", "read copy source", "see conference"],
  ...[
    "list hosts",
    "list poster assets",
    "list poster lines",
    "list segment times",
    "list segments",
    "list segments naming",
  ],
  ...["list speaker names", "lock event", "lock organization", "read seats", "remove segment speakers"],
  ...["remove segments", "renumber segments", "save check ins", "save posted urls", "save poster publication"],
  ...["save run of show publication", "save states"],
  ...["count approved", "count speakers named", "get schedule"],
  ...["find hosting callers", "find replay", "claim key", "get record", "check record budget"],
  ...["find editable poster", "get poster use", "get published posters", "remove poster", "save poster"],
].sort();

/** Tools of the MCP endpoint that need more than the database. */
const drawing = ["generate_event_poster_draft", "redraw_event_posters", "add_event_poster"];

const fresh = useFreshDatabase();
const found = new Map<string, Sql>();

beforeAll(async () => {
  // A separate database, because rows of other tests would change the planner's estimates.
  await fillTables(fresh.db);
  const base = await createEventFixture(fresh.db);
  await runTools(capturing(fresh.db), { ...base, ...(await addStaff(fresh.db, base)) });
  found.set(
    "find hosting callers #",
    selectHostingCallers([
      { hash: hashOf("one"), isToken: false },
      { hash: hashOf("two"), isToken: true },
    ]),
  );
  await fresh.db.query(raw("analyze"));
}, 300_000);

it("covers every statement with a name", () => {
  expect([...new Set([...found.keys()].map(workOf))].sort()).toEqual(named);
});

it("reads no table from its beginning to its end", async () => {
  for (const [name, statement] of found) expect(await scansOf(fresh.db, statement), name).toEqual([]);
});

it("finds the reverts of a record by an index, as the function revert_in_effect does", async () => {
  const statement = sql`
    select r.id from mutation_records r
    where r.tool = 'revert_change' and r.request ->> 'record_id' = ${"x"} order by r.at desc, r.id desc limit 1`;
  expect(await scansOf(fresh.db, statement)).toEqual([]);
  const [row] = await fresh.db.query<{ exists: boolean }>(
    sql`select to_regclass('mutation_records_reverts') is not null as exists`,
  );
  expect(row).toEqual({ exists: true });
});

it("detects such a scan", async () => {
  expect(await scansOf(fresh.db, sql`select id from posters where title = ${"x"}`)).toEqual(["posters"]);
});

withPostgres("the server", () => {
  /** How often each statement that reads is planned. */
  async function countAll(purpose: string): Promise<Record<string, number | undefined>> {
    const counts: Record<string, number | undefined> = {};
    for (const [name, statement] of found) {
      if (!/^\s*select\b/.test(statement.text) || planned.includes(workOf(name))) continue;
      counts[name] = await countPlans(fresh.db, statement, `${name} ${purpose}`);
    }
    return counts;
  }

  // The plan depends on how many events are counted.
  const planned = ["count guests of events", "count links by network"];

  // After it has tried five with the values of requests.
  const allKept = (counts: object) => Object.fromEntries(Object.keys(counts).map((name) => [name, 5]));

  const nameOfWork = (work: string) => [...found.keys()].find((name) => workOf(name) === work) ?? "";

  it("keeps the plan of every statement that reads", async () => {
    const counts = await countAll("alike");
    expect(counts).toEqual(allKept(counts));
  });

  it("keeps it also for an organization that hosts fewer events than others", async () => {
    await fresh.db.query(sql`
      insert into event_hosts (event_id, organization_id, role)
      select e.id, o.id, 'co_host' from (select id from events order by id limit 400) e,
        (select id from organizations where slug like 'o-%' order by id limit 50) o
      on conflict do nothing`);
    await fresh.db.query(raw("analyze"));
    const counts = await countAll("small");
    // Counts all events and posters of the organization, which costs less for a small one.
    const { [nameOfWork("get organization snapshot")]: _, ...others } = counts;
    expect(others).toEqual(allKept(others));
  });
});

/** Every read, and every change with its preview, commit and repetition. */
async function runTools(db: Database, fixture: EventFixture & StaffFixture): Promise<void> {
  const tools = createToolRunner(db, fixture);
  for (const name of [
    ...["get_organization_admin_snapshot", "get_event_admin_snapshot", "get_event_host_snapshot"],
    ...["list_event_registrations", "get_event_run_of_show", "get_event_asset_workspace"],
  ])
    await tools.run(name);
  await tools.run("list_changes", { event_id: fixture.eventId });
  await tools.run("get_event_statistics");
  await tools.run("get_event_statistics", { event_id: undefined, conference_id: fixture.conferenceId });
  await tools.run("get_event_registration_details", { registration_id: fixture.registrationIds.approved });
  for (const [name, input] of Object.entries(exampleInputs)) {
    if (drawing.includes(name)) continue;
    // Each on the rows that the example expects, which changes before it may have removed.
    const own = await createEventFixture(fresh.db);
    await createToolRunner(db, own).commit(name, input({ ...own, ...(await addStaff(fresh.db, own)) }));
  }
}

/** The database, with the statements noted that run under a name. */
function capturing(db: Database): Database {
  const noting =
    (query: Queryable["query"]): Queryable["query"] =>
    (statement, name) => {
      if (name !== undefined) found.set(name, statement);
      return query(statement, name);
    };
  const inTransaction = (tx: Transaction): Transaction => ({ query: noting(tx.query), last: noting(tx.last) });
  return {
    ...db,
    query: noting(db.query),
    transaction: (work, options) => db.transaction((tx) => work(inTransaction(tx)), options),
  };
}

/** The tables that the kept plan reads without an index, although it may not prefer that for being small. */
async function scansOf(db: Database, statement: Sql): Promise<string[]> {
  const plan = await keptPlanOf(db, statement, "set local enable_seqscan = off");
  return nodesOf(plan)
    .filter((node) => node["Node Type"] === "Seq Scan")
    .map((node) => node["Relation Name"] ?? "");
}
