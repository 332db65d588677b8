import { randomBytes } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import sql, { raw } from "sql-template-tag";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { openDatabase } from "../../src/infra/database/db.js";
import type { TableDigest } from "../../src/transfer/backup-tables.js";
import { readBackup } from "../../src/transfer/read-backup.js";
import { writeBackup } from "../../src/transfer/write-backup.js";
import { useFreshDatabase } from "../support/fresh-database.js";
import { makerOn } from "../support/make.js";
import { withPostgres } from "../support/needs.js";
import { createPostgresDatabase } from "../support/postgres.js";
import { expectRefusal } from "./refusal.js";
import { runCommand } from "./run-command.js";
import { sampleDocument } from "./sample-document.js";
import { createTransferHarness } from "./transfer-harness.js";

const fresh = useFreshDatabase();
let directory: string;
let file: string;

beforeAll(async () => {
  const transfer = createTransferHarness(fresh.db);
  await transfer.clear();
  await transfer.import(sampleDocument());
  const make = makerOn(fresh.db);
  await make.superAdminKey();
  await make.organizationKey(await make.organization());
  await make.image();
  await fresh.db.query(sql`
    insert into image_uploads (organization_id, hash, uploaded_by)
    select organization_id, hash, user_id from members, images limit 1`);
});
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "svc-test-"));
  file = join(directory, "backup.svc.gz");
});
afterEach(() => rm(directory, { recursive: true }));

type Summary = { rows: number; sha256: string; tables: TableDigest[] };

/** Runs a command that prints JSON. */
async function run(args: string[], env: Record<string, string>): Promise<Summary> {
  const { code, stdout, stderr } = await runCommand([...args, "--json"], env);
  expect({ code, stderr: stderr.replace(/^svc: creating a database in .*\n/, "") }).toEqual({ code: 0, stderr: "" });
  return JSON.parse(stdout);
}

async function linesOfBackup(): Promise<string[]> {
  const parts: string[] = [];
  await writeBackup(fresh.db, async (text) => void parts.push(text));
  return parts.join("").trimEnd().split("\n");
}

