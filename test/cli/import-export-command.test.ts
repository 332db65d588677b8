import { chmod, lstat, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sql, { raw } from "sql-template-tag";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type FreshDatabase, openFreshDatabase } from "../support/fresh-database.js";
import { withPostgres } from "../support/needs.js";
import { svc } from "../support/svc.js";
import { launch } from "./launch.js";
import { parse } from "./parse.js";
import { expectRefusal } from "./refusal.js";
import { runCommand } from "./run-command.js";
import { sampleDocument } from "./sample-document.js";
import { createTransferHarness, type TransferHarness } from "./transfer-harness.js";

let fresh: FreshDatabase;
let transfer: TransferHarness;
let directory: string;

beforeAll(async () => {
  fresh = await openFreshDatabase();
  transfer = createTransferHarness(fresh.db);
});
afterAll(() => fresh.remove());
beforeEach(async () => {
  await transfer.clear();
  directory = await mkdtemp(join(tmpdir(), "svc-test-"));
});
afterEach(() => rm(directory, { recursive: true }));

const run = (...args: string[]) => runCommand(args, fresh.env);

test("import and export work from the command line, with files and standard streams", async () => {
  const file = join(directory, "document.json");
  await writeFile(file, JSON.stringify(sampleDocument()));
  const checked = await run("import", "--check", "--json", file);
  expect(JSON.parse(checked.stdout)).toMatchObject({ ok: true, checked_only: true, lists: { users: { added: 2 } } });
  expect((await transfer.export()).users).toEqual([]);

  expect(await svc(["import", file], fresh.env)).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/events +2 +0 +0/),
  });
  const copy = join(directory, "copy.json");
  const written = await run("export", copy, "--json");
  expect(JSON.parse(written.stdout)).toMatchObject({ file: copy, lists: { events: 2, posters: 2 } });
  const shown = await svc(["export"], fresh.env);
  const omitted = /^Left out: 1 stored image, 0 API keys, \d+ records?\. svc backup writes everything\.\n$/;
  expect(shown).toEqual({ code: 0, stderr: expect.stringMatching(omitted), stdout: await readFile(copy, "utf8") });
  expect((await readdir(directory)).sort()).toEqual(["copy.json", "document.json"]);
  const again = await svc(["import", "-", "--json"], fresh.env, shown.stdout);
  expect(JSON.parse(again.stdout)).toMatchObject({ ok: true, lists: { events: { unchanged: 2 } } });
});

describe("an exported file", () => {
  test("can only be read by its owner, also when it replaces a readable one", async () => {
    const file = join(directory, "guests.json");
    await run("export", file);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    await chmod(file, 0o644);
    await run("export", file);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  test("replaces the target of a symbolic link, not the link", async () => {
    const [target, link] = [join(directory, "monday.json"), join(directory, "latest.json")];
    await writeFile(target, "previous");
    await symlink(target, link);
    await run("export", link);
    expect((await lstat(link)).isSymbolicLink()).toBe(true);
    expect(await readFile(target, "utf8")).toBe(await transfer.exportText());
  });

  test("stays as it was when the next export fails", async () => {
    const file = join(directory, "backup.json");
    await writeFile(file, "previous");
    // The last list fails, after all others were written.
    await fresh.db.query(sql`alter table segments rename column notes to renamed_notes`);
    try {
      expectRefusal(await run("export", file), 1, /notes/);
    } finally {
      await fresh.db.query(sql`alter table segments rename column renamed_notes to notes`);
    }
    expect(await readFile(file, "utf8")).toBe("previous");
    expect(await readdir(directory)).toEqual(["backup.json"]);
  });
});

withPostgres("an interrupted export", () => {
  test.each(["SIGINT", "SIGTERM"] as const)("by %s leaves the previous file and no temporary file", async (signal) => {
    const file = join(directory, "backup.json");
    await writeFile(file, "previous");
    await fresh.db.transaction(async (tx) => {
      await tx.query(raw("lock table segments in access exclusive mode"));
      const exporting = launch(["export", file], fresh.env);
      await expect.poll(() => readdir(directory)).toHaveLength(2);
      expect(await exporting.end(signal)).toBe(130);
    });
    expect(await readFile(file, "utf8")).toBe("previous");
    expect(await readdir(directory)).toEqual(["backup.json"]);
  });
});

test("import prints the first 100 problems and counts the others", async () => {
  const users = Array.from({ length: 150 }, () => ({ email: "x", name: "X" }));
  const file = join(directory, "document.json");
  await writeFile(file, JSON.stringify({ users }));
  const printed = await svc(["import", "-"], fresh.env, JSON.stringify({ users }));
  expect(printed).toMatchObject({ code: 1, stdout: "" });
  const lines = printed.stderr.trim().split("\n");
  expect(lines[0]).toBe("users[0].email: expected an e-mail address such as ada@example.com");
  expect(lines.slice(99)).toEqual([expect.stringMatching(/^users\[99\]/), "… and 50 more", "Nothing was imported."]);
  const json = await run("import", file, "--json");
  expect(json.code).toBe(1);
  expect(JSON.parse(json.stdout)).toMatchObject({ ok: false, error_count: 150, errors: { length: 150 } });
});

describe("unusable arguments are reported in one line", () => {
  test.each([
    ["import", "missing.json", /^svc: no such file: .*missing\.json\n$/],
    ["import", "", /is a directory: expected a file/],
    ["export", "", /is a directory: expected a file/],
    ["export", "missing/document.json", /^svc: cannot write .*: ENOENT\n$/],
  ])("%s %j", async (command, name, message) => {
    expectRefusal(await run(command, join(directory, name)), 1, message);
  });

  test.each(["import", "export"])("%s with two files", async (command) => {
    expectRefusal(await parse([command, "a", "b"]), 2, /too many arguments/);
  });
});
