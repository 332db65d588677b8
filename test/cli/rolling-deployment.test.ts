import { rm, writeFile } from "node:fs/promises";
import sql from "sql-template-tag";
import { afterAll, beforeAll, expect, it } from "vitest";
import { migrate, readMigrations } from "../../src/infra/database/migrate.js";
import { useFreshDatabase } from "../support/fresh-database.js";
import { countLockWaits } from "../support/lock-waits.js";
import { makerOn } from "../support/make.js";
import { withPostgres } from "../support/needs.js";
import { type Installation, installVersion } from "../support/other-version.js";
import { startCommand, svc } from "../support/svc.js";
import { runCommand } from "./run-command.js";

/*
 * Two installations of this build serve beside each other that differ in their migrations. First this build is the older
 * one, and the newer one has one more migration, of which this build knows nothing. Then this build is the newer one, with
 * the migrations of the repository, and the older one has none of the last that are marked compatible. That an older
 * version of the code itself keeps working is a matter of the rules in CONTRIBUTING.md.
 */

const compatible = "-- compatible with: older versions\nalter table events add column dress_code text;\n";
const incompatible = "alter table events rename column venue to place;\n";
const notice = "the database has 9001_dress_code.sql of a newer version, compatible with this one";

let newer: Installation;
beforeAll(async () => {
  newer = await installVersion({ extra: { "9001_dress_code.sql": compatible } });
});
afterAll(() => newer.remove());

withPostgres("beside a newer version", () => {
  const fresh = useFreshDatabase();

  it("an older one keeps serving, restarts and runs commands if the migration is compatible, and is refused if not", async () => {
    const serve = ["serve", "--port", "0", "--json"];
    const key = await makerOn(fresh.db).superAdminKey();
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

    const listed = await runCommand(["keys", "list", "--json"], fresh.env);
    expect(listed).toMatchObject({ code: 0, stderr: `svc: ${notice}\n` });
    expect(JSON.parse((await runCommand(["migrate", "--json"], fresh.env)).stdout)).toEqual({
      applied: [],
      newer: ["9001_dress_code.sql"],
    });
    await Promise.all([older, current, restarted].map((service) => service.stop()));

    await writeFile(new URL("9002_place.sql", newer.migrations), incompatible);
    await migrate(fresh.db, { directory: newer.migrations });
    expect(await runCommand(["keys", "list"], fresh.env)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/9002_place\.sql, which is unknown to this version: run a newer version/),
    });
  }, 120_000);
});

/** The last migration without which no request of this version can be served. The older one here has the same code. */
const everyRequest = "0051_records_of_door_links.sql";

withPostgres("beside this version", () => {
  const fresh = useFreshDatabase();
  let older: Installation;
  let lastCompatible: string[];
  beforeAll(async () => {
    const files = await readMigrations();
    const isNeeded = ({ name, compatible }: { name: string; compatible: boolean }) =>
      !compatible || name === everyRequest;
    lastCompatible = files.slice(files.findLastIndex(isNeeded) + 1).map(({ name }) => name);
    older = await installVersion({ without: lastCompatible });
    await fresh.db.query(sql`drop schema public cascade`);
    await fresh.db.query(sql`create schema public`);
    await migrate(fresh.db, { directory: older.migrations });
  });
  afterAll(() => older.remove());

  it("one without the last compatible migrations keeps serving reads and writes, restarts and imports", async () => {
    expect(lastCompatible).not.toEqual([]);
    const make = makerOn(fresh.db);
    const conference = await make.conference();
    const event = await make.event(conference, { hosts: [await make.organization()] });
    const poster = await make.poster(event);
    const key = await make.superAdminKey();
    const authorization = `Bearer ${key}`;
    const use = async (url: string, site: string) => {
      const posted_urls = { [site]: "https://social.example/1" };
      const path = `${url}/api/svc/posters/${poster}`;
      const headers = { authorization, "content-type": "application/json" };
      const patched = await fetch(path, { method: "PATCH", headers, body: JSON.stringify({ posted_urls }) });
      expect(patched.status).toBe(200);
      expect(await (await fetch(path, { headers })).json()).toMatchObject({ posted_urls });
    };
    const serve = ["serve", "--port", "0", "--json"];
    const started = await startCommand(serve, fresh.env, undefined, older.executable);
    await use(started.ready.url, "before");
    const migrated = await runCommand(["migrate", "--json"], fresh.env);
    expect(JSON.parse(migrated.stdout)).toEqual({ applied: lastCompatible, newer: [] });
    await use(started.ready.url, "after");
    const restarted = await startCommand(serve, fresh.env, undefined, older.executable);
    await use(restarted.ready.url, "restarted");
    const document = { posters: [{ event, image_url: "https://images.example/2.png" }] };
    const imported = await svc(["import", "-", "--json"], fresh.env, JSON.stringify(document), older.executable);
    expect(JSON.parse(imported.stdout)).toMatchObject({ ok: true, lists: { posters: { added: 1 } } });
    expect(await fresh.db.query(sql`select from hosted_posters where event_id = ${event}`)).toHaveLength(2);
    await Promise.all([started, restarted].map((service) => service.stop()));
  }, 120_000);
});

withPostgres("a migration behind a long transaction", () => {
  const fresh = useFreshDatabase();

  it("lets requests through and is applied when the transaction is over", async () => {
    let migrating: Promise<string[]> = Promise.resolve([]);
    await fresh.db.transaction(async (reader) => {
      await reader.query(sql`select from events`);
      migrating = migrate(fresh.db, { directory: newer.migrations, lockTimeoutMs: 100 });
      migrating.catch(() => undefined);
      // Each waits behind the migration at most until the migration stops waiting for the reader.
      for (let request = 0; request < 3; request++) {
        await expect.poll(() => countLockWaits(fresh.db), { interval: 5 }).toBeGreaterThan(0);
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

  const addSlowMigration = (name: string, seconds: number) =>
    writeFile(
      new URL(name, newer.migrations),
      `-- compatible with: older versions\nalter table events add slow text;\nselect pg_sleep(${seconds}); -- $migration0$`,
    );

  it("is undone when it takes too long, so that a request that waits for it gets through", async () => {
    await rm(new URL("9003_more.sql", newer.migrations));
    await addSlowMigration("9004_slow.sql", 3600);
    const migrating = migrate(fresh.db, { directory: newer.migrations, lockTimeoutMs: 10, holdLimitMs: 300 });
    migrating.catch(() => undefined);
    await expect.poll(() => fresh.db.query(holdersOfEvents), { interval: 5 }).toHaveLength(1);
    await fresh.db.query(sql`select from events`);
    await expect(migrating).rejects.toThrow(/9004_slow\.sql was undone.*svc migrate --offline/);
    expect(await fresh.db.query(slowColumn)).toEqual([]);
  });

  it("may take as long as it needs when nobody waits", async () => {
    await addSlowMigration("9004_slow.sql", 0.5);
    const options = { directory: newer.migrations, holdLimitMs: 50 };
    await expect(migrate(fresh.db, { ...options, lockTimeoutMs: 10 })).rejects.toThrow(/--offline/);
    expect(await migrate(fresh.db, { ...options, offline: true })).toEqual(["9004_slow.sql"]);
    expect(await fresh.db.query(slowColumn)).toHaveLength(1);
  });

  const holdersOfEvents = sql`
    select from pg_locks where relation = 'events'::regclass and mode = 'AccessExclusiveLock' and granted`;
  const slowColumn = sql`
    select from pg_attribute where attrelid = 'events'::regclass and attname = 'slow' and not attisdropped`;
});
