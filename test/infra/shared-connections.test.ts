import { setTimeout as sleep } from "node:timers/promises";
import sql from "sql-template-tag";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { PoolLimits } from "../../src/infra/database/connection-pool.js";
import { type Database, type DatabaseOptions, openDatabase, sqlState } from "../../src/infra/database/db.js";
import { slowAfterMs, statementsPerConnection } from "../../src/infra/database/shared-connections.js";
import type { OpenedDatabase } from "../support/embedded.js";
import { withPostgres } from "../support/needs.js";
import { createPostgresDatabase } from "../support/postgres.js";

const generous: PoolLimits = { acquireMs: 30_000, waiting: 1_000, lockMs: 0, statementMs: 0, useMs: 30_000 };

withPostgres("connections for reading", () => {
  let opened: OpenedDatabase;
  /** Holds locks that statements of the tests wait for. */
  let other: Database;
  const databases: Database[] = [];
  beforeAll(async () => {
    opened = await createPostgresDatabase();
    other = openDatabase(opened.connection, { poolSize: 4, onIdleError: () => {} });
    databases.push(other);
    await other.query(sql`create table written (name text)`);
  });
  afterAll(async () => {
    await Promise.all(databases.map((db) => db.close()));
    await opened.remove();
  });

  /** One connection for changes, and the rest for reading. */
  const open = (reads: number, change: Partial<PoolLimits> = {}, observer?: DatabaseOptions["observer"]) => {
    const limits = { lookups: generous, reads: { ...generous, ...change }, changes: generous };
    // Sizes for which the share of changes is one connection.
    const poolSize = reads === 1 ? 1 : reads + 1;
    const db = openDatabase(opened.connection, {
      poolSize,
      onIdleError: () => {},
      limits,
      ...(observer && { observer }),
    });
    databases.push(db);
    return db;
  };
  const backend = async (db: Database) => {
    const [row] = await db.query<{ pid: number }>(sql`select pg_backend_pid() as pid`);
    return row?.pid ?? 0;
  };
  /** A statement that runs until the lock is free. */
  const blocked = async (db: Database, lock: number) => {
    const [row] = await db.query<{ pid: number }>(
      sql`select pg_backend_pid() as pid from (select pg_advisory_xact_lock_shared(${lock})) waiting`,
    );
    return row?.pid ?? 0;
  };
  const countBlocked = async (lock: number) => {
    const rows = await other.query(
      sql`select from pg_locks where locktype = 'advisory' and objid = ${lock} and not granted`,
    );
    return rows.length;
  };
  /** Runs the work while the lock is held, and frees it. */
  const whileLocked = (lock: number, work: () => Promise<void>) =>
    other.transaction(async (tx) => {
      await tx.query(sql`select pg_advisory_xact_lock(${lock})`);
      await work();
    });

  it("are used by one statement each while there are free ones", async () => {
    const db = open(2);
    let running: Promise<number>[] = [];
    await whileLocked(1, async () => {
      running = [blocked(db, 1), blocked(db, 1)];
      await expect.poll(() => countBlocked(1)).toBe(2);
    });
    expect(new Set(await Promise.all(running)).size).toBe(2);
  });

  it("are shared by the statements that come when all are in use, and no more than these are sent", async () => {
    let waiting = () => 0;
    const db = open(
      1,
      {},
      {
        pool: (name, usage) => {
          if (name === "reads") waiting = () => usage().waiting;
        },
        statement: () => {},
        writable: () => {},
      },
    );
    const first = await backend(db);
    let all: Promise<number>[] = [];
    await whileLocked(2, async () => {
      all = [blocked(db, 2), ...Array.from({ length: statementsPerConnection + 1 }, () => backend(db))];
      await expect.poll(() => countBlocked(2)).toBe(1);
      expect(waiting()).toBe(2);
    });
    expect(new Set(await Promise.all(all))).toEqual(new Set([first]));
    expect(waiting()).toBe(0);
  });

  it("do not get another statement while they run a slow one", async () => {
    const db = open(2);
    await Promise.all([backend(db), backend(db)]);
    let slow: Promise<unknown> | undefined;
    await whileLocked(3, async () => {
      slow = blocked(db, 3);
      await expect.poll(() => countBlocked(3)).toBe(1);
      await sleep(slowAfterMs);
      for (let i = 0; i < 10; i += 1) await Promise.all([backend(db), backend(db)]);
    });
    await slow;
  });

  it("report an error to the statement that has it only", async () => {
    const db = open(1);
    const before = await backend(db);
    const outcomes = await Promise.allSettled([backend(db), db.query(sql`select 1 / 0`), backend(db)]);
    expect(outcomes.map((outcome) => (outcome.status === "fulfilled" ? outcome.value : "failed"))).toEqual([
      before,
      "failed",
      before,
    ]);
    expect(await backend(db)).toBe(before);
  });

  it.each(["query", "lookups", "transaction"] as const)("refuse changes, as a mistake in the code: %s", async (use) => {
    const db = open(1);
    const insert = sql`insert into written values ('a')`;
    const change = {
      query: () => db.query(insert),
      lookups: () => db.lookups.query(insert),
      transaction: () => db.transaction((tx) => tx.query(insert), { mode: "read only" }),
    }[use];
    const error = await change().catch((thrown: unknown) => thrown);
    expect(sqlState(error)).toBe("25006");
    expect(error).not.toMatchObject({ code: "unavailable" });
    await db.changes.query(insert);
    expect(await db.query(sql`select name from written`)).toEqual([{ name: "a" }]);
    await db.changes.query(sql`delete from written`);
  });

  it("keep the settings of the URL", async () => {
    if (!("connectionString" in opened.connection)) throw new Error("expected a server");
    const url = new URL(opened.connection.connectionString);
    url.searchParams.set("options", "-c work_mem=5MB");
    const limits = { lookups: generous, reads: generous, changes: generous };
    const db = openDatabase({ connectionString: url.href }, { poolSize: 1, onIdleError: () => {}, limits });
    databases.push(db);
    const settings = sql`
      select current_setting('work_mem') as memory, current_setting('default_transaction_read_only') as only_reads,
        current_setting('enable_seqscan') as scans`;
    expect(await db.query(settings)).toEqual([{ memory: "5MB", only_reads: "on", scans: "on" }]);
    expect(await db.lookups.query(settings)).toEqual([{ memory: "5MB", only_reads: "on", scans: "off" }]);
    expect(await db.changes.query(settings)).toEqual([{ memory: "5MB", only_reads: "off", scans: "on" }]);
  });

  it("go to a transaction that waits for one, however many statements follow", async () => {
    const db = open(1);
    let isOver = false;
    const keepReading = async () => {
      while (!isOver) await backend(db);
    };
    const readers = Array.from({ length: 20 }, keepReading);
    for (let i = 0; i < 5; i += 1) {
      await db.transaction((tx) => tx.query(sql`select 1`), { mode: "repeatable read, read only" });
    }
    isOver = true;
    await Promise.all(readers);
  });

  it("go to a statement that waits for one, however many transactions follow", async () => {
    const db = open(1);
    let isOver = false;
    const keepReading = async () => {
      while (!isOver) await db.transaction((tx) => tx.query(sql`select 1`), { mode: "repeatable read, read only" });
    };
    const readers = Array.from({ length: 20 }, keepReading);
    for (let i = 0; i < 5; i += 1) await Promise.all([backend(db), backend(db)]);
    isOver = true;
    await Promise.all(readers);
  });

  it("fail all their statements when they are lost, and are replaced", async () => {
    const db = open(1);
    const before = await backend(db);
    await whileLocked(4, async () => {
      const ended = Promise.allSettled([blocked(db, 4), backend(db), backend(db)]);
      await expect.poll(() => countBlocked(4)).toBe(1);
      await other.query(sql`select pg_terminate_backend(${before})`);
      for (const outcome of await ended) {
        expect(outcome).toMatchObject({ status: "rejected", reason: { code: "unavailable" } });
      }
    });
    expect(await backend(db)).not.toBe(before);
  });

  it("are closed when the server does not respond, which counts from when it gets to a statement", async () => {
    const db = open(1, { useMs: 1_500 });
    const run = (seconds: number) => db.query(sql`select pg_sleep(${seconds})`);
    // Together they take longer than one may.
    await Promise.all([run(0.4), run(0.4), run(0.4), run(0.4)]);
    const running = [run(30), backend(db)];
    for (const outcome of await Promise.allSettled(running)) {
      expect(outcome).toMatchObject({ status: "rejected", reason: { message: /did not answer in time/ } });
    }
    expect(await backend(db)).toBeGreaterThan(0);
  });

  it("leave no statement waiting that could not be sent", async () => {
    const db = open(1, { acquireMs: 300 });
    await backend(db);
    const refused: unknown[] = [];
    let running: Promise<number>[] = [];
    await whileLocked(5, async () => {
      running = Array.from({ length: statementsPerConnection }, () => blocked(db, 5));
      await expect.poll(() => countBlocked(5)).toBe(1);
      await backend(db).catch((error: unknown) => refused.push(error));
    });
    expect(await Promise.all(running)).toHaveLength(statementsPerConnection);
    expect(refused).toEqual([
      expect.objectContaining({ message: expect.stringMatching(/no connection became free in time/) }),
    ]);
    expect(await Promise.all(Array.from({ length: 10 }, () => backend(db)))).toHaveLength(10);
  });
});
