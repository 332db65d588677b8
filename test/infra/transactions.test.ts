import type pg from "pg";
import sql from "sql-template-tag";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { openDatabase } from "../../src/infra/database/db.js";
import { runTransaction } from "../../src/infra/database/transaction.js";
import { withPostgres } from "../support/needs.js";
import { createPostgresDatabase } from "../support/postgres.js";
import { useDatabase } from "../support/setup.js";

const { db } = useDatabase(1);

const insert = (name: string | { toPostgres(): string }) => sql`insert into written values (${name}) returning name`;
const written = async () => (await db.query<{ name: string }>(sql`select name from written order by name`)).map(nameIn);
const nameIn = ({ name }: { name: string }) => name;
const unprintable = {
  toPostgres(): string {
    throw new Error("cannot be sent");
  },
};

describe("a transaction", () => {
  beforeEach(async () => {
    await db.query(sql`drop table if exists written`);
    await db.query(sql`create table written (name text primary key)`);
  });
  afterAll(() => db.query(sql`drop table written`));

  it("runs statements that are started together in their order", async () => {
    const rows = await db.transaction((tx) =>
      Promise.all([
        tx.query<{ name: string }>(insert("a")),
        tx.query(sql`update written set name = 'b'`),
        tx.query<{ name: string }>(sql`select name from written`),
      ]),
    );
    expect([rows[0], rows[2]]).toEqual([[{ name: "a" }], [{ name: "b" }]]);
    expect(await written()).toEqual(["b"]);
  });

  it("stores nothing if one of them fails, and reports that one", async () => {
    const started: Promise<unknown>[] = [];
    const failing = db.transaction((tx) => {
      started.push(tx.query(insert("a")), tx.query(sql`select 1 / 0`), tx.query(insert("b")));
      return Promise.all(started);
    });
    await expect(failing).rejects.toThrow("division by zero");
    const outcomes = await Promise.allSettled(started);
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "rejected"]);
    expect(await written()).toEqual([]);
  });

  it("commits with its last statement", async () => {
    const rows = await db.transaction(async (tx) => {
      await tx.query(insert("a"));
      return tx.last<{ name: string }>(insert("b"));
    });
    expect(rows).toEqual([{ name: "b" }]);
    expect(await written()).toEqual(["a", "b"]);
  });

  it("stores nothing if the last statement fails, on the server or in the driver", async () => {
    for (const [last, problem] of [
      [insert("a"), "duplicate key"],
      [insert(unprintable), "cannot be sent"],
    ] as const) {
      const failing = db.transaction(async (tx) => {
        await tx.query(insert("a"));
        await tx.last(last);
      });
      await expect(failing).rejects.toThrow(problem);
      expect(await written()).toEqual([]);
    }
  });

  it("stores nothing if a statement that runs beside the last one fails", async () => {
    const failing = db.transaction((tx) => Promise.all([tx.query(sql`select 1 / 0`), tx.last(insert("a"))]));
    await expect(failing).rejects.toThrow("division by zero");
    expect(await written()).toEqual([]);
  });

  it("refuses a statement that is started after its end", async () => {
    const late = await db.transaction(async (tx) => () => tx.query(insert("late")));
    await expect(late()).rejects.toThrow("after the end of its transaction");
    const failed = { late: () => Promise.resolve<unknown>(undefined) };
    await db
      .transaction((tx) => {
        failed.late = () => tx.query(insert("late"));
        return Promise.reject(new Error("mine"));
      })
      .catch(() => {});
    await expect(failed.late()).rejects.toThrow("after the end of its transaction");
    expect(await written()).toEqual([]);
  });

  it("that only reads leaves its connection ready for the next work", async () => {
    const read = () => db.transaction((tx) => tx.query(sql`select 1 as one`), { mode: "read only" });
    const changes = Array.from({ length: 20 }, (_, n) => [read(), db.transaction((tx) => tx.query(insert(`${n}`)))]);
    await Promise.all(changes.flat());
    expect(await written()).toHaveLength(20);
    await expect(db.transaction((tx) => tx.query(insert("a")), { mode: "read only" })).rejects.toThrow("read-only");
  });
});

describe("a BEGIN that fails", () => {
  type SentQuery = { text: string; callback: (error: Error | null, result?: { rows: unknown[] }) => void };
  const connection = (sent: string[]) => ({
    pipelines: true,
    client: {
      connection: { stream: { cork() {}, uncork() {} } },
      query({ text, callback }: SentQuery) {
        sent.push(text);
        if (text.startsWith("begin")) process.nextTick(callback, new Error("cancelled"));
        else process.nextTick(callback, null, { rows: [{ one: 1 }] });
      },
    } as unknown as pg.PoolClient,
  });

  it.each([{ mode: "read only" } as const, { opensWithReads: true }])(
    "makes no result of the statements behind it count: %j",
    async (options) => {
      const sent: string[] = [];
      const work = runTransaction(
        connection(sent),
        async (tx) => {
          await tx.query(sql`select 1 as one`);
          await tx.query(sql`select 2 as two`);
        },
        options,
      );
      await expect(work).rejects.toThrow("cancelled");
      expect(sent.slice(1)).toEqual(["select 1 as one", "rollback"]);
    },
  );

  it("is waited for where the first statement may write", async () => {
    const sent: string[] = [];
    await expect(runTransaction(connection(sent), (tx) => tx.query(insert("a")))).rejects.toThrow("cancelled");
    expect(sent).toEqual(["begin", "rollback"]);
  });
});

withPostgres("a connection that is lost with the last statement", () => {
  it("may have stored the change, and the error says so", async () => {
    const { connection, remove } = await createPostgresDatabase();
    const limits = { acquireMs: 10_000, waiting: 10, lockMs: 0, statementMs: 0, useMs: 500 };
    const own = openDatabase(connection, {
      poolSize: 2,
      onIdleError: () => {},
      limits: { lookups: limits, reads: limits, changes: limits },
    });
    await own.changes.query(sql`create table slow (name text)`);
    const change = own.transaction((tx) =>
      tx.last(sql`insert into slow select ${"a"} from (select pg_sleep(1)) waiting`),
    );
    await expect(change).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringContaining("may or may not have been stored"),
    });
    await expect.poll(() => own.query(sql`select name from slow`)).toEqual([{ name: "a" }]);
    await own.close();
    await remove();
  });
});
