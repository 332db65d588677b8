import sql, { raw } from "sql-template-tag";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { openDatabase } from "../../src/platform/database/db.js";
import { migrate } from "../../src/platform/database/migrate.js";
import { readBackup } from "../../src/transfer/read-backup.js";
import { restoreBackup } from "../../src/transfer/restore-backup.js";
import { writeBackup } from "../../src/transfer/write-backup.js";
import { type FreshDatabase, openFreshDatabase } from "../support/fresh-database.js";
import { type Installation, installVersion } from "../support/other-version.js";

/** Tables that this version does not have: what is backed up follows from the catalog of the database. */
const migration = `
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

async function backUp(): Promise<string> {
  const parts: string[] = [];
  await writeBackup(source.db, async (text) => void parts.push(text));
  return parts.join("");
}

async function* chunksOf(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text);
}

/** Restores into the same database after removing everything, which is cheaper than a second one. */
const restore = (text: string, options = {}) => restoreBackup(source.db, readBackup(chunksOf(text)), options);

async function resetDatabase(): Promise<void> {
  await source.db.query(sql`drop schema public cascade`);
  await source.db.query(sql`create schema public`);
}

describe("a table that this version does not know", () => {
  test("is backed up and restored with all types, its sequences and its trigger", async () => {
    await migrate(source.db, { directory: newer.migrations });
    await source.db.query(raw(rows));
    backup = await backUp();
    await resetDatabase();
    const { tables } = await restore(backup, { migrations: newer.migrations });
    expect(tables).toContainEqual({ name: 'Odd "name', rows: 2, sha256: expect.any(String) });
    const after = await backUp();
    expect(after.split("\n").slice(1, -2)).toEqual(backup.split("\n").slice(1, -2));
    expect(after).toContain('["1", "1", "{\\"a,\\\\\\"b\\",NULL,\\"\\"}"');
    const [added] = await source.db.query(sql`
      insert into "Odd ""name" (amount) values (2) returning id, number, doubled::text`);
    expect(added).toEqual({ id: 3, number: 3, doubled: "4" });
    await expect(source.db.query(sql`insert into a_child values (1)`)).rejects.toThrow("refused");
  });

  test("in a backup of a newer version is refused, and nothing is created", async () => {
    await expect(restore(backup)).rejects.toThrow(
      /9001_odd\.sql, which is unknown to this version: run a newer version/,
    );
    expect(await source.db.query(sql`select to_regclass('users') as users`)).toEqual([{ users: null }]);
  });
});

describe("a backup of an older version", () => {
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
  await source.db.query(raw("create table tree (id integer primary key, parent integer references tree)"));
  await expect(backUp()).rejects.toThrow(/refer to each other cannot be restored: tree$/);
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
