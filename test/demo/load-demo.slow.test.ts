import sql from "sql-template-tag";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isDatabaseEmpty } from "../../demo/database-empty.js";
import { loadDemo } from "../../demo/load-demo.js";
import type { Connection } from "../../src/infra/database/db.js";
import { expectRefusal } from "../cli/refusal.js";
import { runCommand } from "../cli/run-command.js";
import { type FreshDatabase, openFreshDatabase } from "../support/fresh-database.js";
import { type Make, makerOn } from "../support/make.js";
import { testOperator } from "../support/operator.js";
import { startCommand } from "../support/svc.js";
import { temporaryFolder } from "../support/temporary-folder.js";

let database: FreshDatabase;
beforeAll(async () => {
  database = await openFreshDatabase();
});
afterAll(() => database.remove());

describe("a database is not empty", () => {
  test.each<[string, (make: Make) => Promise<unknown>]>([
    ["a user", (make) => make.user()],
    ["an organization", (make) => make.organization()],
    ["a conference", (make) => make.conference()],
    ["an API key", (make) => make.superAdminKey()],
  ])("when it has nothing but %s", async (_, insert) => {
    const rollback = new Error("rolled back");
    const transaction = database.db.transaction(async (tx) => {
      expect(await isDatabaseEmpty(tx)).toBe(true);
      await insert(makerOn(tx));
      expect(await isDatabaseEmpty(tx)).toBe(false);
      throw rollback;
    });
    await expect(transaction).rejects.toBe(rollback);
  });
});

describe("demo data", () => {
  test("is not loaded into an empty database that DATABASE_URL names", async () => {
    const env = { DATABASE_URL: urlOf(database.connection), DATA_DIR: temporaryFolder() };
    expect(await isDatabaseEmpty(database.db)).toBe(true);
    const server = await startCommand(["serve", "--port", "0", "--json"], env);
    try {
      expect(server.ready.demo).toBeNull();
      expect(await isDatabaseEmpty(database.db)).toBe(true);
    } finally {
      await server.stop();
    }
  });

  test("is loaded by svc demo load, once", async () => {
    const result = await runCommand(["demo", "load", "--json"], database.env);
    expect(result).toMatchObject({ code: 0, stderr: "" });
    const { counts, keys } = JSON.parse(result.stdout);
    const [row] = await database.db.query(sql`
      select count(*) as posters, count(*) filter (where
        array(select s ->> 'name' from jsonb_array_elements(drawn_from -> 'speakers') s order by 1)
        = array(select s ->> 'name' from jsonb_array_elements(metadata -> 'speakers') s order by 1)) as drawn
      from posters`);
    expect([row, keys.length]).toEqual([{ posters: counts.posters, drawn: counts.posters }, 3]);
    expectRefusal(await runCommand(["demo", "load"], database.env), 1, /the database is not empty/);
  });

  test("is loaded by one of two that load it at the same time", async () => {
    // Last, because on the embedded database it empties the one of the tests above.
    const fresh = await openFreshDatabase();
    try {
      const loads = [loadDemo(fresh.db, testOperator), loadDemo(fresh.db, testOperator)];
      expect((await Promise.all(loads)).filter((summary) => summary !== undefined)).toHaveLength(1);
      const [row] = await fresh.db.query(sql`
        select (select count(*) from api_keys) as keys, (select count(*) from mutation_records) as records`);
      expect(row).toEqual({ keys: 3, records: 1 });
    } finally {
      await fresh.remove();
    }
  });
});

function urlOf(connection: Connection): string {
  if ("connectionString" in connection) return connection.connectionString;
  const { host, port, user, database: name } = connection;
  return `postgres://${user}@localhost:${port}/${name}?host=${encodeURIComponent(host)}`;
}
