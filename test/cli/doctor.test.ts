import { randomUUID } from "node:crypto";
import { createServer as createHttpServer } from "node:http";
import { type AddressInfo, createServer, type Server } from "node:net";
import sql, { type Sql } from "sql-template-tag";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import type { NamedFinding } from "../../src/cli/doctor.js";
import { checks } from "../../src/cli/doctor-checks.js";
import { createProgram } from "../../src/cli/program.js";
import { type Config, loadConfig } from "../../src/config.js";
import type { Database } from "../../src/infra/database/db.js";
import { type Issuer, startIssuer } from "../sign-in/issuer.js";
import { startMailServer } from "../sign-in/mail-server.js";
import { useFreshDatabase } from "../support/fresh-database.js";
import { makerOn } from "../support/make.js";
import { svc } from "../support/svc.js";
import { findFreePort } from "./launch.js";
import { runCommand } from "./run-command.js";

const all = [...checks.config, ...checks.database, ...checks.schema];

const fresh = useFreshDatabase();
const servers: Server[] = [];
afterEach(() => vi.restoreAllMocks());
afterAll(async () => {
  for (const server of servers) server.close();
});

/** Runs a check by itself. What it advises must exist. */
async function run(name: string, config: Partial<Config> = {}, db: Database = fresh.db) {
  const check = all.find((each) => each.name === name);
  const examined = { config: { ...loadConfig({}), ...config }, db };
  const finding = await check?.run(examined);
  await requireCommands(finding?.remedy ?? "");
  return finding;
}

async function requireCommands(remedy: string): Promise<void> {
  for (const [, words = ""] of remedy.matchAll(/\bsvc ((?:[a-z-]+ ?)+)/g)) {
    const [name = "", ...rest] = words.trim().split(" ");
    const program = await createProgram(name);
    const command = program.commands.find((each) => each.name() === name);
    expect(command, remedy).toBeDefined();
    const last = command?.commands.find((each) => each.name() === rest[0]) ?? command;
    for (const option of rest.filter((word) => word.startsWith("--")))
      expect(last?.options.map(({ long }) => long)).toContain(option);
  }
}

async function listen(server: Server): Promise<number> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

/** A server that responds to every HTTP request with this. */
const respond = (status: number, body: unknown = {}) =>
  listen(
    createHttpServer((_request, response) => {
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    }),
  );

/** A server that sends this to everyone who connects. */
const greet = (text: string) => listen(createServer((socket) => void socket.on("error", () => {}).write(text)));

/** A Redis that responds to the named commands with this, and to all others with OK. */
const fakeRedis = (replies: Record<string, string>) =>
  listen(
    createServer((socket) => {
      socket
        .on("error", () => {})
        .on("data", (chunk) => {
          for (const [, command = ""] of String(chunk).matchAll(/\*\d+\r\n\$\d+\r\n(\w+)\r\n/g))
            socket.write(
              replies[command.toLowerCase()] ?? (command.toLowerCase() === "info" ? "$0\r\n\r\n" : "+OK\r\n"),
            );
        });
    }),
  );

