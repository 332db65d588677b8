import sql from "sql-template-tag";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { PoolLimits } from "../../src/infra/database/connection-pool.js";
import { type Database, type DatabaseOptions, openDatabase, sqlState } from "../../src/infra/database/db.js";
import type { OpenedDatabase } from "../support/embedded.js";
import { withPostgres } from "../support/needs.js";
import { createPostgresDatabase } from "../support/postgres.js";

const generous: PoolLimits = { acquireMs: 10_000, waiting: 100, lockMs: 0, statementMs: 0, useMs: 20_000 };
const limit = (change: Partial<PoolLimits>) => ({
  lookups: generous,
  reads: { ...generous, ...change },
  changes: { ...generous, ...change },
});

withPostgres("a database with limits", () => {
  let opened: OpenedDatabase;
  const databases: Database[] = [];
  beforeAll(async () => {
    opened = await createPostgresDatabase();
  });
  afterAll(async () => {
    await Promise.all(databases.map((db) => db.close()));
    await opened.remove();
  });

  const open = (change: Partial<PoolLimits>, poolSize = 2, observer?: DatabaseOptions["observer"]) => {
    const options = { poolSize, onIdleError: () => {}, limits: limit(change), ...(observer && { observer }) };
    const db = openDatabase(opened.connection, options);
    databases.push(db);
    return db;
  };
  const sleepFor = (db: Database, seconds: number) => db.query(sql`select pg_sleep(${seconds})`);
  const backend = async (db: Database) =>
    (await db.query<{ pid: number }>(sql`select pg_backend_pid() as pid`)).map(({ pid }) => pid)[0];
  const refusal = (reason: RegExp) => ({
    code: "unavailable",
    headers: { "retry-after": "2" },
    message: expect.stringMatching(reason),
  });

  it("refuses callers beyond the number that may wait for a connection", async () => {
    const db = open({ waiting: 3 });
    // Waiting for the server to accept a connection is not waiting for one in use.
    await Promise.all([sleepFor(db, 0.1), sleepFor(db, 0.1)]);
    const all = await Promise.allSettled([...Array(20)].map(() => sleepFor(db, 0.2)));
    const refused = all.flatMap((one) => (one.status === "rejected" ? [one.reason] : []));
    expect(refused.length).toBeGreaterThan(10);
    for (const error of refused)
      expect(error).toMatchObject(refusal(/too busy: 3 requests are waiting for a connection/));
  });

  it("refuses callers who wait too long for a connection, and looks up keys meanwhile", async () => {
    const db = open({ acquireMs: 200 });
    await backend(db);
    const running = [...Array(2)].map(() => sleepFor(db, 0.6));
    await expect(sleepFor(db, 0)).rejects.toMatchObject(refusal(/too busy: no connection became free in time/));
    expect(await db.lookups.query(sql`select 1 as one`)).toEqual([{ one: 1 }]);
    await Promise.all(running);
  });

  it("closes a connection that is used for too long, and all that were opened before", async () => {
    const db = open({ useMs: 500 });
    const before = await backend(db);
    await expect(sleepFor(db, 30)).rejects.toMatchObject(refusal(/did not answer in time/));
    expect(await backend(db)).not.toBe(before);
    const change = db.transaction(async (tx) => {
      for (;;) await tx.query(sql`select pg_sleep(0.1)`);
    });
    await expect(change).rejects.toMatchObject(refusal(/did not answer in time/));
  });

  it("says that a change may have been stored if the connection is lost during COMMIT", async () => {
    const db = open({ useMs: 500 });
    await db.changes.query(sql`create table slow (n int)`);
    await db.changes.query(sql`
      create function wait() returns trigger language plpgsql as $$ begin perform pg_sleep(1); return null; end $$`);
    await db.changes.query(sql`
      create constraint trigger wait after insert on slow deferrable initially deferred for each row execute function wait()`);
    const change = db.transaction((tx) => tx.query(sql`insert into slow values (1)`));
    await expect(change).rejects.toMatchObject(refusal(/may or may not have been stored/));
    await expect.poll(() => db.query(sql`select n from slow`)).toEqual([{ n: 1 }]);
  });

  it.each([
    ["a statement that runs for too long", { statementMs: 100 }, /took too long/],
    ["a lock that is not released", { lockMs: 100 }, /holds a lock/],
  ])("gives up %s", async (_, change, reason) => {
    const db = open(change);
    await open({}).transaction(async (blocker) => {
      await blocker.query(sql`select pg_advisory_xact_lock(1)`);
      const waiting = db.transaction((tx) => tx.query(sql`select pg_advisory_xact_lock(1)`));
      await expect(waiting).rejects.toMatchObject(refusal(reason));
    });
    expect(await db.transaction((tx) => tx.query(sql`select pg_advisory_xact_lock(1) is null as locked`))).toHaveLength(
      1,
    );
  });

  it("runs a change of one statement again while another one holds its lock, without a connection", async () => {
    const observed: unknown[] = [];
    const observer: DatabaseOptions["observer"] = {
      pool: () => {},
      writable: () => {},
      statement: (_statement, name, _ms, error) => name === "locked" && observed.push(sqlState(error)),
    };
    const db = open({ lockMs: 50 }, 1, observer);
    let change: Promise<unknown> | undefined;
    await open({}).transaction(async (blocker) => {
      await blocker.query(sql`select pg_advisory_xact_lock(2)`);
      change = db.changes.query(sql`select pg_advisory_xact_lock(2)`, "locked");
      await expect.poll(() => observed, { interval: 5 }).toContain("55P03");
      await db.transaction((tx) => tx.query(sql`select 1`));
    });
    expect(await change).toHaveLength(1);
    expect(observed.at(-1)).toBeUndefined();
  });

  it("gives up a change of one statement whose lock is not released", async () => {
    const db = open({ lockMs: 50 });
    await open({}).transaction(async (blocker) => {
      await blocker.query(sql`select pg_advisory_xact_lock(3)`);
      const change = db.changes.query(sql`select pg_advisory_xact_lock(3)`);
      await expect(change).rejects.toMatchObject(refusal(/concurrent changes conflict/));
    });
  });

  it("keeps the connection after an error in a statement", async () => {
    const db = open({}, 1);
    const before = await backend(db);
    await expect(db.query(sql`select 1 / 0`)).rejects.toThrow("division by zero");
    await expect(db.transaction(() => Promise.reject(new Error("mine")), { mode: "read only" })).rejects.toThrow(
      "mine",
    );
    expect(await backend(db)).toBe(before);
  });
});
