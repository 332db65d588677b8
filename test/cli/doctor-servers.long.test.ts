import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { NamedFinding } from "../../src/cli/doctor.js";
import { accountOf, type PostgresServer, startPostgresServer } from "../faults/postgres-server.js";
import { withPgBouncer, withPostgres } from "../support/needs.js";
import { pgBouncerProgram } from "../support/programs.js";
import { svc } from "../support/svc.js";
import { until } from "../support/until.js";
import { findFreePort } from "./launch.js";
import { runCommand } from "./run-command.js";

let postgres: PostgresServer;
beforeAll(async () => {
  if (!process.env.DATABASE_URL) return;
  postgres = await startPostgresServer();
  expect(await svc(["migrate"], { DATABASE_URL: postgres.url })).toMatchObject({ code: 0 });
});
afterAll(() => postgres?.remove());

async function doctor(DATABASE_URL: string): Promise<(check: string) => NamedFinding | undefined> {
  const { stdout } = await svc(["doctor", "--json"], { DATABASE_URL });
  const findings: NamedFinding[] = JSON.parse(stdout);
  return (check) => findings.find((finding) => finding.check === check);
}

withPostgres("svc doctor", () => {
  it("finds a server that is set to read-only, and its remedy works", async () => {
    await postgres.query("alter system set default_transaction_read_only = on");
    await postgres.query("select pg_reload_conf()");
    const found = (await doctor(postgres.url))("writable");
    expect(found).toMatchObject({ state: "problem", finding: expect.stringContaining("(configuration file)") });
    const [, reset, reload] = /^run: (.*), or .*; then run: (.*)$/.exec(found?.remedy ?? "") ?? [];
    for (const statement of [reset, reload]) await postgres.query(statement ?? "");
    await until(async () => (await doctor(postgres.url))("writable")?.state === "ok");
  });

  it("finds a standby, and its remedy works", async () => {
    const standby = await postgres.startStandby();
    const found = await doctor(standby.url);
    expect(found("writable")).toMatchObject({
      state: "problem",
      finding: expect.stringMatching(/^the server is a standby/),
    });
    expect(found("images")).toMatchObject({ state: "ok" });
    await standby.query(/run: (.*)$/.exec(found("writable")?.remedy ?? "")?.[1] ?? "");
    expect((await doctor(standby.url))("writable")).toMatchObject({ state: "ok" });
    await standby.remove();
    await postgres.query("alter system reset synchronous_standby_names");
    await postgres.query("select pg_reload_conf()");
  });

  it("ends within its limits when the server no longer responds", async () => {
    const resume = postgres.stall();
    const found = await doctor(postgres.url);
    resume();
    expect(found("database")).toMatchObject({ state: "problem" });
    expect(found("schema")).toMatchObject({ state: "skipped" });
  });
});

withPgBouncer("svc doctor behind PgBouncer", () => {
  let directory: string;
  let bouncer: ChildProcess | undefined;
  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), "svc-pgbouncer-"));
  });
  afterAll(() => {
    bouncer?.kill("SIGKILL");
    rmSync(directory, { recursive: true });
  });

  const ignored =
    "ignore_startup_parameters = statement_timeout, lock_timeout, idle_in_transaction_session_timeout, options";

  async function startBouncer(databases: string[], ...settings: string[]): Promise<string> {
    if (bouncer !== undefined) {
      const exited = once(bouncer, "exit");
      bouncer.kill("SIGKILL");
      await exited;
    }
    const port = await findFreePort();
    const file = join(directory, "pgbouncer.ini");
    const users = join(directory, "users.txt");
    writeFileSync(users, '"postgres" ""\n');
    const lines = [
      ...["[databases]", `postgres = host=127.0.0.1 port=${postgres.port}`, ...databases, "[pgbouncer]"],
      ...["listen_addr = 127.0.0.1", `listen_port = ${port}`, "unix_socket_dir =", "auth_type = trust"],
      ...[`auth_file = ${users}`, ...settings],
    ];
    writeFileSync(file, lines.join("\n"));
    const account = process.getuid?.() === 0 ? accountOf("postgres") : {};
    // Only root may read what root has made.
    const readable = process.getuid?.() === 0 ? ["-c", `chmod -R a+rX ${directory}`] : ["-c", "true"];
    await once(spawn("sh", readable), "exit");
    bouncer = spawn(pgBouncerProgram, [file], { ...account, stdio: "ignore" });
    const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
    await until(async () => {
      const client = new pg.Client({ connectionString: url });
      client.on("error", () => {});
      return client.connect().then(
        () => client.end().then(() => true),
        () => false,
      );
    });
    return url;
  }

  it.each(["transaction", "statement"])("finds that sessions are not pooled with pool_mode = %s", async (mode) => {
    const found = await doctor(await startBouncer([], `pool_mode = ${mode}`, ignored));
    expect(found("pooling")).toMatchObject({
      state: "problem",
      finding: expect.stringMatching(/^sessions share connections/),
      remedy: expect.stringContaining("pool_mode = session"),
    });
  });

  it("finds nothing with pool_mode = session, as its remedy says", async () => {
    const found = await doctor(await startBouncer([], "pool_mode = session", ignored));
    for (const check of ["database", "pooling", "schema", "writable"])
      expect(found(check), check).toMatchObject({ state: "ok" });
  });

  it("with one database, does not reach the scratch database of a backup, which says so", async () => {
    const [one, any] = ["", `* = host=127.0.0.1 port=${postgres.port}`];
    const file = join(directory, "backup.svc.gz");
    const verify = async (databases: string) => {
      const url = await startBouncer([databases], "pool_mode = session", ignored);
      return runCommand(["backup", "--verify", file], { DATABASE_URL: url });
    };
    expect(await verify(one)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("not verified: cannot connect to the scratch database"),
    });
    expect(await verify(any)).toMatchObject({ code: 0, stderr: "" });
  });

  it("finds that parameters are refused, and its remedy works", async () => {
    const found = (await doctor(await startBouncer([], "pool_mode = session")))("database");
    expect(found).toMatchObject({
      state: "problem",
      finding: expect.stringContaining("unsupported startup parameter"),
    });
    const setting = /pgbouncer\.ini: (.*)$/.exec(found?.remedy ?? "")?.[1] ?? "";
    expect((await doctor(await startBouncer([], "pool_mode = session", setting)))("database")).toMatchObject({
      state: "ok",
    });
  });
});
