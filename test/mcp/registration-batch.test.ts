import { randomUUID } from "node:crypto";
import sql from "sql-template-tag";
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from "vitest";
import { type Database, openDatabase } from "../../src/platform/db.js";
import { makeEventWorld } from "../support/event-world.js";
import { type TestTools, toolRunnerOn } from "../support/tool-runner.js";

let db: Database;
let world: Awaited<ReturnType<typeof makeEventWorld>>;
let tools: TestTools;
let event_id: string;
let ids: (typeof world)["registrationIds"];

beforeAll(() => {
  db = openDatabase(inject("database"), { poolSize: 4, onIdleError: () => {} });
});
afterAll(() => db.close());
beforeEach(async () => {
  world = await makeEventWorld(db);
  tools = toolRunnerOn(db, world.caller);
  event_id = world.eventId;
  ids = world.registrationIds;
});

const one = (registration_id: string, more = {}) => ({ event_id, registration_id, ...more });
const standing = async (id: string) => {
  const [row] = await db.query<{ status: string; previous_status: string | null; checked_in: boolean }>(sql`
    select status, previous_status, checked_in_at is not null as checked_in from registrations where id = ${id}`);
  return row;
};

describe("batch_update_event_registrations", () => {
  const batch = (action: string, ...registration_ids: string[]) => ({ event_id, action, registration_ids });

  it("moves all, with a verdict for each", async () => {
    const result = await tools.commit(
      "batch_update_event_registrations",
      batch("decline", ids.pending, ids.approved, ids.declined),
    );
    expect(result.verdicts).toEqual({
      [ids.pending]: "changed",
      [ids.approved]: "changed",
      [ids.declined]: "unchanged",
    });
    expect(result.changes).toEqual([
      { path: `registrations.${ids.pending}`, from: "pending", to: "declined, was pending" },
      { path: `registrations.${ids.approved}`, from: "approved", to: "declined, was approved" },
    ]);
    expect(await standing(ids.approved)).toMatchObject({ status: "declined", previous_status: "approved" });
  });

  it("moves none when one cannot", async () => {
    await tools.commit("set_event_registration_check_in", one(ids.approved, { checked_in: true }));
    const refused = await tools.refusal(
      "batch_update_event_registrations",
      batch("waitlist", ids.pending, ids.approved, ids.waitlisted, ids.declined),
    );
    expect(refused).toMatchObject({
      code: "invalid_transition",
      details: {
        verdicts: {
          [ids.pending]: "possible",
          [ids.approved]: expect.stringContaining("Check the guest out first"),
          [ids.waitlisted]: "unchanged",
          [ids.declined]: "Cannot waitlist: the registration is declined, was approved. Open moves: restore",
        },
      },
    });
    expect(refused.message).toContain("Cannot waitlist 2 of 4");
    expect(await standing(ids.pending)).toMatchObject({ status: "pending" });
  });

  it("takes 1 to 100 ids, each once, of this event", async () => {
    const other = await makeEventWorld(db);
    const stranger = randomUUID();
    const unknown = await tools.refusal(
      "batch_update_event_registrations",
      batch("approve", ids.pending, other.registrationIds.pending, stranger),
    );
    expect(unknown).toMatchObject({
      code: "not_found",
      details: { unknown_ids: [other.registrationIds.pending, stranger] },
    });
    const twice = await tools.refusal(
      "batch_update_event_registrations",
      batch("approve", ids.pending, ids.pending.toUpperCase()),
    );
    expect(twice.message).toContain(`expected each id once; repeated: ${ids.pending}`);
    expect((await tools.refusal("batch_update_event_registrations", batch("approve"))).message).toContain(
      "1 to 100 ids",
    );
    const many = Array.from({ length: 101 }, () => randomUUID());
    expect((await tools.refusal("batch_update_event_registrations", batch("approve", ...many))).message).toContain(
      "1 to 100",
    );
    expect((await tools.refusal("batch_update_event_registrations", batch("check_in", ids.pending))).message).toContain(
      "action: expected one of approve, decline, waitlist, restore",
    );
  });

  it("moves 100 with as many statements as one, in an answer that an agent can read", async () => {
    const rows = await db.query<{ id: string }>(sql`
      insert into registrations (event_id, name, email) select ${event_id}, 'Guest ' || n, n || '@batch.example'
      from generate_series(1, 100) n returning id`);
    const hundred = batch("decline", ...rows.map(({ id }) => id));
    const counted = countStatements(db);
    const counting = toolRunnerOn(counted.db, world.caller);
    expect(JSON.stringify(await counting.run("batch_update_event_registrations", hundred)).length).toBeLessThan(40_000);
    counted.reset();
    const result = await counting.commit("batch_update_event_registrations", hundred);
    const statements = counted.reset();
    expect(Object.values(result.verdicts)).toEqual(Array(100).fill("changed"));
    expect(JSON.stringify(result).length).toBeLessThan(40_000);
    await counting.commit("batch_update_event_registrations", batch("decline", ids.pending));
    expect(counted.reset()).toBe(statements);
  });
});

/** The same database, with its statements counted. */
function countStatements(database: Database): { db: Database; reset(): number } {
  let count = 0;
  const counted = <Target extends Pick<Database, "query">>(target: Target): Target => ({
    ...target,
    query: (statement) => {
      count++;
      return target.query(statement);
    },
  });
  return {
    db: {
      ...counted(database),
      transaction: (work, options) => database.transaction((tx) => work(counted(tx)), options),
    },
    reset() {
      const counts = count;
      count = 0;
      return counts;
    },
  };
}
