import { randomUUID } from "node:crypto";
import sql from "sql-template-tag";
import { afterAll, beforeAll, expect, it } from "vitest";
import { configChecks, databaseChecks } from "../../src/cli/doctor-checks.js";
import { type Config, loadConfig } from "../../src/config.js";
import { type FreshDatabase, openFreshDatabase } from "../support/fresh-database.js";
import { makerOn } from "../support/make.js";
import { svc } from "../support/svc.js";
import { findFreePort } from "./launch.js";
import { runCommand } from "./run-command.js";

const checks = { ...configChecks, ...databaseChecks };

let fresh: FreshDatabase;
beforeAll(async () => {
  fresh = await openFreshDatabase();
});
afterAll(() => fresh.remove());

const run = (check: keyof typeof checks, config: Partial<Config> = {}) => {
  const examined = { config: { ...loadConfig({}), ...config }, db: fresh.db };
  return checks[check]?.(examined);
};

it("finds no problem in a fresh database, in the order of its output, and changes nothing", async () => {
  const result = await runCommand(["doctor", "--json"], fresh.env);
  expect(result).toMatchObject({ code: 0, stderr: "" });
  const findings: { check: string; state: string }[] = JSON.parse(result.stdout);
  expect(findings.map(({ check }) => check)).toEqual(["configuration", ...Object.keys(checks)]);
  expect(findings.filter(({ state }) => state === "problem")).toEqual([]);
  expect(await fresh.db.query(sql`select from mutation_records`)).toEqual([]);
  expect((await runCommand(["doctor"], fresh.env)).stdout).toMatch(/^ok {7}configuration {6}every variable is valid\n/);
});

it("names a missing migration, and leaves out what reads tables", async () => {
  const [row] = await fresh.db.query<{ name: string; checksum: string }>(
    sql`delete from schema_migrations where name = (select max(name) from schema_migrations) returning name, checksum`,
  );
  const result = await runCommand(["doctor", "--json"], fresh.env);
  expect(result.code).toBe(1);
  const findings: { check: string; state: string; finding: string }[] = JSON.parse(result.stdout);
  expect(findings.find(({ check }) => check === "schema")).toMatchObject({
    state: "problem",
    finding: `${row?.name} not applied`,
    remedy: expect.stringContaining("svc migrate"),
  });
  expect(findings.some(({ check }) => check === "keys")).toBe(false);
  await fresh.db.query(sql`
    insert into schema_migrations (name, checksum, compatible) values (${row?.name}, ${row?.checksum}, true)`);
});

it("names a migration of a newer version, which must be compatible", async () => {
  const insert = (compatible: boolean) =>
    fresh.db.query(sql`
      insert into schema_migrations (name, checksum, compatible) values ('9001_newer.sql', 'x', ${compatible})
      on conflict (name) do update set compatible = excluded.compatible`);
  await insert(true);
  expect(await run("schema")).toMatchObject({ state: "ok", finding: expect.stringContaining("9001_newer.sql") });
  await insert(false);
  expect(await run("schema")).toMatchObject({ state: "problem", finding: expect.stringContaining("9001_newer.sql") });
  await fresh.db.query(sql`delete from schema_migrations where name = '9001_newer.sql'`);
});

it("names writes without an outcome, keys that expire, images without a row and rows without an image", async () => {
  const make = makerOn(fresh.db);
  expect(await run("keys")).toMatchObject({ state: "ok" });
  const key = await make.superAdminKey();
  await fresh.db.query(sql`
    update api_keys set name = 'Agent', expires_at = now() + interval '3 days' where id = ${await make.keyId(key)}`);
  for (const ended of [sql`revoked_at = now()`, sql`expires_at = now() - interval '1 day'`]) {
    const id = await make.keyId(await make.superAdminKey());
    await fresh.db.query(sql`
      update api_keys set name = 'Ended', expires_at = now() + interval '3 days' where id = ${id}`);
    await fresh.db.query(sql`update api_keys set ${ended} where id = ${id}`);
  }
  expect(await run("keys")).toMatchObject({ state: "warning", finding: "within 14 days a key expires: Agent" });

  expect(await run("images")).toMatchObject({ state: "ok" });
  const stored = await make.image();
  expect(await run("images")).toMatchObject({ state: "warning", finding: "images that are stored but not used: 1" });
  const poster = await make.poster(await make.event(await make.conference()));
  const showing = (path: string) => fresh.db.query(sql`update posters set image_url = ${path} where id = ${poster}`);
  await showing(`/images/${stored}`);
  expect(await run("images")).toMatchObject({ state: "ok" });
  await showing(`/images/${"0".repeat(64)}.png`);
  expect(await run("images")).toMatchObject({
    state: "problem",
    finding: "references to images that are not stored: 1",
  });

  expect(await run("unfinished writes")).toMatchObject({ state: "ok" });
  await fresh.db.query(sql`
    insert into mutation_records (tool, via, operator, event_id, request, request_hash, result)
    values ('ticketing:event/add-guests', 'command_line', 'x', ${randomUUID()}, '{"attempt_id": "a"}', 'x', '{"state": "sending"}')`);
  expect(await run("unfinished writes")).toMatchObject({
    state: "warning",
    remedy: expect.stringContaining("--unfinished"),
  });
});

it("names what cannot be reached, without secrets", async () => {
  const port = await findFreePort();
  expect(await run("redis", { redisUrl: `redis://:hunter2@127.0.0.1:${port}` })).toEqual({
    state: "problem",
    finding: expect.stringMatching(/^Redis does not respond: .*ECONNREFUSED/),
    remedy: expect.any(String),
  });
  const ticketing = { url: `http://127.0.0.1:${port}`, apiKey: "hunter3" };
  expect(await run("ticketing", { ticketing })).toMatchObject({
    state: "problem",
    finding: expect.stringMatching(/does not respond: .*ECONNREFUSED/),
  });
  const result = await svc(["doctor"], { DATABASE_URL: `postgres://app:hunter1@127.0.0.1:${port}/events` });
  expect(result).toMatchObject({ code: 1, stderr: "" });
  expect(result.stdout).toMatch(/PROBLEM {2}database .*ECONNREFUSED/);
  expect(result.stdout).toMatch(/^warning {2}ticketing /m);
  expect(result.stdout).not.toContain("hunter");
});

it("reports every wrong variable", async () => {
  const result = await svc(["doctor", "--json"], { PORT: "web", REDIS_URL: "http://cache", MCP_TOOLS: "nonsense" });
  expect(result.code).toBe(1);
  expect(JSON.parse(result.stdout).map(({ finding }: { finding: string }) => finding.split(/[=:]/)[0])).toEqual([
    ...["PORT", "REDIS_URL", "MCP_TOOLS"],
  ]);
});