describe("a backup", () => {
  test("has every table of the database but those that mean something only here, and only its owner can read it", async () => {
    const { tables, rows } = await run(["backup", file], fresh.env);
    const stored = await fresh.db.query<{ name: string }>(sql`
      select table_name as name from information_schema.tables
      where table_schema = 'public' and table_type = 'BASE TABLE'`);
    const signIn = ["sessions", "door_sessions", "password_resets", "service_secrets"];
    const leftOut = ["schema_migrations", ...signIn, "changes", "change_horizon", "backup_state"];
    expect([...leftOut, ...tables.map(({ name }) => name)].sort()).toEqual(stored.map(({ name }) => name).sort());
    const used = [
      "images",
      "image_uploads",
      "api_keys",
      "mutation_records",
      "members",
      "registrations",
      "hosted_posters",
      "rosters",
    ];
    expect(tables.filter((table) => used.includes(table.name) && table.rows > 0)).toHaveLength(used.length);
    expect(rows).toBe(tables.reduce((total, table) => total + table.rows, 0));
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readdir(directory)).toEqual(["backup.svc.gz"]);
    const checked = await run(["restore", "--check", file], fresh.env);
    expect(checked).toMatchObject({ checked_only: true, tables, rows });
  });

  test("has no table, column or sequence of another program, names them, and is restored without them", async () => {
    const { db, env } = fresh;
    await db.query(raw("create table legacy (id serial primary key); insert into legacy default values"));
    await db.query(raw("create sequence legacy_numbers; alter table users add badge text default 'x'"));
    try {
      const { code, stdout, stderr } = await runCommand(["backup", "--verify", "--json", file], env);
      const warning = "not in the backup, because no migration of this version makes it: legacy, users.badge";
      expect({ code, stderr }).toEqual({ code: 0, stderr: `svc: ${warning}\n` });
      const written = JSON.parse(stdout) as Summary & { created_at: string };
      expect(written).toMatchObject({ verified: true, warnings: [warning] });
      expect(written.tables.map(({ name }) => name)).not.toContain("legacy");
      const text = gunzipSync(await readFile(file)).toString();
      expect(text).toContain('{"sequences":[]}');
      expect(text).not.toMatch(/legacy|badge/);
      await run(["restore", "--check", file], env);
      const [state] = await db.query<Record<string, Date>>(sql`select backed_up_at, verified_at from backup_state`);
      const at = new Date(written.created_at);
      expect(state).toEqual({ backed_up_at: at, verified_at: at });
      const unverified = JSON.parse((await runCommand(["backup", "--json", file], env)).stdout) as {
        created_at: string;
      };
      expect(await db.query(sql`select backed_up_at, verified_at from backup_state`)).toEqual([
        { backed_up_at: new Date(unverified.created_at), verified_at: at },
      ]);
    } finally {
      await db.query(raw("drop table legacy; drop sequence legacy_numbers; alter table users drop badge"));
    }
    if (env.DATA_DIR !== undefined)
      expect(await readdir(env.DATA_DIR)).not.toContainEqual(expect.stringMatching("verify"));
  });

  test("is refused if something is missing that a migration has made", async () => {
    const { db } = fresh;
    await db.query(raw("alter table users rename name to full_name"));
    await expect(linesOfBackup()).rejects.toThrow(/no column users\.name, which a migration has made: put it back/);
    await db.query(raw("alter table users rename full_name to name; alter table visits rename to seen"));
    await expect(linesOfBackup()).rejects.toThrow(/no table visits, which a migration has made/);
    await db.query(raw("alter table seen rename to visits"));
  });

  test("can only be verified in a file", async () => {
    expectRefusal(await runCommand(["backup", "--verify", "-"], fresh.env), 2, /--verify needs a file/);
  });

  test("is one snapshot", async () => {
    const before = await linesOfBackup();
    const parts: string[] = [];
    let pending = Boolean(process.env.DATABASE_URL);
    await writeBackup(fresh.db, async (text) => {
      parts.push(text);
      if (pending) await fresh.db.query(sql`update users set name = name || ' '`);
      pending = false;
    });
    await fresh.db.query(sql`update users set name = trim(name)`);
    expect(parts.join("").trimEnd().split("\n").slice(1, -1)).toEqual(before.slice(1, -1));
  });

  test("reads wide rows a few at a time", async () => {
    const bytes = 1024 * 1024;
    for (let n = 0; n < 6; n++) {
      await fresh.db.query(sql`
        insert into images (hash, content_type, bytes)
        values (${randomBytes(32).toString("hex")}, 'image/png', ${randomBytes(bytes)})`);
    }
    let widest = 0;
    await writeBackup(fresh.db, async (text) => {
      widest = Math.max(widest, text.length);
    });
    await fresh.db.query(sql`delete from images where length(bytes) = ${bytes}`);
    expect(widest).toBeGreaterThan(2 * bytes);
    expect(widest).toBeLessThan(2 * 3 * bytes);
  });
});

