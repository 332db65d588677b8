import { randomUUID } from "node:crypto";
import sql from "sql-template-tag";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Database, openDatabase } from "../../src/infra/database/db.js";
import { createEventFixture } from "../support/event-fixture.js";
import { useFreshDatabase } from "../support/fresh-database.js";
import { makerOn } from "../support/make.js";
import { withPostgres } from "../support/needs.js";
import { testServices } from "../support/poster-generator.js";
import { publicUrl } from "../support/service.js";
import { createToolRunner, reason } from "../support/tool-runner.js";

// biome-ignore lint/suspicious/noExplicitAny: results of several tools are read.
type Json = any;

// The embedded database has one session: transactions cannot overlap there.
withPostgres("concurrent commits", () => {
  const fresh = useFreshDatabase();
  let db: Database;
  beforeAll(async () => {
    db = openDatabase(fresh.connection, { poolSize: 25, onIdleError: () => {} });
  });
  afterAll(() => db.close());

  it("20 identical commits make one change and one record", async () => {
    const { run, fixture } = await createRunner();
    const preview = await run("update_event_details", { venue: "Hall 2" });
    const commit = { ...preview.commit_with, reason };
    const results = await Promise.all(Array.from({ length: 20 }, () => run("update_event_details", commit)));
    for (const result of results) expect(result).toEqual(results[0]);
    expect(await countRecords(fixture.organizationId)).toBe(1);
  });

  it("concurrent approvals never exceed the capacity", async () => {
    const { run, fixture } = await createRunner();
    await db.query(sql`update events set capacity = 5 where id = ${fixture.eventId}`);
    const guests = await db.query<{ id: string }>(sql`
      insert into registrations (event_id, name, email)
      select ${fixture.eventId}, 'Guest ' || n, 'guest' || n || '@example.com' from generate_series(1, 20) n returning id`);
    const previews = await Promise.all(
      guests.map(({ id }) => run("approve_event_registration", { registration_id: id })),
    );
    const outcomes = await Promise.all(
      previews.map(({ commit_with }) =>
        run("approve_event_registration", { ...commit_with, reason }).then(
          () => "approved",
          (error) => error.code,
        ),
      ),
    );
    const [row] = await db.query<{ approved: number }>(
      sql`select count(*) as approved from registrations where event_id = ${fixture.eventId} and status = 'approved'`,
    );
    expect(row?.approved).toBe(5);
    expect(outcomes.filter((outcome) => outcome === "approved")).toHaveLength(4);
    expect(outcomes.filter((outcome) => outcome === "conflict")).toHaveLength(16);
  });

  it("20 guests added at once all get the seats that are left, and not one more", async () => {
    const { run, fixture } = await createRunner();
    await db.query(sql`update events set capacity = 16 where id = ${fixture.eventId}`);
    const previews = await Promise.all(
      Array.from({ length: 20 }, (_, n) => run("add_event_guest", { name: `G ${n}`, email: `g${n}@example.com` })),
    );
    const outcomes = await Promise.allSettled(
      previews.map(({ commit_with }) => run("add_event_guest", { ...commit_with, reason })),
    );
    const refusals = outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason.code] : []));
    expect(refusals).toEqual(Array.from({ length: 5 }, () => "conflict"));
  });

  // The hand-over takes the caller's own right away, so the second must find the first before it is refused.
  it("a repeated commit gets the first result, also when the first took the caller's access away", async () => {
    for (let round = 0; round < 4; round += 1) {
      const { run, fixture } = await createRunner();
      const preview = await run("set_event_primary_host", { organization_id: fixture.cohostOrganizationId });
      const commit = { ...preview.commit_with, reason };
      const results = await Promise.all(Array.from({ length: 6 }, () => run("set_event_primary_host", commit)));
      for (const result of results) expect(result).toEqual(results[0]);
      expect(await countRecords(fixture.organizationId)).toBe(1);
    }
  });

  const independent: [string, Record<string, unknown>[], (result: Json) => unknown][] = [
    ["add_event_speaker", [{ name: "Ada" }, { name: "Grace" }], ({ after }) => after.speaker.name],
    [
      "add_event_guest",
      [
        { name: "Ada", email: "ada@example.com" },
        { name: "Grace", email: "grace@example.com" },
      ],
      ({ after }) => after.registration.name,
    ],
    [
      "create_event_segment",
      [
        { title: "One", duration_minutes: 10 },
        { title: "Two", duration_minutes: 10 },
      ],
      ({ created }) => created[0].title,
    ],
  ];
  it.each(independent)("two commits of %s that were previewed together both succeed", async (tool, inputs, nameOf) => {
    const { run } = await createRunner();
    const previews = await Promise.all(inputs.map((input) => run(tool, input)));
    const results = await Promise.all(previews.map(({ commit_with }) => run(tool, { ...commit_with, reason })));
    expect(new Set(results.map(nameOf)).size).toBe(2);
  });

  it("two co-hosts that were previewed together are both added", async () => {
    const { run, fixture } = await createRunner();
    const third = await makerOn(db).organization();
    const previews = await Promise.all(
      [fixture.otherOrganizationId, third].map((organization_id) => run("add_event_cohost", { organization_id })),
    );
    await Promise.all(previews.map(({ commit_with }) => run("add_event_cohost", { ...commit_with, reason })));
    const { hosts } = await run("get_event_host_snapshot", {});
    expect(hosts).toHaveLength(4);
  });

  it("the same speaker is not added twice from one state", async () => {
    const { run } = await createRunner();
    const previews = await Promise.all([{}, {}].map(() => run("add_event_speaker", { name: "Ada Lovelace" })));
    const outcomes = await Promise.allSettled(
      previews.map(({ commit_with }) => run("add_event_speaker", { ...commit_with, reason })),
    );
    const lost = outcomes.find((outcome) => outcome.status === "rejected");
    expect(lost?.reason).toMatchObject({
      code: "version_conflict",
      details: { warnings: [{ code: "duplicate", path: "speaker.name" }] },
    });
    const again = { ...lost?.reason.details.commit_with, reason };
    expect(await run("add_event_speaker", again)).toMatchObject({ dry_run: false, after: { speakers: { length: 5 } } });
  });

  /** Every call comes with another key, as from another process. */
  async function createRunner() {
    const fixture = await createEventFixture(db);
    const run = (name: string, args: Record<string, unknown>) =>
      createToolRunner(db, fixture, testServices(db, publicUrl))
        .as({ via: { ...fixture.caller.via, keyId: randomUUID() } })
        .run(name, args);
    return { fixture, run };
  }

  async function countRecords(organizationId: string): Promise<number | undefined> {
    const [row] = await db.query<{ count: number }>(
      sql`select count(*) as count from mutation_records where organization_id = ${organizationId}`,
    );
    return row?.count;
  }
});
