import { type ChildProcess, execFile, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import sql from "sql-template-tag";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Database, openDatabase } from "../../src/infra/database/db.js";
import type { OpenedDatabase } from "../support/embedded.js";
import { openMigratedEmbedded } from "../support/migrated-database.js";
import { fastStart, svc } from "../support/svc.js";
import { temporaryFolder } from "../support/temporary-folder.js";

/** Commands beside a process that has an embedded database open, which has one session for all. */

const executable = fileURLToPath(new URL("../../bin/svc", import.meta.url));
const { DATABASE_URL: _, REDIS_URL: __, ...environment } = process.env;

let service: OpenedDatabase;
let db: Database;

beforeAll(async () => {
  service = await openMigratedEmbedded("beside");
  db = openDatabase(service.connection, { poolSize: 1, onIdleError: () => {} });
  // More than the pipe between two processes and their buffers hold, also when compressed.
  const description = randomBytes(300_000).toString("hex");
  await db.query(sql`insert into organizations (name, slug, description) values ('A', 'a', ${description})`);
  await db.query(sql`insert into organizations (name, slug, description) values ('B', 'b', ${description})`);
  await db.query(sql`
    insert into images (hash, content_type, bytes)
    values (${randomBytes(32).toString("hex")}, 'image/png', ${randomBytes(1_500_000)})`);
});
afterAll(() => db.close());

function start(args: string[]): ChildProcess {
  return spawn(process.execPath, [...fastStart, executable, ...args], {
    env: { ...environment, ...service.env },
    stdio: ["ignore", "pipe", "ignore"],
  });
}

describe.each([["backup", "-"], ["export"]])("svc %s", (...args) => {
  it("lets requests through while nobody reads its output, and removes its copy", async () => {
    const child = start(args);
    const closed = once(child, "close");
    await once(child.stdout ?? child, "readable");
    await db.query(sql`update organizations set name = name || '!'`);
    expect(child.exitCode).toBeNull();
    child.stdout?.resume();
    expect(await closed).toEqual([0, null]);
    expect(await copies()).toEqual([]);
  });
});

it("svc import says beforehand that requests wait while it writes, unless there is little to write", async () => {
  const users = Array.from({ length: 500 }, (_, n) => ({ email: `ann${n}@example.com`, name: "Ann" }));
  const document = JSON.stringify({ users });
  const notice =
    "Writing 500 rows; requests to the running service wait until this is done, about 1 s, longer on a busy machine.\n";
  expect(await svc(["import", "-"], service.env, document)).toMatchObject({ code: 0, stderr: notice });
  const few = JSON.stringify({ users: [{ email: "ann1@example.com", name: "Ann B." }] });
  for (const again of [document, few]) {
    expect(await svc(["import", "-"], service.env, again)).toMatchObject({ code: 0, stderr: "" });
  }
  await db.query(sql`delete from users`);
});

it("moves to another database in one command, and removes the copy of a command that was killed", async () => {
  const { DATA_DIR: dataDir = "" } = service.env;
  // No process has this id: it is larger than the largest one.
  await mkdir(join(dataDir, "snapshot-99999999-abcdef"));
  const command = `"${process.execPath}" --liftoff-only "${executable}"`;
  const target = join(dataDir, "moved");
  const { stdout } = await promisify(execFile)(
    "sh",
    ["-c", `${command} backup - | DATA_DIR="${target}" ${command} restore -`],
    {
      env: { ...environment, ...service.env },
    },
  );
  expect(stdout).toMatch(/^organizations +2 /m);
  expect(stdout).toMatch(/^images +1 /m);
  expect(stdout).toMatch(/^Restored and verified 5 rows/m);
  expect(await copies()).toEqual([]);
});

it("svc erase-person and svc archive-records say beforehand that requests wait, unless there are few records", async () => {
  const folder = temporaryFolder();
  const fill = (count: number, days: number) =>
    db.query(sql`
      insert into mutation_records (tool, via, operator, request, request_hash, at)
      select 'x', 'command_line', 'me', '{}', 'x', now() - ${days} * interval '1 day' from generate_series(1, ${count}::int)`);
  const erase = (...args: string[]) => svc(["erase-person", "ann@example.com", ...args], service.env);
  const archive = (name: string) =>
    svc(["archive-records", join(folder, name), "--older-than-days", "30"], service.env);
  await fill(400, 40);
  expect((await erase()).stderr).toBe("");
  await fill(200, 1);
  const waiting = "requests to the running service wait until this is done, about 1 s, longer on a busy machine.\n";
  for (const args of [[], ["--confirm"]]) expect((await erase(...args)).stderr).toMatch(`records; ${waiting}`);
  // Only the old ones are moved.
  expect(await archive("few")).toMatchObject({ code: 0, stderr: "" });
  await fill(500, 40);
  expect(await archive("many")).toMatchObject({ code: 0, stderr: `Moving 500 records; ${waiting}` });
});

async function copies(): Promise<string[]> {
  return (await readdir(service.env.DATA_DIR ?? "")).filter((name) => name.startsWith("snapshot-"));
}