describe("a file that was changed", () => {
  const readAll = async (lines: string[], options = {}) => {
    for await (const _ of readBackup(asChunks(`${lines.join("\n")}\n`), options));
  };
  const chunkBytes = 1000;
  async function* asChunks(text: string): AsyncGenerator<Buffer> {
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes);
  }
  const isRow = (line: string) => line.startsWith("[");

  test.each<[string, (lines: string[]) => string[], RegExp]>([
    ["without its last line", (lines) => lines.slice(0, -1), /it ends early/],
    ["without a row", (lines) => lines.toSpliced(lines.findIndex(isRow), 1), /does not match its checksum/],
    [
      "with another value",
      (lines) => lines.map((line) => line.replace("Acme", "Acne")),
      /table organizations does not match its checksum/,
    ],
    ["without a table", (lines) => withoutTable(lines, "members"), /it does not match its checksum/],
    ["without sequences", (lines) => lines.filter((line) => !line.startsWith('{"seq')), /does not match its checksum/],
    ["with more lines", (lines) => [...lines, lines[1] ?? ""], /more lines after its end/],
    ["with a row outside a table", (lines) => lines.toSpliced(1, 0, "[]"), /unexpected row in line 2/],
    ["with an unknown line", (lines) => lines.toSpliced(1, 0, "{}"), /line 2 is not valid/],
    ["of another format", (lines) => lines.toSpliced(0, 1, '{"format":"other"}'), /not a file of svc backup/],
    ["of a later format", (lines) => lines.map((line) => line.replace('"version":1', '"version":2')), /newer version/],
  ])("%s is refused", async (_, change, message) => {
    await expect(readAll(change(await linesOfBackup()))).rejects.toThrow(message);
  });

  test("that has a line of excessive length is refused", async () => {
    const lines = await linesOfBackup();
    const longest = Math.max(...lines.map((line) => Buffer.byteLength(line)));
    await expect(readAll(lines, { maximumLineBytes: longest })).resolves.toBeUndefined();
    // What is over is seen with the next chunk.
    const tooFew = longest - chunkBytes - 1;
    await expect(readAll(lines, { maximumLineBytes: tooFew })).rejects.toThrow(`more than ${tooFew} bytes`);
  });

  function withoutTable(lines: string[], name: string): string[] {
    const from = lines.findIndex((line) => line.startsWith(`{"table":"${name}"`));
    const to = lines.findIndex((line) => line.startsWith(`{"table_end":"${name}"`));
    return lines.toSpliced(from, to - from + 1);
  }
});

test("a restore is refused by a database that is not empty, and of a file that is damaged or missing", async () => {
  await run(["backup", file], fresh.env);
  const restore = (...args: string[]) => runCommand(["restore", ...args], fresh.env);
  expectRefusal(await restore(file), 1, /is not empty .*restore into an empty database/);
  expectRefusal(await restore(join(directory, "missing")), 1, /no such file/);
  const complete = await readFile(file);
  await truncate(file, Math.floor(complete.length / 2));
  expectRefusal(await restore("--check", file), 1, /incomplete or damaged/);
  await writeFile(file, gunzipSync(complete));
  expectRefusal(await restore("--check", file), 1, /incomplete or damaged/);
});

withPostgres("between the databases", () => {
  test("everything is restored from PostgreSQL to embedded to PostgreSQL, with equal checksums", async () => {
    const original = await run(["backup", file], fresh.env);
    const env = { DATA_DIR: join(directory, "data") };
    expect(await run(["restore", file], env)).toMatchObject({ tables: original.tables });
    const copy = join(directory, "copy.svc.gz");
    expect(await run(["backup", copy], env)).toMatchObject({ tables: original.tables });

    const target = await createPostgresDatabase();
    try {
      // Fails in the last table, and leaves nothing behind.
      const lines = gunzipSync(await readFile(copy))
        .toString()
        .trimEnd()
        .split("\n");
      const damaged = join(directory, "damaged.svc.gz");
      await writeFile(damaged, gzipSync(`${lines.slice(0, -1).join("\n")}\n`));
      expectRefusal(await runCommand(["restore", damaged], target.env), 1, /it ends early/);
      expect(await run(["restore", copy], target.env)).toMatchObject({ tables: original.tables });
      expect(await run(["backup", file], target.env)).toMatchObject({ tables: original.tables });
      const { stdout } = await runCommand(["export"], fresh.env);
      expect((await runCommand(["export"], target.env)).stdout).toBe(stdout);
      const db = openDatabase(target.connection, { poolSize: 1, onIdleError: () => {} });
      expect(await db.query(sql`select from pg_trigger where tgenabled <> 'O'`)).toEqual([]);
      const keys = raw("select key_hash from api_keys order by 1");
      expect(await db.query(keys)).toEqual(await fresh.db.query(keys));
      await db.close();
      expect(await runCommand(["migrate"], target.env)).toMatchObject({ stdout: "The schema is up to date.\n" });
    } finally {
      await target.remove();
    }
  });
});
