import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sql from "sql-template-tag";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Database, openDatabase } from "../../src/platform/db.js";
import { openEmbeddedDatabase } from "../../src/platform/embedded-db/embedded-db.js";
import { migrate } from "../../src/platform/migrate.js";
import { withPostgres } from "../support/needs.js";
import { createPostgresDatabase } from "../support/postgres.js";
import { svc } from "../support/svc.js";
import { expectRefusal } from "./refusal.js";
import { sharedDatabase } from "./shared-database.js";

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
  let env: { DATA_DIR: string };
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), "svc-test-"));
    env = { DATA_DIR: dataDir };
  });
  afterAll(() => rm(dataDir, { recursive: true, force: true }));

  it("several commands at once, one of them its owner, all succeed", async () => {
    const create = ["keys", "create", "--tier", "super-admin", "--name", "first", "--json"];
    const runs = await Promise.all([["migrate"], ["migrate"], create, create].map((args) => svc(args, env)));
    expect(runs.map(({ code, stderr }) => ({ code, stderr }))).toEqual(Array(4).fill({ code: 0, stderr: "" }));
    expect(JSON.parse((await svc(["keys", "list", "--json"], env)).stdout)).toHaveLength(2);
  });

  it("refuses a history that is not its own", async () => {
    const embedded = await openEmbeddedDatabase({ dataDir, mode: "own", command: "test" });
    const db = openDatabase(embedded.connection, { poolSize: 1, onIdleError: () => {} });
    expect(await appliedIn(db)).toEqual(await names());

    await db.query(sql`insert into schema_migrations (name, checksum) values ('9999_future.sql', 'x')`);
    await expect(migrate(db)).rejects.toThrow(/9999_future\.sql, which is unknown to this version/);
    expectRefusal(await svc(["keys", "list"], env), 1, /9999_future\.sql/);
    await db.query(sql`delete from schema_migrations where name = '9999_future.sql'`);
    await expect(migrate(db)).resolves.toEqual([]);

    const [first] = await names();
    await db.query(sql`update schema_migrations set checksum = 'x' where name = ${first}`);
    await expect(migrate(db)).rejects.toThrow(new RegExp(`${first} was edited after it was applied`));
    expectRefusal(await svc(["migrate"], env), 1, /restore the file/);
    await db.close();
    await embedded.close();
  });
});

it("finds nothing to do beside a service that has migrated", async () => {
  const result = await svc(["migrate", "--json"], sharedDatabase());
  expect(result).toMatchObject({ code: 0, stderr: "" });
  expect(JSON.parse(result.stdout)).toEqual({ applied: [] });
});
