import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { raw } from "sql-template-tag";
import { beforeEach, expect, test } from "vitest";
import { withPostgres } from "../support/needs.js";
import { svc } from "../support/svc.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { launch } from "./launch.js";
import { expectRefusal } from "./refusal.js";
import { runCommand } from "./run-command.js";
import { conferenceRow, eventRow, sampleDocument } from "./sample-document.js";
import { useTransfer } from "./transfer-harness.js";

const { fresh, transfer } = useTransfer();
let directory: string;

beforeEach(async () => {
  await transfer.clear();
  directory = temporaryFolder();
});

const run = (...args: string[]) => runCommand(args, fresh.env);

test("import and export work from the command line, with files and standard streams", async () => {
  const file = join(directory, "document.json");
  await writeFile(file, JSON.stringify(sampleDocument()));
  const checked = await run("import", "--check", "--json", file);
  expect(JSON.parse(checked.stdout)).toMatchObject({ ok: true, checked_only: true, lists: { users: { added: 2 } } });
  expect((await transfer.export()).users).toEqual([]);

  expect(await run("import", file)).toMatchObject({ code: 0, stdout: expect.stringMatching(/events +2 +0 +0/) });
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

withPostgres("an interrupted export", () => {
  test.each(["SIGINT", "SIGHUP"] as const)("by %s leaves the previous file and no temporary file", async (signal) => {
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
  const printed = await run("import", file);
  expect(printed).toMatchObject({ code: 1, stdout: "" });
  const lines = printed.stderr.trim().split("\n");
  expect(lines[0]).toBe("users[0].email: expected an e-mail address such as ada@example.com");
  expect(lines.slice(99)).toEqual([expect.stringMatching(/^users\[99\]/), "… and 50 more", "Nothing was imported."]);
  const json = await run("import", file, "--json");
  expect(json.code).toBe(1);
  expect(JSON.parse(json.stdout)).toMatchObject({ ok: false, error_count: 150, errors: { length: 150 } });
});

test("a missing file is reported in one line", async () => {
  expectRefusal(await run("import", join(directory, "missing.json")), 1, /^svc: no such file: .*missing\.json\n$/);
});

// An export reads 1000 rows per batch.
test("a document may be larger than a batch", async () => {
  const numbers = (length: number) => Array.from({ length }, (_, index) => index);
  const events = numbers(3).map((n) => eventRow({ name: `Event ${n}` }));
  const posters = numbers(1001).map((n) => ({
    event: `Event ${n % 3}`,
    image_url: `https://images.example/${n}.png`,
  }));
  const counts = await transfer.import({ posters, conferences: [conferenceRow()], events });
  expect(counts).toMatchObject({ events: { added: 3 }, posters: { added: 1001 } });
  const before = await transfer.exportText();
  expect(JSON.parse(before).posters).toHaveLength(posters.length);
  await transfer.clear();
  await transfer.import(before);
  expect(await transfer.exportText()).toBe(before);
});
