import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sql from "sql-template-tag";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { type Database, openDatabase } from "../../src/infra/database/db.js";
import { migrate } from "../../src/infra/database/migrate.js";
import { type EmbeddedDatabase, openEmbeddedDatabase } from "../../src/infra/embedded-db/embedded-db.js";
import { withPostgres } from "../support/needs.js";
import { createPostgresDatabase, onServer } from "../support/postgres.js";
import { svc } from "../support/svc.js";
import { expectRefusal } from "./refusal.js";
import { runCommand } from "./run-command.js";

const migrationsDirectory = new URL("../../migrations/", import.meta.url);
const migrationNames = async () => (await readdir(migrationsDirectory)).filter((name) => name.endsWith(".sql")).sort();
const appliedMigrations = async (db: Database) =>
  (await db.query<{ name: string }>(sql`select name from schema_migrations order by name`)).map(({ name }) => name);

/** The advisory lock that src/infra/database/migrate.ts takes first. */
const migrationLockNumber = 5_730_001;

withPostgres("on an empty PostgreSQL database", () => {
  let database: Awaited<ReturnType<typeof createPostgresDatabase>>;
  beforeAll(async () => {
    database = await createPostgresDatabase();
  });
  afterAll(() => database.remove());

  it("ten concurrent runs, two of them processes, succeed and apply every migration once", async () => {
    const db = openDatabase(database.connection, { poolSize: 10, onIdleError: () => {} });
    const { calls, commands } = await db.transaction(async (tx) => {
      await tx.query(sql`select pg_advisory_xact_lock(${migrationLockNumber})`);
      const commands = Promise.all([1, 2].map(() => svc(["migrate", "--json"], database.env)));
      let attempts = 0;
      const counting: Database = {
        ...db,
        transaction(work, options) {
          attempts++;
          return db.transaction(work, options);
        },
      };
      const calls = Promise.all(Array.from({ length: 8 }, () => migrate(counting)));
      // Each has found the lock taken, and tried again.
      await expect.poll(() => attempts).toBeGreaterThanOrEqual(24);
      return { calls, commands };
    });
    const runs = await commands;
    expect(runs.map(({ code, stderr }) => ({ code, stderr }))).toEqual(Array(2).fill({ code: 0, stderr: "" }));
    const applied = [...runs.map(({ stdout }) => JSON.parse(stdout).applied), ...(await calls)];
    expect(applied.flat().sort()).toEqual(await migrationNames());
    expect(await appliedMigrations(db)).toEqual(await migrationNames());
    await db.close();
    expect(await runCommand(["migrate"], database.env)).toEqual({
      code: 0,
      stdout: "The schema is up to date.\n",
      stderr: "",
    });
  });
});

withPostgres("as a role that does not own the database", () => {
  it("fails with the statement that helps", async () => {
    const database = await createPostgresDatabase();
    const { server, prefix } = inject("postgres");
    const role = `${prefix}_role`;
    await onServer(server, `create role ${role}`);
    const url = new URL(database.env.DATABASE_URL ?? "");
    url.searchParams.set("options", `-c role=${role}`);
    const refused = await runCommand(["migrate"], { DATABASE_URL: url.href });
    expectRefusal(refused, 1, "permission denied for schema public: as a superuser of the server, run: alter database");
    const [, statement = ""] = /run: (.*)/.exec(refused.stderr) ?? [];
    await onServer(server, statement);
    expect(await runCommand(["migrate"], { DATABASE_URL: url.href })).toMatchObject({ code: 0 });
    await database.remove();
    await onServer(server, `drop role ${role}`);
  });
});

describe("on an empty embedded database", () => {
  let dataDir: string;
  let env: { DATA_DIR: string };
  let embedded: EmbeddedDatabase;
  let db: Database;
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), "svc-test-"));
    env = { DATA_DIR: dataDir };
  });
  afterAll(async () => {
    await db.close();
    await embedded.close();
    await rm(dataDir, { recursive: true, force: true });
  });

  it("concurrent commands succeed, although only one can own the database", async () => {
    const users = (n: number) => JSON.stringify({ users: [{ email: `${n}@example.com`, name: "A" }] });
    const runs = await Promise.all([1, 2].map((n) => svc(["import", "-"], env, users(n))));
    expect(runs.map(({ code }) => code)).toEqual([0, 0]);
    expect(runs.map(({ stderr }) => stderr).join("")).toContain(`svc: creating a database in ${dataDir}\n`);
    embedded = await openEmbeddedDatabase({ dataDir, mode: "own", command: "test" });
    db = openDatabase(embedded.connection, { poolSize: 1, onIdleError: () => {} });
    expect(await appliedMigrations(db)).toEqual(await migrationNames());
    expect(JSON.parse((await runCommand(["users", "list", "--json"], env)).stdout)).toHaveLength(2);
    expect(await runCommand(["migrate"], env)).toMatchObject({ code: 0, stdout: "The schema is up to date.\n" });
  });

  it("rejects unknown and modified migrations in the history", async () => {
    await db.query(sql`insert into schema_migrations (name, checksum) values ('9999_future.sql', 'x')`);
    await expect(migrate(db)).rejects.toThrow(/9999_future\.sql, which is unknown to this version/);
    expectRefusal(await runCommand(["keys", "list"], env), 1, /9999_future\.sql/);
    await db.query(sql`delete from schema_migrations where name = '9999_future.sql'`);
    await expect(migrate(db)).resolves.toEqual([]);

    const [first] = await migrationNames();
    await db.query(sql`update schema_migrations set checksum = 'x' where name = ${first}`);
    await expect(migrate(db)).rejects.toThrow(new RegExp(`${first} was edited after it was applied`));
    expectRefusal(await runCommand(["migrate"], env), 1, /restore the file/);
  });
});
