import { writeFile } from "node:fs/promises";
import { userInfo } from "node:os";
import { join } from "node:path";
import sql from "sql-template-tag";
import { expect, it } from "vitest";
import { useFreshDatabase } from "../support/fresh-database.js";
import { makerOn } from "../support/make.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { runCommand } from "./run-command.js";

/** What operators change at the command line is recorded, with who changed it. */

const fresh = useFreshDatabase();
const directory = temporaryFolder();

type RecordLine = { tool: string; operator: string; via: string; after: unknown; request: unknown; outcome: unknown };

async function run(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await runCommand(args, { ...fresh.env, SUDO_USER: "ops" });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return stdout;
}

async function newRecords(): Promise<RecordLine[]> {
  const all = (await run("audit", "--json")).split("\n").filter((line) => line !== "");
  const records = all.slice(seen).map((line) => JSON.parse(line) as RecordLine);
  seen = all.length;
  return records;
}
let seen = 0;

it("keys create and revoke, once each, without the key", async () => {
  const created = JSON.parse(await run("keys", "create", "--tier", "super-admin", "--name", "Operations", "--json"));
  await run("keys", "revoke", created.id);
  await run("keys", "revoke", created.id);
  const records = await newRecords();
  expect(records).toMatchObject([
    { tool: "svc:keys create", via: "command_line", operator: "ops", after: { id: created.id, name: "Operations" } },
    { tool: "svc:keys revoke", via: "command_line", operator: "ops", after: { id: created.id } },
  ]);
  expect(JSON.stringify(records)).not.toContain(created.key);
});

it("users create", async () => {
  await run("users", "create", "--email", "ines@example.com", "--name", "Inês");
  expect(await newRecords()).toMatchObject([
    { tool: "svc:users create", operator: "ops", after: { email: "ines@example.com" } },
  ]);
});

it("events link, and nothing for a link that is already there", async () => {
  const make = makerOn(fresh.db);
  const event = await make.event(await make.conference());
  await run("events", "link", event, "--ticketing-id", "evt-Recorded");
  await run("events", "link", event, "--ticketing-id", "evt-Recorded");
  expect(await newRecords()).toMatchObject([
    { tool: "svc:events link", operator: "ops", after: { id: event, ticketing_event_id: "evt-Recorded" } },
  ]);
});

it("import, but neither a check nor an import that changes nothing", async () => {
  const file = join(directory, "document.json");
  const write = (name: string) => writeFile(file, JSON.stringify({ users: [{ email: "ada@example.com", name }] }));
  await write("");
  expect(await runCommand(["import", "--check", file], fresh.env)).toMatchObject({ code: 1 });
  await write("Ada");
  await run("import", "--check", file);
  await run("import", file);
  await run("import", file);
  await write("Ada Lovelace");
  await run("import", file);
  const record = { tool: "svc:import", operator: "ops", request: { source: file } };
  expect(await newRecords()).toMatchObject([
    { ...record, outcome: { users: { added: 1, changed: 0 } } },
    { ...record, outcome: { users: { added: 0, changed: 1 } } },
  ]);
});

it("uses the name of the system user without sudo, and shows it in the table of svc audit", async () => {
  const { code } = await runCommand(["users", "create", "--email", "bo@example.com", "--name", "Bo"], fresh.env);
  expect(code).toBe(0);
  const [row] = await fresh.db.query<{ operator: string }>(
    sql`select operator from mutation_records where request ->> 'email' = 'bo@example.com'`,
  );
  expect(row?.operator).toBe(userInfo().username);
  expect((await run("audit")).split("\n").find((line) => line.includes("svc:import"))).toMatch(/ ops .* 1 users/);
});
