import { randomUUID } from "node:crypto";
import sql from "sql-template-tag";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Database, openDatabase } from "../../src/platform/database/db.js";
import { ServiceError } from "../../src/platform/errors.js";
import { createEventFixture } from "../support/event-fixture.js";
import { type FreshDatabase, openFreshDatabase } from "../support/fresh-database.js";
import { withPostgres } from "../support/needs.js";
import { createToolRunner, reason } from "../support/tool-runner.js";

// The embedded database has one session: transactions cannot overlap there.
withPostgres("concurrent commits", () => {
  let fresh: FreshDatabase;
  let db: Database;
  beforeAll(async () => {
    fresh = await openFreshDatabase();
    db = openDatabase(fresh.connection, { poolSize: 25, onIdleError: () => {} });
  });
  afterAll(async () => {
    await db.close();
    await fresh.remove();
  });

  it("20 identical commits make one change and one record", async () => {
    const { run, fixture } = await createRunner();
    const preview = await run("update_event_details", { venue: "Hall 2" });
    const commit = { ...preview.commit_with, reason };
    const results = await Promise.all(Array.from({ length: 20 }, () => run("update_event_details", commit)));
    expect(results.filter((result) => result.replayed === true)).toHaveLength(19);
    const [first] = results.filter((result) => result.replayed === undefined);
    for (const result of results) expect({ ...result, replayed: undefined }).toEqual({ ...first, replayed: undefined });
    expect(await countRecords(fixture.organizationId)).toBe(1);
  });

  it("one of two different commits from the same state succeeds", async () => {
    const { run, fixture } = await createRunner();
    const previews = await Promise.all(["Hall 2", "Hall 3"].map((venue) => run("update_event_details", { venue })));
    const outcomes = await Promise.allSettled(
      previews.map(({ commit_with }) => run("update_event_details", { ...commit_with, reason })),
    );
    expect(outcomes.map((outcome) => outcome.status).sort()).toEqual(["fulfilled", "rejected"]);
    const lost = outcomes.find((outcome) => outcome.status === "rejected");
    expect(lost?.reason).toBeInstanceOf(ServiceError);
    expect(lost?.reason).toMatchObject({ code: "version_conflict" });
    expect(await countRecords(fixture.organizationId)).toBe(1);
  });

  it("concurrent approvals never exceed the capacity", async () => {
    const { run, fixture } = await createRunner();
    await db.query(sql`update events set capacity = 5 where id = ${fixture.eventId}`);
    const guests = await db.query<{ id: string }>(sql`
      insert into registrations (event_id, name, email)
      select ${fixture.eventId}, 'Guest ' || n, 'guest' || n || '@example.com' from generate_series(1, 20) n returning id`);
    // Each retries with a new preview while others change the count, until it is approved or refused.
    const outcomes = await Promise.all(
      guests.map(async ({ id }) => {
        const args = { registration_id: id };
        for (;;) {
          try {
            const { commit_with } = await run("approve_event_registration", args);
            await run("approve_event_registration", { ...commit_with, reason });
            return "approved";
          } catch (error) {
            if (!(error instanceof ServiceError)) throw error;
            if (error.code !== "version_conflict") return error.code;
          }
        }
      }),
    );
    const [row] = await db.query<{ approved: number }>(
      sql`select count(*) as approved from registrations where event_id = ${fixture.eventId} and status = 'approved'`,
    );
    expect(row?.approved).toBe(5);
    expect(outcomes.filter((outcome) => outcome === "approved")).toHaveLength(4);
    expect(outcomes.filter((outcome) => outcome === "conflict")).toHaveLength(16);
  });

  /** Every call comes with another key, as from another process. */
  async function createRunner() {
    const fixture = await createEventFixture(db);
    const run = (name: string, args: Record<string, unknown>) =>
      createToolRunner(db, fixture)
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
