import { createHash } from "node:crypto";
import { cp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import sql, { raw } from "sql-template-tag";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { openDatabase } from "../../src/infra/database/db.js";
import { migrate, migrationNames } from "../../src/infra/database/migrate.js";
import { readBackup } from "../../src/transfer/read-backup.js";
import { restoreBackup } from "../../src/transfer/restore-backup.js";
import { writeBackup } from "../../src/transfer/write-backup.js";
import { type FreshDatabase, openFreshDatabase } from "../support/fresh-database.js";
import { type Installation, installVersion } from "../support/other-version.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { expectRefusal } from "./refusal.js";
import { runCommand } from "./run-command.js";

/** Tables that this version does not have. */
const migration = `-- compatible with: older versions
  create table "Odd ""name" (
    id bigint generated always as identity primary key, number serial, list text[], bytes bytea, amount numeric, span interval,
    at timestamptz, ratio double precision, doubled numeric generated always as (amount * 2) stored);
  create table a_child (id integer references "Odd ""name" (id), note jsonb);
  create function refuse_rows() returns trigger language plpgsql as 'begin raise exception ''refused''; end';
  create trigger refuse before insert on a_child for each row execute function refuse_rows();`;

const rows = `
  insert into "Odd ""name" (list, bytes, amount, span, at, ratio) values
    (array['a,"b', null, ''], '\\x00ff', 1.10, '1 day 02:03', '2031-01-01 00:00:00.123456+02', 0.1),
    ('{}', '', 'NaN', null, 'infinity', '-Infinity');
  alter table a_child disable trigger refuse;
  insert into a_child values (2, '{"b": 1e3, "a": null}'), (1, null), (1, null), (null, '"\\u2028\\\\"');
  alter table a_child enable trigger refuse`;

let newer: Installation;
let source: FreshDatabase;
let backup: string;
const directory = temporaryFolder();
const file = join(directory, "backup.svc.gz");

beforeAll(async () => {
  newer = await installVersion({ extra: { "9001_odd.sql": migration } });
  source = await openFreshDatabase();
  await source.db.query(sql`insert into users (email, name) values ('ann@example.com', 'Ann')`);
});
afterEach(() => resetDatabase());
afterAll(async () => {
  await source.remove();
  await newer.remove();
});

async function backUp(options: { migrations?: URL } = {}): Promise<string> {
  const parts: string[] = [];
  await writeBackup(source.db, async (text) => void parts.push(text), options);
  return parts.join("");
}

async function* chunksOf(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text);
}

/** Restores into the same database after removing everything, which is cheaper than a second one. */
const restore = (text: string, options = {}) => restoreBackup(source.db, readBackup(chunksOf(text)), options);

/** Runs a command of this version, with a file that has this text. */
async function runWith(text: string, ...args: string[]) {
  await writeFile(file, gzipSync(text));
  return runCommand([...args, file], source.env);
}

async function resetDatabase(): Promise<void> {
  await source.db.query(sql`drop schema public cascade`);
  await source.db.query(sql`create schema public`);
}

describe("a table of a newer version", () => {
  test("is backed up and restored by that version with all types, its sequences and its trigger", async () => {
    await migrate(source.db, { directory: newer.migrations });
    await source.db.query(raw(rows));
    backup = await backUp(newer);
    expectRefusal(await runCommand(["backup", file], source.env), 1, refusal);
    await resetDatabase();
    const { tables } = await restore(backup, { migrations: newer.migrations });
    expect(tables).toContainEqual({ name: 'Odd "name', rows: 2, sha256: expect.any(String) });
    const after = await backUp(newer);
    expect(after.split("\n").slice(1, -2)).toEqual(backup.split("\n").slice(1, -2));
    expect(after).toContain('["1", "1", "{\\"a,\\\\\\"b\\",NULL,\\"\\"}"');
    const [added] = await source.db.query(sql`
      insert into "Odd ""name" (amount) values (2) returning id, number, doubled::text`);
    expect(added).toEqual({ id: 3, number: 3, doubled: "4" });
    await expect(source.db.query(sql`insert into a_child values (1)`)).rejects.toThrow("refused");
  });

  test("is refused by this version in a schema, even a compatible one, and in a file, and nothing is created", async () => {
    expectRefusal(await runWith(backup, "restore", "--check"), 1, refusal);
    expectRefusal(await runWith(backup, "restore"), 1, refusal);
    expect(await source.db.query(sql`select to_regclass('users') as users`)).toEqual([{ users: null }]);
  });
});

const refusal = /has migration 9001_odd\.sql, which is unknown to this version: run a newer version$/m;

