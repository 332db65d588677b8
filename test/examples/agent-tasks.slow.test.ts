import sql from "sql-template-tag";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { scopes } from "../../contract/scopes.js";
import { loadDemo } from "../../demo/load-demo.js";
import { hostTasks } from "../../examples/tasks/host.js";
import { tasks } from "../../examples/tasks/index.js";
import { formatOutcomes } from "../../examples/tasks/report.js";
import { isMet, runTask, type TaskKeys } from "../../examples/tasks/run-task.js";
import { createKey } from "../../src/access/key-store.js";
import { getOrganizationId } from "../../src/modules/organizations/store.js";
import { getUserByEmail } from "../../src/modules/users/store.js";
import { type FreshDatabase, openFreshDatabase } from "../support/fresh-database.js";
import { testOperator } from "../support/operator.js";
import { type Service, startService } from "../support/service.js";

/** The tasks of `npm run bench:agents`, on the same data. */
let database: FreshDatabase;
let service: Service;
let keys: TaskKeys;
let before: unknown;

beforeAll(async () => {
  database = await openFreshDatabase();
  const { db, connection } = database;
  const demo = await loadDemo(db, testOperator);
  service = await startService({ limits: { rest: 60, ticketing: 30, mcp: 1_000_000 } }, connection);
  const { key: partnerKey } = await createKey(db, {
    tier: "organization",
    name: "Partner",
    lifetimeDays: 1,
    scopes: [...scopes],
    organizationId: await getOrganizationId(db, "boreal-commons"),
    createdBy: (await getUserByEmail(db, "genevieve.roy@boreal.example.org")).id,
  });
  const key = demo?.keys.find(({ tier }) => tier === "organization")?.key ?? "";
  keys = { service: service.url, key, partnerKey };
  before = await allRows();
});
afterAll(async () => {
  await service.close();
  await database.remove();
});

it("the goals are those that were agreed on", () => {
  expect(Object.fromEntries(tasks.map(({ id, goal }) => [id, goal]))).toEqual({
    T1: { calls: 3, bytes: 20_000 },
    T2: { calls: 4 },
    T3: { calls: 3 },
    T4: { calls: 8, bytes: 42_000 },
    T5: { calls: 6 },
    T6: { calls: 6 },
    T7: {},
    T8: { calls: 6 },
    T9: { calls: 10 },
    T10: {},
  });
  expect(hostTasks.map(({ goal }) => goal)).toEqual([
    { calls: 12, bytes: 60_000 },
    { calls: 12, textBytes: 50_000 },
  ]);
});

describe("an agent", () => {
  it.each([...tasks, ...hostTasks])("$id: $title", async (task) => {
    const said: string[] = [];
    const outcome = await runTask(task, keys, (text) => said.push(text));
    expect(isMet(outcome), formatOutcomes([outcome])).toBe(true);
    expect(outcome.calls).toBeGreaterThan(0);
    expect(said).not.toEqual([]);
  });

  it("has undone everything, so that the tasks can run again", async () => {
    expect(await allRows()).toEqual(before);
  });

  it("misses a goal that is too low, and reports an outcome that is not the expected one", async () => {
    const [overview] = tasks;
    if (overview === undefined) throw new Error("there are no tasks");
    const outcome = await runTask({ ...overview, goal: { calls: 1, bytes: 1_000 } }, keys, () => {});
    expect([isMet(outcome), outcome.problem]).toEqual([false, undefined]);
    expect(formatOutcomes([outcome])).toMatch(/≤ 1 .*MISSED$/);
    const failing = { ...overview, run: () => Promise.reject(new Error("the venue is another one")) };
    const failed = await runTask(failing, keys, () => {});
    expect(formatOutcomes([failed])).toMatch(/FAILED\nT1: the venue is another one$/);
  });
});

/** What the tasks change, without the times at which it was changed. */
async function allRows(): Promise<unknown> {
  const [row] = await database.db.query(sql`
    select
      (select json_agg(to_jsonb(r) - 'updated_at' order by id) from events r) as events,
      (select json_agg(r order by event_id, organization_id) from event_hosts r) as hosts,
      (select json_agg(r order by id) from speakers r) as speakers,
      (select json_agg(r order by id) from segments r) as segments,
      (select json_agg(r order by segment_id, speaker_id) from segment_speakers r) as segment_speakers,
      (select json_agg(r order by id) from registrations r) as registrations,
      (select json_agg(r order by id) from posters r) as posters,
      (select json_agg(to_jsonb(r) - 'updated_at' order by id) from organizations r) as organizations`);
  return row;
}
