import { writeFile } from "node:fs/promises";
import sql from "sql-template-tag";
import { afterAll, beforeAll, expect, it } from "vitest";
import { migrate } from "../../src/platform/database/migrate.js";
import { type FreshDatabase, openFreshDatabase } from "../support/fresh-database.js";
import { withPostgres } from "../support/needs.js";
import { installNewerVersion, type NewerVersion } from "../support/newer-version.js";
import { startCommand, svc } from "../support/svc.js";

/** This build is the older version; the newer one has one more migration, of which this build knows nothing. */

const compatible = "-- compatible with: older versions\nalter table events add column dress_code text;\n";
const incompatible = "alter table events rename column venue to place;\n";
const notice = "the database has 9001_dress_code.sql of a newer version, compatible with this one";

let newer: NewerVersion;
beforeAll(async () => {
  newer = await installNewerVersion({ "9001_dress_code.sql": compatible });
});
afterAll(() => newer.remove());

withPostgres("beside a newer version", () => {
  let fresh: FreshDatabase;
  beforeAll(async () => {
    fresh = await openFreshDatabase();
  });
  afterAll(() => fresh.remove());

  it("an older one keeps serving, restarts and runs commands if the migration is compatible, and is refused if not", async () => {
    const serve = ["serve", "--port", "0", "--json"];
    const create = ["keys", "create", "--tier", "super-admin", "--name", "test", "--json"];
    const { key } = JSON.parse((await svc(create, fresh.env)).stdout) as { key: string };
    const statusOf = async (url: string) =>
      (await fetch(`${url}/api/svc/conferences`, { headers: { authorization: `Bearer ${key}` } })).status;

    const older = await startCommand(serve, fresh.env);
    const migrated = await svc(["migrate", "--json"], fresh.env, "", newer.executable);
    expect(migrated).toMatchObject({ code: 0, stderr: "" });
    expect(JSON.parse(migrated.stdout)).toEqual({ applied: ["9001_dress_code.sql"], newer: [] });
    const current = await startCommand(serve, fresh.env, undefined, newer.executable);
    const restarted = await startCommand(serve, fresh.env);
    expect(await Promise.all([older, current, restarted].map(({ ready }) => statusOf(ready.url)))).toEqual([
      200, 200, 200,
    ]);
    expect(restarted.output().stderr.split(notice)).toHaveLength(2);
    expect(current.output().stderr).not.toContain("newer version");

    const listed = await svc(["keys", "list", "--json"], fresh.env);
    expect(listed).toMatchObject({ code: 0, stderr: `svc: ${notice}\n` });
    expect(JSON.parse((await svc(["migrate", "--json"], fresh.env)).stdout)).toEqual({
      applied: [],
      newer: ["9001_dress_code.sql"],
    });
    await Promise.all([older, current, restarted].map((service) => service.stop()));

    await writeFile(new URL("9002_place.sql", newer.migrations), incompatible);
    await migrate(fresh.db, { directory: newer.migrations });
    expect(await svc(["keys", "list"], fresh.env)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/9002_place\.sql, which is unknown to this version: run a newer version/),
    });
  }, 120_000);
});

withPostgres("a migration behind a long transaction", () => {
  let fresh: FreshDatabase;
  beforeAll(async () => {
    fresh = await openFreshDatabase();
  });
  afterAll(() => fresh.remove());

  it("lets requests through and is applied when the transaction is over", async () => {
    let migrating: Promise<string[]> = Promise.resolve([]);
    await fresh.db.transaction(async (reader) => {
      await reader.query(sql`select from events`);
      migrating = migrate(fresh.db, { directory: newer.migrations, lockTimeoutMs: 100 });
      migrating.catch(() => undefined);
      // Each waits behind the migration at most until the migration stops waiting for the reader.
      for (let request = 0; request < 3; request++) {
        await expect.poll(countLockWaits, { timeout: 20_000, interval: 5 }).toBeGreaterThan(0);
        await fresh.db.query(sql`select from events`);
      }
    });
    expect(await migrating).toContain("9001_dress_code.sql");
  });

  it("gives up at its deadline and says why, without a trace", async () => {
    await writeFile(
      new URL("9003_more.sql", newer.migrations),
      "create table more (); alter table events add more text;",
    );
    await fresh.db.transaction(async (reader) => {
      await reader.query(sql`select from events`);
      await expect(
        migrate(fresh.db, { directory: newer.migrations, lockTimeoutMs: 10, lockDeadlineMs: 100 }),
      ).rejects.toThrow(/could not lock its tables.*run svc migrate/);
    });
    expect(await fresh.db.query(sql`select to_regclass('more') as more`)).toEqual([{ more: null }]);
  });

  async function countLockWaits(): Promise<number> {
    const rows = await fresh.db.query(sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`);
    return rows.length;
  }
});
