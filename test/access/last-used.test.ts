import { randomUUID } from "node:crypto";
import sql, { type Sql } from "sql-template-tag";
import { expect, it } from "vitest";
import { maximumWaiting, trackLastUsed, usesPerStatement } from "../../src/access/last-used.js";
import { unavailable } from "../../src/infra/database/database-errors.js";
import type { Queryable } from "../../src/infra/database/db.js";
import { createLog } from "../../src/infra/observability/log.js";
import { createMemoryLog } from "../support/memory-log.js";
import { startService } from "../support/service.js";
import { useService } from "../support/setup.js";

const { db, make } = useService();
const log = createLog("silent");

async function lastUsed(key: string): Promise<Date | null> {
  const [row] = await db.query<{ last_used_at: Date | null }>(
    sql`select last_used_at from api_keys where id = ${await make.keyId(key)}`,
  );
  return row?.last_used_at ?? null;
}

/** The database with a count of its statements. */
function countingDatabase(): Queryable & { statements: number } {
  const target = {
    statements: 0,
    query: <Row extends object>(statement: Sql) => {
      target.statements++;
      return db.query<Row>(statement);
    },
  };
  return target;
}

it("is stored for every used key when the service stops", async () => {
  const keys = [await make.superAdminKey(), await make.superAdminKey(), await make.superAdminKey()];
  const [used, alsoUsed, unused] = keys as [string, string, string];
  const other = await startService();
  const before = Date.now();
  for (const key of [used, alsoUsed, used]) await other.call("/api/svc/ping", { key });
  await other.close();
  for (const key of [used, alsoUsed]) {
    const at = (await lastUsed(key))?.getTime() ?? 0;
    expect(Math.abs(at - before)).toBeLessThan(60_000);
  }
  expect(await lastUsed(unused)).toBeNull();
});

/** The database with the number of uses in each statement; the statements in the given places fail. */
function countingUses(failing: number[] = []): Queryable & { uses: number[] } {
  const uses: number[] = [];
  return {
    uses,
    query: async <Row extends object>(statement: Sql) => {
      const place = uses.push((statement.values[0] as string[]).length) - 1;
      if (failing.includes(place)) throw new Error("too slow");
      return db.query<Row>(statement);
    },
  };
}

it("is written in several statements for more uses than one may have, and the rest again after a failure", async () => {
  const key = await make.superAdminKey();
  const others = Array.from({ length: 2 * usesPerStatement }, () => randomUUID());
  const target = countingUses([1, 2]);
  const tracker = trackLastUsed(target, log);
  for (const id of [...others, await make.keyId(key)]) tracker.note(id, null);
  await tracker.close();
  expect(target.uses).toEqual([usesPerStatement, usesPerStatement, usesPerStatement]);
  expect(await lastUsed(key)).toBeNull();
  await tracker.close();
  expect(target.uses.slice(3)).toEqual([usesPerStatement, 1]);
  expect(Date.now() - ((await lastUsed(key))?.getTime() ?? 0)).toBeLessThan(60_000);
});

it("is written as soon as a statement is full, and no attempt is made for each further use after a failure", async () => {
  const key = await make.superAdminKey();
  const id = await make.keyId(key);
  const target = countingUses([0]);
  const tracker = trackLastUsed(target, log);
  for (let i = 0; i < usesPerStatement; i++) tracker.note(id, null);
  await expect.poll(() => target.uses).toEqual([usesPerStatement]);
  for (let i = 0; i < maximumWaiting; i++) tracker.note(id, null);
  await new Promise((resolve) => setImmediate(resolve));
  expect(target.uses).toHaveLength(1);
  await tracker.close();
  // What is beyond the limit was not kept.
  expect(target.uses.slice(1)).toEqual(Array(maximumWaiting / usesPerStatement).fill(usesPerStatement));
  expect(await lastUsed(key)).not.toBeNull();
});

it("is written in one statement for many keys and uses", async () => {
  const counting = countingDatabase();
  const tracker = trackLastUsed(counting, log);
  const keys = await Promise.all(Array.from({ length: 20 }, () => make.superAdminKey()));
  const ids = await Promise.all(keys.map((key) => make.keyId(key)));
  for (let i = 0; i < 40; i++) for (const id of ids) tracker.note(id, null);
  expect(counting.statements).toBe(0);
  await tracker.close();
  expect(counting.statements).toBe(1);
  for (const key of keys) expect(await lastUsed(key)).not.toBeNull();
});

it("is written at most once per minute per key", async () => {
  const key = await make.superAdminKey();
  const id = await make.keyId(key);
  const recent = new Date(Date.now() - 30_000);
  const older = new Date(Date.now() - 90_000);

  await db.query(sql`update api_keys set last_used_at = ${recent} where id = ${id}`);
  const counting = countingDatabase();
  const tracker = trackLastUsed(counting, log);
  tracker.note(id, recent);
  await tracker.close();
  expect(counting.statements).toBe(0);

  // A process that read an older value does not overwrite the newer one of another process.
  const late = trackLastUsed(db, log);
  late.note(id, older);
  await late.close();
  expect(await lastUsed(key)).toEqual(recent);

  await db.query(sql`update api_keys set last_used_at = ${older} where id = ${id}`);
  const due = trackLastUsed(db, log);
  due.note(id, older);
  await due.close();
  expect((await lastUsed(key))?.getTime()).toBeGreaterThan(recent.getTime());
});

it("does not fail a request if the database fails", async () => {
  const tracker = trackLastUsed({ query: () => Promise.reject(new Error("no database")) }, log);
  tracker.note(await make.keyId(await make.superAdminKey()), null);
  await expect(tracker.close()).resolves.toBeUndefined();
});

it("logs a failure, but not an outage of the database, which has its own line", async () => {
  const { log: memoryLog, lines } = createMemoryLog();
  const fail = async (error: Error) => {
    const tracker = trackLastUsed({ query: () => Promise.reject(error) }, memoryLog);
    tracker.note(await make.keyId(await make.superAdminKey()), null);
    await tracker.close();
  };
  await fail(unavailable("it cannot be connected to"));
  expect(lines()).toEqual([]);
  await fail(new Error("a mistake in the code"));
  expect(lines()).toMatchObject([{ level: 40, reason: "a mistake in the code" }]);
});
