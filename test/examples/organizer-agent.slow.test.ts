import { fileURLToPath } from "node:url";
import sql from "sql-template-tag";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openDatabase } from "../../src/infra/database/db.js";
import { embeddedConnection } from "../support/embedded.js";
import { type Running, startCommand, svc } from "../support/svc.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const programOf = (name: string) => fileURLToPath(new URL(`../../dist/examples/${name}.js`, import.meta.url));

const dataDir = temporaryFolder();
let service: Running;

beforeAll(async () => {
  service = await startCommand(["serve", "--port", "0", "--json"], { DATA_DIR: dataDir });
});
afterAll(() => service.stop());

type Report = {
  calls: number;
  changed: string[];
  unchanged: string[];
  traffic: { call: string; received: number }[];
};

const parts = [
  ...["update_event_details", "add_event_speaker", "batch_update_event_registrations"],
  "generate_event_poster_draft",
];

it("completes its task on the demo data, with the previews of all changes, and can run again", async () => {
  const key = service.ready.demo?.keys.find(({ tier }) => tier === "organization")?.key ?? "";
  const { code, stdout, stderr } = await run(key);
  expect([code, stderr]).toEqual([0, ""]);
  expect(stdout).toMatch(
    /^update_event_details: Opening Keynote: Software That Lasts\n {2}venue: Doca Central, Main Hall → Hall 2\n/,
  );
  expect(stdout).toContain("\n  speaker: name Ada Lovelace, title Analyst, role speaker, company Analytical Engines\n");
  expect(stdout.match(/: pending → approved/g)).toHaveLength(8);
  expect(stdout).toContain("The commit publishes: attendees and posting agents see it at once.");
  expect(stdout).toContain("Nothing to change: this is the current state.");
  const posterUrl = /^Poster: (\S+)$/m.exec(stdout)?.[1] ?? "";
  expect((await fetch(posterUrl)).headers.get("content-type")).toBe("image/png");
  const posters = await fetch(`${service.ready.url}/api/svc/posters?published=true&limit=200`, {
    headers: { authorization: `Bearer ${key}` },
  });
  const { items } = (await posters.json()) as { items: { image_url: string }[] };
  expect(items.map(({ image_url }) => image_url)).toContain(posterUrl);

  const again = JSON.parse((await run(key, "--json")).stdout) as Report;
  expect(again).toMatchObject({ changed: [], unchanged: [...parts, "set_event_run_of_show_publication"], calls: 3 });
  const listed = (report: Report) => report.traffic.find(({ call }) => call === "tools/list")?.received ?? 0;
  const whole = JSON.parse((await run(key, "--json", "--all-tools")).stdout) as Report;
  expect(listed(whole)).toBeGreaterThan(3 * listed(again));

  // One change of what a poster shows is enough for a new one.
  const db = openDatabase(await embeddedConnection(dataDir), { poolSize: 1, onIdleError: () => {} });
  await db.query(sql`update events set venue = 'Pier 4' where venue = 'Hall 2'`);
  await db.close();
  const moved = JSON.parse((await run(key, "--json")).stdout) as Report;
  expect(moved.changed).toEqual(["update_event_details", "generate_event_poster_draft"]);
});

it("reports an invalid key", async () => {
  const { code, stderr } = await run("svc_mk_wrong");
  expect(code).toBe(1);
  expect(stderr).toContain("Invalid or expired API key");
});

it("explains itself, and refuses what it does not know", async () => {
  const help = await run("", "--help");
  expect(help).toMatchObject({ code: 0, stderr: "" });
  expect(help.stdout).toMatch(/^Usage: npm run organizer-agent/);
  const refused = await run("svc_mk_x", "more");
  expect(refused).toMatchObject({ code: 2, stdout: "" });
  expect(refused.stderr).toMatch(/too many arguments.*\nTry --help\./);
  expect(await run("")).toMatchObject({ code: 2, stderr: expect.stringContaining("SVC_KEY is not set") });
});

it("the tasks run by themselves too, with what the agent says and a table", async () => {
  const key = service.ready.demo?.keys.find(({ tier }) => tier === "organization")?.key ?? "";
  const { code, stdout, stderr } = await runProgram("agent-tasks", key, "--task", "3", "--task", "T7");
  expect([code, stderr]).toEqual([0, ""]);
  expect(stdout).toContain("Grace Hopper is the first speaker of Opening Keynote: Software That Lasts");
  expect(stdout).toContain("without SVC_PARTNER_KEY nobody can hand it back");
  expect(stdout).toMatch(/\nT3 .* 3 +≤ 3 .* ok\nT7 .* ok\n/);
  expect(await runProgram("agent-tasks", "", "--help")).toMatchObject({ code: 0, stderr: "" });
  expect(await runProgram("agent-tasks", key, "--task", "11")).toMatchObject({
    code: 2,
    stdout: "",
    stderr: expect.stringContaining("--task: expected a number from 1 to 10, got 11"),
  });
});

const run = (key: string, ...args: string[]) => runProgram("organizer-agent", key, ...args);

const runProgram = (name: string, key: string, ...args: string[]) =>
  svc([service.ready.url, ...args], { SVC_KEY: key }, "", programOf(name));
