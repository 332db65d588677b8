import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import type { Database } from "../database/db.js";
import { migrationNames } from "../database/migrate.js";
import { createReadiness } from "./readiness.js";

type Checked = Pick<Database, "lookups" | "checkWritable">;

/** A database that responds as `respond` does, and counts its statements. */
function fakeDatabase(
  respond: () => Promise<{ name: string }[]>,
  checkWritable: Checked["checkWritable"] = async () => true,
): Checked & { statements: number } {
  const db = {
    statements: 0,
    lookups: {
      query: (async () => {
        db.statements += 1;
        return respond();
      }) as unknown as Checked["lookups"]["query"],
    },
    checkWritable,
  };
  return db;
}

const limits = { timeoutMs: 10_000, writableMs: 20, sharedMs: 0 };

const applied = async () => (await migrationNames()).map((name) => ({ name }));
const ok = { process: "ok", database: "ok", migrations: "ok" };

it("is ready if the database responds and has this version's migrations, or newer ones", async () => {
  const db = fakeDatabase(async () => [...(await applied()), { name: "9999_newer.sql" }]);
  expect(await createReadiness(db).check()).toEqual({ ready: true, checks: ok });
});

it("is not ready without a migration, and not while draining", async () => {
  const readiness = createReadiness(fakeDatabase(async () => (await applied()).slice(0, -1)));
  expect(await readiness.check()).toEqual({ ready: false, checks: { ...ok, migrations: "failed" } });
  const draining = createReadiness(fakeDatabase(applied));
  draining.startDraining();
  expect(await draining.check()).toEqual({ ready: false, checks: { ...ok, process: "draining" } });
});

it("asks the database once for all probes of a while", async () => {
  const db = fakeDatabase(applied);
  const readiness = createReadiness(db, { ...limits, sharedMs: 200 });
  for (let round = 0; round < 10; round++) await Promise.all(Array.from({ length: 50 }, () => readiness.check()));
  expect(db.statements).toBeLessThan(10);
  const before = db.statements;
  await sleep(250);
  await readiness.check();
  expect(db.statements).toBe(before + 1);
});

it("does not wait for a database that hangs, and does not send it more statements", async () => {
  const db = fakeDatabase(() => new Promise(() => {}));
  const readiness = createReadiness(db, { ...limits, timeoutMs: 20 });
  for (let probe = 0; probe < 5; probe++) {
    expect(await readiness.check()).toEqual({
      ready: false,
      checks: { process: "ok", database: "failed", migrations: "failed" },
    });
  }
  expect(db.statements).toBe(1);
});

it("recovers", async () => {
  let fails = true;
  const db = fakeDatabase(() => (fails ? Promise.reject(new Error("lost")) : applied()));
  const readiness = createReadiness(db, limits);
  expect((await readiness.check()).checks.database).toBe("failed");
  fails = false;
  expect((await readiness.check()).ready).toBe(true);
});

it("is ready on a read-only database, and says that it is", async () => {
  let writable = false;
  const readiness = createReadiness(
    fakeDatabase(applied, async () => writable),
    limits,
  );
  expect(await readiness.check()).toEqual({ ready: true, checks: { ...ok, database: "read_only" } });
  writable = true;
  expect(await readiness.check()).toEqual({ ready: true, checks: ok });
});

it("keeps what it knows while connections for changes are in use or fail", async () => {
  let check: Checked["checkWritable"] = async () => false;
  const readiness = createReadiness(
    fakeDatabase(applied, () => check()),
    limits,
  );
  expect((await readiness.check()).checks.database).toBe("read_only");
  for (check of [() => new Promise<boolean>(() => {}), () => Promise.reject(new Error("busy"))]) {
    expect(await readiness.check()).toEqual({ ready: true, checks: { ...ok, database: "read_only" } });
  }
});
