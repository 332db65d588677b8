import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sql from "sql-template-tag";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Database, openDatabase } from "../../src/platform/db.js";
import { migrate } from "../../src/platform/migrate.js";
import { withPostgres } from "../support/needs.js";
import { createPostgresDatabase } from "../support/postgres.js";
import { svc } from "../support/svc.js";
import { expectRefusal } from "./refusal.js";
import { type Served, serveFreshDatabase } from "./served.js";

const folder = new URL("../../migrations/", import.meta.url);
const names = async () => (await readdir(folder)).filter((name) => name.endsWith(".sql")).sort();
const appliedIn = async (db: Database) =>
  (await db.query<{ name: string }>(sql`select name from schema_migrations order by name`)).map(({ name }) => name);

withPostgres("on an empty PostgreSQL database", () => {
  let database: Awaited<ReturnType<typeof createPostgresDatabase>>;
  beforeAll(async () => {
    database = await createPostgresDatabase();
  });
  afterAll(() => database.remove());

  it("ten at once all succeed and every migration is applied once", async () => {
    const runs = await Promise.all(Array.from({ length: 10 }, () => svc(["migrate", "--json"], database.env)));
    expect(runs.map(({ code, stderr }) => ({ code, stderr }))).toEqual(Array(10).fill({ code: 0, stderr: "" }));
    expect(runs.flatMap(({ stdout }) => JSON.parse(stdout).applied)).toEqual(await names());
    const db = openDatabase(database.connection, { poolSize: 1, onIdleError: () => {} });
    expect(await appliedIn(db)).toEqual(await names());
    await db.close();
    expect(await svc(["migrate"], database.env)).toEqual({
      code: 0,
      stdout: "The schema is up to date.\n",
      stderr: "",
    });
  });
});

describe("on an empty embedded database", () => {
  let dataDir: string;
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), "svc-test-"));
  });
  afterAll(() => rm(dataDir, { recursive: true, force: true }));

  it("three commands at once, one of them its owner, all succeed", async () => {
    const runs = await Promise.all([
      svc(["migrate", "--json"], { DATA_DIR: dataDir }),
      svc(["migrate", "--json"], { DATA_DIR: dataDir }),
      svc(["keys", "create", "--tier", "super-admin", "--name", "first", "--json"], { DATA_DIR: dataDir }),
    ]);
    expect(runs.map(({ code, stderr }) => ({ code, stderr }))).toEqual(Array(3).fill({ code: 0, stderr: "" }));
    const keys = await svc(["keys", "list", "--json"], { DATA_DIR: dataDir });
    expect(JSON.parse(keys.stdout)).toMatchObject([{ name: "first" }]);
  });
});

describe("a history that is not ours", () => {
  let served: Served;
  beforeAll(async () => {
    served = await serveFreshDatabase();
  });
  afterAll(() => served.remove());

  it("is up to date beside the service that migrated it", async () => {
    const result = await svc(["migrate", "--json"], served.env);
    expect(result).toMatchObject({ code: 0, stderr: "" });
    expect(JSON.parse(result.stdout)).toEqual({ applied: [] });
    expect(await appliedIn(served.db)).toEqual(await names());
  });

  it("of a newer version is refused", async () => {
    await served.db.query(sql`insert into schema_migrations (name, checksum) values ('9999_future.sql', 'x')`);
    await expect(migrate(served.db)).rejects.toThrow(/9999_future\.sql, which this version does not know/);
    expectRefusal(await svc(["migrate"], served.env), 1, /9999_future\.sql/);
    expectRefusal(await svc(["keys", "list"], served.env), 1, /9999_future\.sql/);
    await served.db.query(sql`delete from schema_migrations where name = '9999_future.sql'`);
    await expect(migrate(served.db)).resolves.toEqual([]);
  });

  it("with a file that was changed since is refused", async () => {
    const [first] = await names();
    const [row] = await served.db.query<{ checksum: string }>(sql`
      update schema_migrations m set checksum = 'x' from schema_migrations old
      where m.name = ${first} and old.name = m.name returning old.checksum`);
    await expect(migrate(served.db)).rejects.toThrow(new RegExp(`${first} was changed after it had been applied`));
    await served.db.query(sql`update schema_migrations set checksum = ${row?.checksum} where name = ${first}`);
    await expect(migrate(served.db)).resolves.toEqual([]);
  });
});