describe("a file that does not fit its migrations", () => {
  const changes: [(lines: string[]) => string[], RegExp][] = [
    [
      (lines) => lines.toSpliced(-2, 0, ...tableOf("legacy", ["id"], '["1"]')),
      /has legacy, which a backup with its migrations does not have: restore it with the version that made it/,
    ],
    [
      (lines) => lines.map((line) => line.replace('{"table":"visits","columns":[', '$&"badge",')),
      /has visits\.badge, which a backup/,
    ],
    [(lines) => lines.map((line) => line.replace(',"previous_visit_at"', "")), /lacks visits\.previous_visit_at:/],
    [(lines) => lines.filter((line) => !/^\{"table(_end)?":"visits"/.test(line)), /lacks visits:/],
  ];

  test("is refused by the check and by a restore: other tables and columns, and missing ones", async () => {
    await migrate(source.db);
    const lines = (await backUp()).trimEnd().split("\n");
    for (const [change, message] of changes) {
      const text = signed(change(lines));
      expectRefusal(await runWith(text, "restore", "--check"), 1, message);
      expectRefusal(await runWith(text, "restore"), 1, message);
    }
    expect(await runWith(signed(lines), "restore", "--json")).toMatchObject({ code: 0, stderr: "" });
  });

  test("of an older version, which wrote all tables of a newer schema, is restored without those that backups do not have", async () => {
    await migrate(source.db);
    const lines = (await backUp()).trimEnd().split("\n");
    const state = tableOf("backup_state", ["only_row", "backed_up_at", "verified_at"], '["true", "2031-01-01", null]');
    const text = signed(lines.toSpliced(-2, 0, ...state, ...tableOf("changes", ["list"], '["events"]')));
    for (const args of [["restore", "--check"], ["restore"]]) {
      await resetDatabase();
      const { code, stdout, stderr } = await runWith(text, ...args, "--json");
      const warning = "not restored, because backups of this version leave these tables out: backup_state, changes";
      expect([code, stderr]).toEqual([0, `svc: ${warning}\n`]);
      const { tables, rows, warnings } = JSON.parse(stdout);
      expect(warnings).toEqual([warning]);
      expect(rows).toBe(lines.filter((line) => line.startsWith("[")).length);
      expect(tables.map(({ name }: { name: string }) => name)).not.toContain("backup_state");
    }
    expect(await source.db.query(sql`select from backup_state`)).toEqual([]);
  });

  const digest = (text: string) => createHash("sha256").update(text).digest("hex");

  function tableOf(table: string, columns: string[], row: string): string[] {
    const end = { table_end: table, rows: 1, sha256: digest(`${row}\n`) };
    return [JSON.stringify({ table, columns }), row, JSON.stringify(end)];
  }

  /** With the last line that belongs to the lines before. */
  function signed(lines: string[]): string {
    const text = `${lines.slice(0, -1).join("\n")}\n`;
    const rows = lines.filter((line) => line.startsWith("[")).length;
    return `${text}${JSON.stringify({ end: "svc backup", rows, sha256: digest(text) })}\n`;
  }
});

describe("a backup of an older version", () => {
  test("that an older version has made is restored, and equals the database that was upgraded instead", async () => {
    const text = await readFile(new URL("backup-of-0007.jsonl", import.meta.url), "utf8");
    const names = (await migrationNames()).slice(0, 7);
    const older = join(directory, "migrations");
    for (const name of names) await cp(new URL(`../../migrations/${name}`, import.meta.url), join(older, name));
    const { tables, rows } = await restore(text, { migrations: pathToFileURL(`${older}/`) });
    expect({ tables: tables.length, rows }).toEqual({ tables: 17, rows: 33 });
    const linesOf = (backup: string) => backup.trimEnd().split("\n").slice(1, -1);
    // By this version, before the upgrade.
    expect(linesOf(await backUp())).toEqual(linesOf(text));
    const notNoted = expect.stringMatching(
      /^svc: the backup is complete, .*: the schema is older than this version\n$/,
    );
    expect(await runCommand(["backup", file], source.env)).toMatchObject({ code: 0, stderr: notNoted });
    await migrate(source.db);
    const upgraded = await backUp();
    expect(upgraded).toContain('{"table_end":"poster_links","rows":1,');
    await resetDatabase();

    expect(await runWith(text, "restore", "--check")).toMatchObject({ code: 0, stderr: "" });
    expect(await runWith(text, "restore", "--json")).toMatchObject({ code: 0, stderr: "" });
    expect(linesOf(await backUp())).toEqual(linesOf(upgraded));
  });

  test("is restored with its own schema first, then migrated", async () => {
    await migrate(source.db);
    await source.db.query(sql`insert into users (email, name) values ('bo@example.com', 'Bo')`);
    const older = await backUp();
    await resetDatabase();
    await restore(older, { migrations: newer.migrations });
    expect(await source.db.query(sql`select name from users`)).toEqual([{ name: "Bo" }]);
    expect(await source.db.query(sql`select to_regclass('a_child') is not null as exists`)).toEqual([{ exists: true }]);

    await source.db.query(sql`delete from users`);
    await expect(restore(older, { migrations: newer.migrations })).rejects.toThrow(
      /9001_odd\.sql, which is newer than the backup: restore into a database without tables/,
    );
  });
});

test("tables that refer to themselves or to each other are refused when they are backed up", async () => {
  await migrate(source.db);
  await source.db.query(raw("alter table users add foreign key (id) references users"));
  await expect(backUp()).rejects.toThrow(/refer to each other cannot be restored: .*\busers\b/);
});

test("a restore whose rows change on the way is rolled back", async () => {
  await migrate(source.db);
  await source.db.query(sql`insert into users (email, name) values ('bo@example.com', 'Bo')`);
  const text = await backUp();
  await resetDatabase();
  await migrate(source.db);
  // A rule stands for a database that stores something else than it was given.
  await source.db.query(
    raw("create function altered() returns trigger language plpgsql as 'begin new.name := ''X''; return new; end'"),
  );
  await source.db.query(raw("create trigger altered before insert on users for each row execute function altered()"));
  const lying = openDatabase(source.connection, { poolSize: 2, onIdleError: () => {} });
  const { transaction } = lying;
  lying.transaction = (work, options) =>
    transaction(
      (tx) =>
        work({
          ...tx,
          query: (statement, name) =>
            /disable trigger/.test(statement.text) ? Promise.resolve([]) : tx.query(statement, name),
        }),
      options,
    );
  await expect(restoreBackup(lying, readBackup(chunksOf(text)))).rejects.toThrow(/table users differs from the backup/);
  await lying.close();
  expect(await source.db.query(sql`select from users`)).toEqual([]);
});
