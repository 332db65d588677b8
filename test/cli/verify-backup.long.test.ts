import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, expect, inject, test } from "vitest";
import type { OpenedDatabase } from "../support/embedded.js";
import { withPostgres } from "../support/needs.js";
import { createMigratedDatabase, databaseUrl, onServer } from "../support/postgres.js";
import { runCommand } from "./run-command.js";

/** What `svc backup --verify` leaves behind, and what it needs. That it restores and compares is in backup.slow.test.ts. */

const executable = fileURLToPath(new URL("../../bin/svc", import.meta.url));
const onThisServer = (statement: string) => onServer(inject("postgres").server, statement);

let directory: string;
let file: string;
let target: OpenedDatabase;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "svc-test-"));
  file = join(directory, "backup.svc.gz");
});
beforeEach(() => rm(file, { force: true }));
afterAll(() => rm(directory, { recursive: true }));

withPostgres("on PostgreSQL", () => {
  beforeAll(async () => {
    target = await createMigratedDatabase();
    return target.remove;
  });

  const scratchDatabases = async () =>
    (
      await onThisServer(
        "select datname as name from pg_database where datname like 'svc\\_verify\\_%' order by datname",
      )
    ).map(({ name }) => name);
  const nameOf = (secondsAgo: number) =>
    `svc_verify_${Math.floor(Date.now() / 1000) - secondsAgo}_${randomBytes(4).toString("hex")}`;

  test.each([
    ["SIGINT", 130],
    ["SIGTERM", 130],
    ["SIGHUP", 130],
    ["SIGKILL", null],
  ] as const)(
    "a run that is ended by %s leaves the file, and no database behind for good",
    async (signal, expected) => {
      const before = await scratchDatabases();
      const env = { ...process.env, ...target.env };
      const child = spawn(process.execPath, [executable, "backup", "--verify", file], { env, stdio: "pipe" });
      const ended = once(child, "close");
      let output = "";
      for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk));
      const created = async () => (await scratchDatabases()).filter((name) => !before.includes(name));
      await expect.poll(created, { interval: 10 }).toHaveLength(1);
      const [name = ""] = await created();
      child.kill(signal);
      expect((await ended)[0]).toBe(expected);
      expect(output).toBe("");
      expect(await readdir(directory)).toEqual(["backup.svc.gz"]);
      expect(await scratchDatabases()).toEqual(signal === "SIGKILL" ? [...before, name] : before);
      await onThisServer(`drop database if exists ${name} with (force)`);
    },
  );

  test("a run drops what killed ones left an hour ago, unless it is in use, and nothing else", async () => {
    const [old, used, recent, other] = [nameOf(3700), nameOf(3700), nameOf(3000), `${nameOf(3700)}_copy`];
    const all = [old, used, recent, other];
    for (const name of all) await onThisServer(`create database ${name}`);
    const client = new pg.Client({ connectionString: databaseUrl(inject("postgres").server, used) });
    await client.connect();
    try {
      expect(await runCommand(["backup", "--verify", file], target.env)).toMatchObject({ code: 0, stderr: "" });
      const left = await scratchDatabases();
      expect(all.filter((name) => left.includes(name))).toEqual([used, recent, other]);
    } finally {
      await client.end();
      for (const name of all) await onThisServer(`drop database if exists ${name} with (force)`);
    }
  });

  test("a role that may not create databases makes a backup, and is told what it needs", async () => {
    const role = `svc_test_${randomBytes(4).toString("hex")}`;
    const name = new URL(target.env.DATABASE_URL ?? "").pathname.slice(1);
    await onThisServer(`create role ${role} login`);
    try {
      await onServer(databaseUrl(inject("postgres").server, name), `grant pg_read_all_data to ${role}`);
      const url = new URL(target.env.DATABASE_URL ?? "");
      url.username = role;
      const env = { DATABASE_URL: url.href };
      const refused = await runCommand(["backup", "--verify", file], env);
      expect(refused).toMatchObject({ code: 1, stdout: "" });
      expect(refused.stderr.trimEnd().split("\n")).toEqual([
        "svc: the backup is complete, but metrics will not show its time, which could not be stored: permission denied for table backup_state",
        `svc: ${file} was written, but not verified: cannot create a scratch database: the role of DATABASE_URL may not create databases; run ALTER ROLE … CREATEDB as an administrator`,
      ]);
      expect(await runCommand(["restore", "--check", file], env)).toMatchObject({ code: 0 });
    } finally {
      await onThisServer(`drop role ${role}`);
    }
  });

  test("a server that is read-only, as a standby is, is backed up, and the file has to be verified elsewhere", async () => {
    const readOnly = await createMigratedDatabase();
    try {
      const name = new URL(readOnly.env.DATABASE_URL ?? "").pathname.slice(1);
      await onThisServer(`alter database ${name} set default_transaction_read_only = on`);
      const { code, stdout, stderr } = await runCommand(["backup", file, "--json"], readOnly.env);
      const warning = /^the backup is complete, but .*: cannot execute INSERT in a read-only transaction$/;
      expect(code).toBe(0);
      expect(JSON.parse(stdout)).toMatchObject({ verified: false, warnings: [expect.stringMatching(warning)] });
      expect(stderr.trimEnd().split("\n")).toEqual([expect.stringMatching(/^svc: the backup is complete/)]);
      const verified = await runCommand(["backup", "--verify", file], readOnly.env);
      expect(verified).toMatchObject({ code: 1, stderr: expect.stringMatching(/not verified: .*server is read-only/) });
    } finally {
      await readOnly.remove();
    }
  });
});

test("on the embedded database, a run removes the folders of killed ones and its own, and not those of others", async () => {
  const env = { DATA_DIR: join(directory, "data") };
  await runCommand(["migrate"], env);
  const child = spawn(process.execPath, ["-e", ""]);
  await once(child, "close");
  const [killed, other] = [`verify-${child.pid}-abcdef`, `verify-${process.pid}-abcdef`];
  for (const name of [killed, other]) await mkdir(join(env.DATA_DIR, name));
  expect(await runCommand(["backup", "--verify", file], env)).toMatchObject({ code: 0, stderr: "" });
  expect(await readdir(env.DATA_DIR)).toEqual(["pg", other]);
});
