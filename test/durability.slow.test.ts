import { setTimeout as sleep } from "node:timers/promises";
import sql from "sql-template-tag";
import { describe, expect, it } from "vitest";
import { openDatabase } from "../src/infra/database/db.js";
import { type DatabaseKind, serveFreshDatabase } from "./cli/serve-fresh-database.js";
import { createLoadFixture, startLoad } from "./faults/load.js";
import { unlimited } from "./faults/under-load.js";
import { withPostgres } from "./support/needs.js";
import { createPostgresDatabase } from "./support/postgres.js";

describe("embedded", () => {
  it("loses no acknowledged change on SIGKILL", () => killUnderLoad("embedded"));
});

withPostgres("PostgreSQL", () => {
  it("loses no acknowledged change on SIGKILL", () => killUnderLoad("postgres"));

  it("fails only the transaction whose connection is lost", async () => {
    const { connection, remove } = await createPostgresDatabase();
    const db = openDatabase(connection, { poolSize: 2, onIdleError: () => {} });
    const interrupted = db.transaction(async (tx) => {
      const [row] = await tx.query<{ pid: number }>(sql`select pg_backend_pid() as pid`);
      await db.query(sql`select pg_terminate_backend(${row?.pid}::int)`);
      await sleep(50);
      await tx.query(sql`select 1`);
    });
    await expect(interrupted).rejects.toThrow(/connection/i);
    expect(await db.transaction((tx) => tx.query(sql`select 1 as one`))).toEqual([{ one: 1 }]);
    await db.close();
    await remove();
  });
});

/** Kills the service among requests of every kind. */
async function killUnderLoad(kind: DatabaseKind): Promise<void> {
  const served = await serveFreshDatabase(kind, unlimited);
  try {
    const load = startLoad(served.url, await createLoadFixture(served.db, 8));
    while (load.acknowledged() < 60) await sleep(2);
    const restarted = served.crash();
    await load.stop();
    await restarted;
    await load.expectNothingLost(served.db);
  } finally {
    await served.remove();
  }
}
