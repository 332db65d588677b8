import sql from "sql-template-tag";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Queryable } from "../../src/infra/database/db.js";
import { keyDeriver } from "../../src/sign-in/secret-key.js";
import { openFreshDatabase } from "../support/fresh-database.js";

let fresh: Awaited<ReturnType<typeof openFreshDatabase>>;

beforeAll(async () => {
  fresh = await openFreshDatabase();
});
afterAll(() => fresh.remove());

it("generates one secret for all processes, also if they start at the same moment", async () => {
  const keys = await Promise.all(Array.from({ length: 6 }, () => keyDeriver(null, fresh.db)("session tokens")));
  expect(new Set(keys.map((key) => key.toString("hex"))).size).toBe(1);
  expect(await fresh.db.query(sql`select name from service_secrets`)).toEqual([{ name: "secret_key" }]);
});

it("derives another key for another purpose, and from another secret", async () => {
  const configured = keyDeriver("a configured secret of 32 characters", fresh.db);
  const keys = [
    await configured("session tokens"),
    await configured("guest codes"),
    await keyDeriver(null, fresh.db)("session tokens"),
  ].map((key) => key.toString("hex"));
  expect(new Set(keys).size).toBe(3);
  expect(keys.every((key) => key.length === 64)).toBe(true);
});

it("reads the database once, and again after a failure", async () => {
  let failures = 1;
  let statements = 0;
  const db: Queryable = {
    query(statement) {
      statements += 1;
      if (failures-- > 0) throw new Error("no connection");
      return fresh.db.query(statement);
    },
  };
  const derive = keyDeriver(null, db);
  await expect(derive("session tokens")).rejects.toThrow("no connection");
  await derive("session tokens");
  await derive("guest codes");
  expect(statements).toBe(2);
});