describe("svc doctor", () => {
  it("finds no problem in a fresh database, in the order of its output, and changes nothing", async () => {
    const result = await runCommand(["doctor", "--json"], fresh.env);
    expect(result).toMatchObject({ code: 0, stderr: "" });
    const findings: NamedFinding[] = JSON.parse(result.stdout);
    expect(findings.map(({ check }) => check)).toEqual([
      ...["configuration", ...checks.config.map(({ name }) => name), "database"],
      ...[...checks.database, ...checks.schema].map(({ name }) => name),
    ]);
    expect(findings.filter(({ state }) => state === "problem" || state === "skipped")).toEqual([]);
    expect(await fresh.db.query(sql`select from mutation_records`)).toEqual([]);
    const text = (await runCommand(["doctor"], fresh.env)).stdout;
    expect(text).toMatch(/^ok {7}configuration {6}every variable is valid\n/);
  });

  it("lists in its help what it finds", async () => {
    const { stdout } = await runCommand(["doctor", "--help"], {});
    for (const { name, finds } of all) expect(stdout).toContain(`\n  ${name.padEnd(17)}  ${finds}\n`);
  });

  it("names a missing migration, and skips what reads tables", async () => {
    const [row] = await fresh.db.query<{ name: string; checksum: string }>(
      sql`delete from schema_migrations where name = (select max(name) from schema_migrations) returning name, checksum`,
    );
    const result = await runCommand(["doctor", "--json"], fresh.env);
    expect(result.code).toBe(1);
    const findings: NamedFinding[] = JSON.parse(result.stdout);
    expect(findings.find(({ check }) => check === "schema")).toMatchObject({
      state: "problem",
      finding: `${row?.name} not applied`,
      remedy: expect.stringContaining("svc migrate"),
    });
    expect(findings.filter(({ state }) => state === "skipped").map(({ check }) => check)).toEqual(
      checks.schema.map(({ name }) => name),
    );
    await fresh.db.query(sql`
      insert into schema_migrations (name, checksum, compatible) values (${row?.name}, ${row?.checksum}, true)`);
  });

  it("reports every wrong variable, skips what depends on it, and examines the rest", async () => {
    const port = await findFreePort();
    const wrong = { PORT: "web", REDIS_URL: "http://cache", MCP_TOOLS: "nonsense", MAIL_FROM: "a@example.com" };
    const set = { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`, ...fresh.env };
    const result = await svc(["doctor", "--json"], { ...wrong, ...set });
    expect(result).toMatchObject({ code: 1, stderr: "" });
    const findings: NamedFinding[] = JSON.parse(result.stdout);
    const named = (check: string) => findings.filter((finding) => finding.check === check);
    expect(named("configuration").map(({ finding }) => finding.split(/[=:]/)[0])).toEqual([
      ...["PORT", "REDIS_URL", "SMTP_URL", "MCP_TOOLS"],
    ]);
    expect(named("redis")).toEqual([{ check: "redis", state: "skipped", finding: "REDIS_URL is wrong" }]);
    expect(named("mail")).toEqual([{ check: "mail", state: "skipped", finding: "SMTP_URL is wrong" }]);
    expect(named("traces")).toMatchObject([{ state: "problem", finding: expect.stringContaining("ECONNREFUSED") }]);
    expect([...named("schema"), ...named("images")].map(({ state }) => state)).toEqual(["ok", "ok"]);
  });

  it("does not examine another database in place of one whose address is wrong", async () => {
    const { stdout } = await svc(["doctor"], { DATABASE_URL: "mysql://db", DATA_DIR: fresh.env.DATA_DIR });
    expect(stdout).toMatch(/^PROBLEM {2}configuration {6}DATABASE_URL: expected a URL that starts with postgres/m);
    expect(stdout).toMatch(/^skipped {2}database {11}DATABASE_URL is wrong$/m);
    expect(stdout).toMatch(/^skipped {2}schema {13}DATABASE_URL is wrong$/m);
  });

  it("reports on the rest if the database is down, without secrets, and names commands as they are typed", async () => {
    const port = await findFreePort();
    const result = await svc(["doctor"], { DATABASE_URL: `postgres://app:hunter1@127.0.0.1:${port}/events` });
    expect(result).toMatchObject({ code: 1, stderr: "" });
    expect(result.stdout).toMatch(
      /PROBLEM {2}database .*ECONNREFUSED.*\n +→ start the database, or correct DATABASE_URL/,
    );
    expect(result.stdout).toMatch(/^warning {2}ticketing /m);
    expect(result.stdout).not.toContain("hunter");
    const without = await svc(["doctor"], { DATA_DIR: "/nonexistent" });
    expect(without.stdout).toMatch(/\n +→ start the service once with \S*bin\/svc serve, or correct DATA_DIR\n/);
  });
});

describe("what it finds", () => {
  const closed = async (scheme: string, login = "") => `${scheme}://${login}127.0.0.1:${await findFreePort()}`;
  const oidc = { clientId: "svc", clientSecret: "hunter4", label: "Issuer" };
  let issuer: Issuer;
  beforeAll(async () => {
    issuer = await startIssuer();
  });
  afterAll(() => issuer.close());
  const traces = { headers: {}, serviceName: "svc", ratio: 1 };
  const refused = /ECONNREFUSED/;

  /** Every set-up that is broken in a way which needs no PostgreSQL server: doctor-postgres.test.ts has the others. */
  const brokenSetUps: [check: string, what: string, config: () => Promise<Partial<Config>>, finding: RegExp][] = [
    ["address", "a guessed URL", async () => loadConfig({ HOST: "0.0.0.0" }), /^PUBLIC_URL is not set: /],
    [
      "workers",
      "workers without PostgreSQL and Redis",
      async () => ({ workers: 2 }),
      /^2 workers need PostgreSQL; 2 workers need Redis/,
    ],
    [
      "redis",
      "several processes without Redis",
      async () => ({ databaseUrl: "postgres://db" }),
      /^rate limits are counted in memory/,
    ],
    ["redis", "a closed port", async () => ({ redisUrl: await closed("redis", ":hunter2@") }), refused],
    [
      "redis",
      "a database that does not exist",
      async () => ({
        redisUrl: `redis://127.0.0.1:${await fakeRedis({ select: "-ERR DB index is out of range\r\n" })}/99`,
      }),
      /^Redis has no database 99: ERR DB index is out of range$/,
    ],
    [
      "redis",
      "a replica",
      async () => ({ redisUrl: `redis://127.0.0.1:${await fakeRedis({ set: "-READONLY You can't write\r\n" })}` }),
      /^Redis cannot be used: READONLY/,
    ],
    ["ticketing", "no platform", async () => ({ databaseUrl: "postgres://db" }), /^no platform is configured/],
    [
      "ticketing",
      "a closed port",
      async () => ({ ticketing: { url: await closed("http"), apiKey: "hunter3" } }),
      refused,
    ],
    ["mail", "a closed port", async () => ({ mail: { smtpUrl: await closed("smtp"), from: "a@b.c" } }), refused],
    [
      "mail",
      "another service",
      async () => ({ mail: { smtpUrl: `smtp://127.0.0.1:${await greet("HTTP/1.1 400\r\n\r\n")}`, from: "a@b.c" } }),
      /cannot be used: Invalid greeting/,
    ],
    [
      "sign-in",
      "a closed port",
      async () => ({ oidc: { ...oidc, issuer: await closed("http") } }),
      /cannot be used: .*ECONNREFUSED/,
    ],
    [
      "sign-in",
      "no issuer",
      async () => ({ oidc: { ...oidc, issuer: `http://127.0.0.1:${await respond(404)}` } }),
      /cannot be used: .*404|unexpected HTTP response/,
    ],
    [
      "sign-in",
      "another issuer",
      async () => ({
        oidc: { ...oidc, issuer: `http://127.0.0.1:${await respond(200, { issuer: "https://other.example.com" })}` },
      }),
      /issuer/,
    ],
    [
      "sign-in",
      "an issuer with a final slash that is not in its name",
      async () => ({ oidc: { ...oidc, issuer: `${issuer.url}/` } }),
      /cannot be used: its configuration names the issuer http:\S+:\d+, not http:\S+:\d+\/$/,
    ],
    ["traces", "a closed port", async () => ({ traces: { ...traces, endpoint: await closed("http") } }), refused],
    [
      "traces",
      "a collector that refuses the headers",
      async () => ({ traces: { ...traces, endpoint: `http://127.0.0.1:${await respond(401)}` } }),
      /cannot be used: it responded with 401$/,
    ],
    ["disk", "no space", async () => ({ dataDir: "/proc", databaseUrl: null }), / 0 MB are free in \/proc$/],
  ];

  it.each(brokenSetUps)("%s: %s", async (check, _what, config, expected) => {
    const found = await run(check, await config());
    expect(found).toMatchObject({ state: expect.stringMatching(/warning|problem/), remedy: expect.any(String) });
    expect(found?.finding).toMatch(expected);
    expect(JSON.stringify(found)).not.toContain("hunter");
  });

  it("mail: a server that refuses the password", async () => {
    const server = await startMailServer({ login: { user: "svc", password: "right" } });
    const smtpUrl = `smtp://svc:hunter5@127.0.0.1:${server.port}/?requireTLS=false&ignoreTLS=true`;
    const found = await run("mail", { mail: { smtpUrl, from: "a@example.com" } });
    expect(found).toMatchObject({ state: "problem", finding: expect.stringContaining("535") });
    expect(JSON.stringify(found)).not.toContain("hunter");
    server.close();
  });

  it("nothing wrong with what works", async () => {
    const server = await startMailServer();
    const config = {
      redisUrl: `redis://127.0.0.1:${await fakeRedis({})}/3`,
      ticketing: { url: `http://127.0.0.1:${await respond(404)}`, apiKey: "x" },
      mail: { smtpUrl: `smtp://127.0.0.1:${server.port}`, from: "a@example.com" },
      oidc: { ...oidc, issuer: issuer.url },
      traces: { ...traces, endpoint: `http://127.0.0.1:${await respond(200)}` },
    };
    for (const check of ["redis", "ticketing", "mail", "sign-in", "traces"])
      expect(await run(check, config), check).toMatchObject({ state: "ok" });
    server.close();
  });

  it("versions: an old server", async () => {
    const lookups = { query: async () => [{ number: 140_010, version: "14.10" }] } as unknown as Database["lookups"];
    const found = await run("versions", {}, { ...fresh.db, lookups });
    expect(found).toMatchObject({ state: "problem", finding: expect.stringMatching(/PostgreSQL 14\.10$/) });
  });

  it("clock: a clock that is an hour ahead", async () => {
    const { now } = Date;
    vi.spyOn(Date, "now").mockImplementation(() => now() + 3_600_000);
    const found = await run("clock");
    expect(found).toMatchObject({
      state: "problem",
      finding: expect.stringMatching(/differs by (3600|3599|3601)\.\d s$/),
    });
  });

  it("schema: migrations of a newer version, compatible or not, and changed ones", async () => {
    const insert = (compatible: boolean) =>
      fresh.db.query(sql`
        insert into schema_migrations (name, checksum, compatible) values ('9001_newer.sql', 'x', ${compatible})
        on conflict (name) do update set compatible = excluded.compatible`);
    await insert(true);
    expect(await run("schema")).toMatchObject({ state: "warning", finding: expect.stringContaining("9001_newer.sql") });
    await insert(false);
    const newer = { state: "problem", finding: expect.stringContaining("9001_newer.sql") };
    expect(await run("schema")).toMatchObject(newer);
    // An older version has migrations, too, that this schema has not: migrating is not the remedy.
    const pending = sql`update schema_migrations set name = '0000_other.sql' where name = '0001_foundation.sql' returning name`;
    expect(await fresh.db.query(pending)).toHaveLength(1);
    expect((await run("schema"))?.remedy).toBe("run the version of the service that made this schema, or a later one");
    await fresh.db.query(sql`update schema_migrations set name = '0001_foundation.sql' where name = '0000_other.sql'`);
    await fresh.db.query(sql`delete from schema_migrations where name = '9001_newer.sql'`);
    await fresh.db.query(
      sql`update schema_migrations set checksum = 'x' || checksum where name = '0001_foundation.sql'`,
    );
    expect(await run("schema")).toMatchObject({ state: "problem", finding: expect.stringContaining("was edited") });
    await fresh.db.query(sql`
      update schema_migrations set checksum = substr(checksum, 2) where name = '0001_foundation.sql'`);
    expect(await run("schema")).toMatchObject({ state: "ok" });
  });

  it("schema: the table of another program's migrations", async () => {
    await fresh.db.query(sql`alter table schema_migrations rename to kept_migrations`);
    await fresh.db.query(sql`create table schema_migrations (version text primary key)`);
    expect(await run("schema")).toEqual({
      state: "problem",
      finding: "this database belongs to another program",
      remedy: "correct DATABASE_URL",
    });
    expect(await runCommand(["migrate"], fresh.env)).toMatchObject({
      code: 1,
      stderr: "svc: this database belongs to another program: correct DATABASE_URL\n",
    });
    expect(
      await fresh.db.query(
        sql`select from pg_attribute where attrelid = 'schema_migrations'::regclass and attname = 'compatible'`,
      ),
    ).toEqual([]);
    await fresh.db.query(sql`drop table schema_migrations`);
    await fresh.db.query(sql`alter table kept_migrations rename to schema_migrations`);
  });

  it("keys that expire soon", async () => {
    const make = makerOn(fresh.db);
    expect(await run("keys")).toMatchObject({ state: "ok" });
    const change = (key: Promise<string>, set: Sql) =>
      key.then(make.keyId).then((id) => fresh.db.query(sql`update api_keys set ${set} where id = ${id}`));
    const soon = sql`expires_at = now() + interval '3 days', created_at = now() - interval '4 days'`;
    await change(make.superAdminKey(), sql`name = 'Agent', ${soon}`);
    await change(make.superAdminKey(), sql`name = 'Revoked', ${soon}, revoked_at = now()`);
    await change(make.superAdminKey(), sql`name = 'Expired', expires_at = now() - interval '1 day'`);
    await change(make.superAdminKey(), sql`name = 'Short', expires_at = now() + interval '7 days'`);
    expect(await run("keys")).toMatchObject({ state: "warning", finding: "a key expires soon: Agent" });
  });

  it("images that nothing shows once they can be removed, and rows without an image", async () => {
    const make = makerOn(fresh.db);
    expect(await run("images")).toMatchObject({ state: "ok" });
    const stored = await make.image();
    const prune = () => runCommand(["images", "prune", "--json"], fresh.env);
    const finding = "stored or shown in the last 15 days and not used: 1 image";
    expect(await run("images")).toEqual({ state: "ok", finding });
    expect(JSON.parse((await prune()).stdout)).toMatchObject({ images: 0 });
    await fresh.db.query(sql`update images set created_at = now() - interval '361 hours'`);
    expect(await run("images")).toMatchObject({
      state: "warning",
      finding: expect.stringMatching(/^images that nothing shows: 1, \d/),
      remedy: expect.stringContaining("svc images prune --confirm"),
    });
    expect(JSON.parse((await prune()).stdout)).toMatchObject({ images: 1 });
    const poster = await make.poster(await make.event(await make.conference()));
    const showing = (path: string) => fresh.db.query(sql`update posters set image_url = ${path} where id = ${poster}`);
    await showing(`/images/${stored}`);
    expect(await run("images")).toMatchObject({ state: "ok" });
    await showing(`/images/${"0".repeat(64)}.png`);
    expect(await run("images")).toMatchObject({
      state: "problem",
      finding: "references to images that are not stored: 1",
    });
  });

  it("ticketing writes without an outcome", async () => {
    expect(await run("unfinished writes")).toMatchObject({ state: "ok" });
    await fresh.db.query(sql`
      insert into mutation_records (tool, via, operator, event_id, request, request_hash, result)
      values ('ticketing:event/add-guests', 'command_line', 'x', ${randomUUID()}, '{"attempt_id": "a"}', 'x', '{"state": "sending"}')`);
    expect(await run("unfinished writes")).toMatchObject({
      state: "warning",
      remedy: expect.stringContaining("--unfinished"),
    });
  });
});
