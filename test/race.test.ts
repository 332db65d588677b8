import { randomUUID } from "node:crypto";
import sql from "sql-template-tag";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Database, openDatabase } from "../src/platform/db.js";
import { ServiceError } from "../src/platform/errors.js";
import { tools } from "../src/registry.js";
import { inputSchemaOf, parseArguments } from "../src/tools/commit-arguments.js";
import { runTool, type ToolResult } from "../src/tools/run.js";
import { makeEventWorld } from "./support/event-world.js";
import { type FreshDatabase, openFreshDatabase } from "./support/fresh-database.js";
import { withPostgres } from "./support/needs.js";
import { testServices } from "./support/poster-generator.js";
import { publicUrl } from "./support/service.js";

// The embedded database has one session and cannot show these races.
withPostgres("commits that race on PostgreSQL", () => {
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

  it("makes one change and one record of 20 identical commits", async () => {
    const { run, world } = await makeRunner(db);
    const preview = await run("update_event_details", { event_id: world.eventId, venue: "Hall 2" });
    const commit = { ...(preview.commit_with as object), reason: "the hall has changed" };
    const results = await Promise.all(Array.from({ length: 20 }, () => run("update_event_details", commit)));
    expect(results.filter((result) => result.replayed === true)).toHaveLength(19);
    const [first] = results.filter((result) => result.replayed === undefined);
    for (const result of results) expect({ ...result, replayed: undefined }).toEqual({ ...first, replayed: undefined });
    expect(await countRecords(world.organizationId)).toBe(1);
  });

  it("lets one of two different commits from the same state win", async () => {
    const { run, world } = await makeRunner(db);
    const previews = await Promise.all(
      ["Hall 2", "Hall 3"].map((venue) => run("update_event_details", { event_id: world.eventId, venue })),
    );
    const outcomes = await Promise.allSettled(
      previews.map(({ commit_with }) =>
        run("update_event_details", { ...(commit_with as object), reason: "the hall has changed" }),
      ),
    );
    expect(outcomes.map((outcome) => outcome.status).sort()).toEqual(["fulfilled", "rejected"]);
    const lost = outcomes.find((outcome) => outcome.status === "rejected");
    expect(lost?.reason).toBeInstanceOf(ServiceError);
    expect(lost?.reason).toMatchObject({ code: "version_conflict" });
    expect(await countRecords(world.organizationId)).toBe(1);
  });

  it("never exceeds the capacity by parallel approvals", async () => {
    const { run, world } = await makeRunner(db);
    await db.query(sql`update events set capacity = 5 where id = ${world.eventId}`);
    const guests = await db.query<{ id: string }>(sql`
      insert into registrations (event_id, name, email)
      select ${world.eventId}, 'Guest ' || n, 'guest' || n || '@example.com' from generate_series(1, 20) n returning id`);
    // Each looks again when another has changed the count, until it is approved or refused for good.
    const verdicts = await Promise.all(
      guests.map(async ({ id }) => {
        const args = { event_id: world.eventId, registration_id: id };
        for (;;) {
          try {
            const { commit_with } = await run("approve_event_registration", args);
            await run("approve_event_registration", { ...(commit_with as object), reason: "first come, first served" });
            return "approved";
          } catch (error) {
            if (!(error instanceof ServiceError)) throw error;
            if (error.code !== "version_conflict") return error.code;
          }
        }
      }),
    );
    const [row] = await db.query<{ approved: number }>(
      sql`select count(*) as approved from registrations where event_id = ${world.eventId} and status = 'approved'`,
    );
    expect(row?.approved).toBe(5);
    expect(verdicts.filter((verdict) => verdict === "approved")).toHaveLength(4);
    expect(verdicts.filter((verdict) => verdict === "conflict")).toHaveLength(16);
  });

  async function countRecords(organizationId: string): Promise<number | undefined> {
    const [row] = await db.query<{ count: number }>(
      sql`select count(*) as count from mutation_records where organization_id = ${organizationId}`,
    );
    return row?.count;
  }
});

async function makeRunner(db: Database) {
  const world = await makeEventWorld(db);
  const services = testServices(db, publicUrl);
  const run = async (name: string, args: object): Promise<ToolResult> => {
    const tool = tools.find((candidate) => candidate.name === name);
    if (tool === undefined) throw new Error(`no tool ${name}`);
    const parsed = parseArguments(inputSchemaOf(tool), args);
    const caller = { ...world.caller, via: { ...world.caller.via, keyId: randomUUID() } };
    return JSON.parse(JSON.stringify(await runTool({ db, baseUrl: publicUrl, services }, { tool, caller, parsed })));
  };
  return { world, run };
}
