import { readdir } from "node:fs/promises";
import sql from "sql-template-tag";
import { afterAll, expect, test } from "vitest";
import { migrate } from "../../src/infra/database/migrate.js";
import { type FreshDatabase, openFreshDatabase } from "../support/fresh-database.js";
import { expectRefusal } from "./refusal.js";
import { runCommand } from "./run-command.js";

/** Commands that change nothing, on a database that lacks migrations of this version. */
const readers = [
  ["audit"],
  ["audit", "--unfinished"],
  ["keys", "list"],
  ["users", "list"],
  ["conferences", "list"],
  ["export"],
  ["erase-person", "ann@example.com"],
];

const directory = new URL("../../migrations/", import.meta.url);
const migrations = (await readdir(directory)).filter((name) => name.endsWith(".sql")).sort();
const last = migrations.at(-1) ?? "";

const fresh: FreshDatabase = await openFreshDatabase();
afterAll(() => fresh.remove());

/** A database as the version before has left it, or with no tables at all. */
async function startAgain(only: string[]): Promise<void> {
  await fresh.db.query(sql`drop schema public cascade`);
  await fresh.db.query(sql`create schema public`);
  if (only.length > 0) await migrate(fresh.db, { only: new Set(only) });
}

const applied = async () =>
  (await fresh.db.query<{ name: string }>(sql`select name from schema_migrations order by name`)).map(
    ({ name }) => name,
  );

test("commands that only read refuse a database without tables or with an older schema, and leave it as it is", async () => {
  await startAgain([]);
  expectRefusal(await runCommand(["keys", "list"], fresh.env), 1, /has no tables yet: run svc migrate$/m);
  expect(await fresh.db.query(sql`select from pg_tables where schemaname = 'public'`)).toEqual([]);
  await startAgain(migrations.slice(0, -1));
  const refusal = new RegExp(`older schema, without ${last}.*run svc migrate$`, "m");
  for (const args of readers) expectRefusal(await runCommand(args, fresh.env), 1, refusal);
  expect(await applied()).toEqual(migrations.slice(0, -1));
});

test("a command that changes something migrates first, and then the others run", async () => {
  await startAgain(migrations.slice(0, -1));
  const create = ["users", "create", "--email", "ann@example.com", "--name", "Ann"];
  expect(await runCommand(create, fresh.env)).toMatchObject({ code: 0, stderr: "" });
  expect(await applied()).toEqual(migrations);
  for (const args of readers) expect(await runCommand(args, fresh.env)).toMatchObject({ code: 0 });
});
