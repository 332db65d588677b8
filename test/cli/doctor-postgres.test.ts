import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { NamedFinding } from "../../src/cli/doctor.js";
import { checks } from "../../src/cli/doctor-checks.js";
import { type Config, loadConfig } from "../../src/config.js";
import type { OpenedDatabase } from "../support/embedded.js";
import { withPostgres } from "../support/needs.js";
import { createMigratedDatabase, onServer } from "../support/postgres.js";
import { openServiceDatabase } from "../support/service-database.js";
import { runCommand } from "./run-command.js";

withPostgres("svc doctor on PostgreSQL", () => {
  const role = `svc_test_role_${randomBytes(4).toString("hex")}`;
  let database: OpenedDatabase;
  let url: string;
  let name: string;
  let server: string;
  beforeAll(async () => {
    database = await createMigratedDatabase();
    url = database.env.DATABASE_URL ?? "";
    name = new URL(url).pathname.slice(1);
    server = urlWith({ pathname: "/postgres" });
    await onServer(server, `create role ${role} superuser login`);
  });
  afterAll(async () => {
    await database.remove();
    await onServer(server, `drop role ${role}`);
  });

  const urlWith = (parts: Partial<URL>) => Object.assign(new URL(url), parts).href;

  async function doctor(databaseUrl: string): Promise<(check: string) => NamedFinding | undefined> {
    const { stdout } = await runCommand(["doctor", "--json"], { DATABASE_URL: databaseUrl });
    const findings: NamedFinding[] = JSON.parse(stdout);
    return (check) => findings.find((finding) => finding.check === check);
  }

  describe("finds a read-only database", () => {
    it.each([
      ["database", () => `alter database ${name}`],
      ["user", () => `alter role ${role}`],
      ["database user", () => `alter role ${role} in database ${name}`],
    ])("by a setting of the %s, and its remedy works", async (source, altering) => {
      await onServer(server, `${altering()} set default_transaction_read_only = on`);
      const asRole = urlWith({ username: role });
      const found = (await doctor(asRole))("writable");
      expect(found).toMatchObject({
        state: "problem",
        finding: `default_transaction_read_only is on (${source}): reads are served, and changes are refused with 503`,
      });
      await onServer(asRole, found?.remedy?.replace(/^run: /, "") ?? "");
      expect((await doctor(asRole))("writable")).toMatchObject({ state: "ok" });
    });

    it("by the options of DATABASE_URL", async () => {
      const found = (await doctor(urlWith({ search: "?options=-c default_transaction_read_only=on" })))("writable");
      expect(found).toMatchObject({ state: "problem", remedy: expect.stringContaining("options of DATABASE_URL") });
    });
  });

  it.each([
    [
      "a user that does not exist",
      () => urlWith({ username: "nobody_here" }),
      /role "nobody_here" does not exist/,
      /correct the user/,
    ],
    [
      "a database that does not exist",
      () => urlWith({ pathname: "/nothing_here" }),
      /"nothing_here" does not exist/,
      /createdb/,
    ],
  ])("finds %s, and skips what needs the database", async (_what, wrong, finding, remedy) => {
    const found = await doctor(wrong());
    expect(found("database")).toMatchObject({ state: "problem" });
    expect(found("database")?.finding).toMatch(finding);
    expect(found("database")?.remedy).toMatch(remedy);
    expect(found("schema")).toMatchObject({ state: "skipped", finding: "the database cannot be used" });
  });

  it("finds a role that may not create tables, and its remedy works", async () => {
    const [empty, owner] = [`${name}_empty`, `${role}_owner`];
    await onServer(server, `create role ${owner} login`);
    await onServer(server, `create database ${empty}`);
    try {
      const asOwner = urlWith({ username: owner, pathname: `/${empty}` });
      const { remedy = "" } = (await doctor(asOwner))("schema") ?? {};
      expect(remedy).toBe(`as a superuser of the server, run: alter database ${empty} owner to ${owner}`);
      const migrated = () => runCommand(["migrate"], { DATABASE_URL: asOwner });
      expect((await migrated()).stderr).toContain(remedy);
      await onServer(server, remedy.replace(/^.*run: /, ""));
      expect((await doctor(asOwner))("schema")?.remedy).toMatch(/^run svc migrate/);
      expect((await migrated()).code).toBe(0);
    } finally {
      await onServer(server, `drop database ${empty}`);
      await onServer(server, `drop role ${owner}`);
    }
  });

  describe("finds that connections do not suffice, and the pool that it advises fits", () => {
    const check = checks.database.find((each) => each.name === "connections");

    async function connections(databaseUrl: string, more: Partial<Config>) {
      const db = openServiceDatabase({ connectionString: databaseUrl });
      const config = { ...loadConfig({ DATABASE_URL: databaseUrl }), ...more };
      try {
        return await check?.run({ config, db });
      } finally {
        await db.close();
      }
    }

    it.each([
      [1, 1000],
      [4, 100],
    ])("for %d workers with a pool of %d", async (workers, databasePoolSize) => {
      const found = await connections(url, { workers, databasePoolSize });
      expect(found).toMatchObject({
        state: "problem",
        remedy: expect.stringContaining("max_connections of the server"),
      });
      expect(found?.finding).toMatch(`${workers} × ${databasePoolSize + 3} = ${workers * (databasePoolSize + 3)} `);
      const advised = Number(/DATABASE_POOL_SIZE to at most (\d+)/.exec(found?.remedy ?? "")?.[1]);
      expect((await connections(url, { workers, databasePoolSize: advised }))?.state).toBe("warning");
      expect((await connections(url, { workers, databasePoolSize: advised + 1 }))?.state).toBe("problem");
    });

    it("for too many workers, whatever their pool", async () => {
      const found = await connections(url, { workers: 128 });
      expect(found).toMatchObject({ state: "problem", remedy: expect.stringMatching(/^lower WORKERS, or raise/) });
    });

    it("for old and new processes in an upgrade", async () => {
      const found = await connections(url, { databasePoolSize: 60 });
      expect(found).toMatchObject({ state: "warning", finding: expect.stringContaining("in an upgrade") });
      const advised = Number(/DATABASE_POOL_SIZE to at most (\d+)/.exec(found?.remedy ?? "")?.[1]);
      expect((await connections(url, { databasePoolSize: advised }))?.state).toBe("ok");
    });

    it("because of the limits of a role and of a database", async () => {
      await onServer(server, `alter role ${role} nosuperuser connection limit 12`);
      await onServer(server, `grant connect on database ${name} to ${role}`);
      const asRole = urlWith({ username: role });
      const limited = { state: "problem", finding: "1 × 13 = 13 connections at most; the server allows 12" };
      expect(await connections(asRole, {})).toMatchObject({
        ...limited,
        remedy: expect.stringMatching(/of the role by at least 1$/),
      });
      await onServer(server, `alter role ${role} superuser connection limit -1`);
      await onServer(server, `alter database ${name} connection limit 11`);
      expect((await connections(url, {}))?.remedy).toMatch(/raise the connection limit of the database by at least 2$/);
      await onServer(server, `alter database ${name} connection limit -1`);
    });
  });
});
