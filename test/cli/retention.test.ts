import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import sql, { raw } from "sql-template-tag";
import { beforeAll, describe, expect, it } from "vitest";
import { archiveRecords } from "../../src/records/archive-records.js";
import { createEventFixture, type EventFixture } from "../support/event-fixture.js";
import { useFreshDatabase } from "../support/fresh-database.js";
import { withPostgres } from "../support/needs.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { createToolRunner, type ToolRunner } from "../support/tool-runner.js";
import { parse } from "./parse.js";
import { expectRefusal } from "./refusal.js";
import { runCommand } from "./run-command.js";

const fresh = useFreshDatabase();
let fixture: EventFixture;
let tools: ToolRunner;
const folder = temporaryFolder();

beforeAll(async () => {
  fixture = await createEventFixture(fresh.db);
  tools = createToolRunner(fresh.db, fixture);
});

const run = (...args: string[]) => runCommand(args, fresh.env);

const count = async (table: "mutation_records" | "registrations") =>
  (await fresh.db.query<{ count: number }>(sql`select count(*) from ${raw(table)}`))[0]?.count ?? 0;

/** The tables in which a text occurs, in any letter case. */
async function tablesWith(text: string): Promise<string[]> {
  const tables = await fresh.db.query<{ name: string }>(
    sql`select tablename as name from pg_tables where schemaname = 'public' order by 1`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const rows = await fresh.db.query(
      sql`select from ${raw(name)} t where position(lower(${text}) in lower(t::text)) > 0 limit 1`,
    );
    if (rows.length > 0) found.push(name);
  }
  return found;
}

describe("svc erase-person", () => {
  const email = "Ana.Prado+vip@example.com";
  const name = "Ana Prado";

  it("removes a guest everywhere, keeps the shape of records and the counts, and is recorded without the address", async () => {
    await tools.commit("add_event_guest", { name, email, status: "approved" });
    const [guest] = await fresh.db.query<{ id: string }>(sql`select id from registrations where email = ${email}`);
    const registration_id = guest?.id ?? "";
    await fresh.db.query(sql`
      update registrations set note = 'knows ana prado', answers = '{"phone": "ana prado"}' where id = ${registration_id}`);
    await tools.commit(
      "set_event_registration_check_in",
      { registration_id, checked_in: true },
      `${name} <${email}> is here`,
    );
    // The address is in the reason only.
    await tools.commit("update_event_details", { venue: "Hall 3" }, `asked for by ${email}`);
    // These name the guest without the address.
    for (const action of ["check_out", "check_in"]) {
      await tools.commit("batch_update_event_registrations", { action, filter: { query: "ana prado" } });
    }
    await fresh.db.query(sql`
      insert into mutation_records (tool, via, operator, request, request_hash, result)
      values ('ticketing:event/add-guests', 'command_line', 'x',
        ${JSON.stringify({
          fields: {
            guests: [
              { email: email.toLowerCase(), name: "A. P." },
              { email: "b@example.com", name: "Bo" },
            ],
          },
          text: `to ${email}`,
        })},
        'x', '{"state": "sending"}')`);
    const before = { records: await count("mutation_records"), counts: await rosterCounts() };
    expect(await tablesWith(email)).toEqual(["mutation_records", "registrations"]);

    const preview = JSON.parse((await run("erase-person", email.toUpperCase(), "--json")).stdout);
    expect(preview).toEqual({ erased: false, registrations: [registration_id], records: 6, remaining: [] });
    expect(await tablesWith(email)).toEqual(["mutation_records", "registrations"]);
    expect((await run("erase-person", email)).stdout).toBe(
      "This person is in 1 registration and 6 records. Nothing was changed: add --confirm to erase.\n",
    );

    expect((await run("erase-person", email, "--confirm")).stdout).toBe("Erased from 1 registration and 6 records.\n");
    for (const text of [email, name, "A. P."]) expect(await tablesWith(text)).toEqual([]);
    expect(await count("mutation_records")).toBe(before.records + 1);
    expect(await rosterCounts()).toEqual(before.counts);
    const [ticketing] = await fresh.db.query(sql`select request from mutation_records where tool like 'ticketing:%'`);
    expect(ticketing).toEqual({ request: { fields: "[erased]", text: "to [erased]" } });
    const details = await tools.run("get_event_registration_details", { registration_id });
    expect(details).toMatchObject({
      registration: { name: "Erased guest", email: `${registration_id}@erased.invalid`, note: null, answers: {} },
    });
    expect(JSON.stringify(details)).toContain("[erased] <[erased]> is here");
  });

  it("changes and records nothing the second time, or for an unknown address", async () => {
    const before = await count("mutation_records");
    for (const address of [email, "nobody@example.com"]) {
      const result = JSON.parse((await run("erase-person", address, "--confirm", "--json")).stdout);
      expect(result).toEqual({ erased: true, registrations: [], records: 0, remaining: [] });
    }
    expect((await run("erase-person", email)).stdout).toBe("No registration or record contains this address.\n");
    expect(await count("mutation_records")).toBe(before);
    expectRefusal(await parse(["erase-person", "nobody"]), 2, /Expected an e-mail address/);
  });

  async function rosterCounts(): Promise<object[]> {
    return fresh.db.query(sql`select * from rosters order by event_id`);
  }
});

describe("svc archive-records", () => {
  it("moves old records to a file, with a record of its digest, and leaves the others", async () => {
    for (const venue of ["Old", "Older", "New"]) await tools.commit("update_event_details", { venue });
    await fresh.db.transaction(async (tx) => {
      await tx.query(sql`select set_config('svc.change_records', 'erase', true)`);
      await tx.query(sql`
        update mutation_records set at = now() - interval '40 days'
        where after->>'venue' in ('Old', 'Older') or result->>'state' = 'sending'`);
    });
    const before = await count("mutation_records");
    const file = join(folder, "records.jsonl");
    const archive = JSON.parse((await run("archive-records", file, "--older-than-days", "30", "--json")).stdout);
    expect(archive).toMatchObject({ records: 2, file });
    const text = await readFile(file, "utf8");
    const lines = text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines.map(({ after }) => after.venue).sort()).toEqual(["Old", "Older"]);
    expect(Object.keys(lines[0])).toEqual(expect.arrayContaining(["idempotency_key", "request_hash", "operator"]));
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await count("mutation_records")).toBe(before - 2 + 1);
    const [record] = await fresh.db.query(
      sql`select result->>'sha256' as sha256 from mutation_records where tool = 'svc:archive-records'`,
    );
    expect(record).toEqual({ sha256: createHash("sha256").update(text).digest("hex") });
  });

  // The embedded database runs one transaction at a time.
  withPostgres("while a record commits late", () => {
    it("fails, and removes nothing", async () => {
      const addOld = () =>
        fresh.db.query(sql`
          insert into mutation_records (tool, via, operator, request, request_hash, before, after, at)
          values ('late', 'command_line', 'root', '{}', 'x', '{}', '{}', now() - interval '40 days')`);
      await addOld();
      const archive = archiveRecords(fresh.db, { via: { kind: "command_line" }, name: "root" }, 30, {
        write: async () => {},
        async finish() {
          await addOld();
          return { sha256: "x" };
        },
      });
      await expect(archive).rejects.toThrow("records changed while they were archived: try again");
      const kept = await fresh.db.query(sql`select from mutation_records where tool = 'late'`);
      expect(kept).toHaveLength(2);
      const { stdout } = await run("archive-records", join(folder, "late.jsonl"), "--older-than-days", "30", "--json");
      expect(JSON.parse(stdout).records).toBe(2);
    });
  });

  it("writes no file if there is nothing to archive, and never overwrites one", async () => {
    const file = join(folder, "nothing.jsonl");
    expect((await run("archive-records", file, "--older-than-days", "30")).stdout).toMatch(/no file was written/);
    expect(existsSync(file)).toBe(false);
    await writeFile(file, "mine");
    expectRefusal(await run("archive-records", file, "--older-than-days", "30"), 1, /exists: choose another file/);
    expect(await readFile(file, "utf8")).toBe("mine");
    expectRefusal(await parse(["archive-records", file, "--older-than-days", "29"]), 2, /at least 30/);
  });

  it("is the only way to remove records, and erasing the only way to change them", async () => {
    const attempt = (operation: string, statement: string) =>
      fresh.db.transaction(async (tx) => {
        await tx.query(sql`select set_config('svc.change_records', ${operation}, true)`);
        await tx.query(raw(statement));
      });
    const [update, remove] = ["update mutation_records set tool = 'x'", "delete from mutation_records"];
    for (const [operation, statement] of [
      ...[
        ["", update],
        ["archive", update],
        ["", remove],
        ["erase", remove],
      ],
      ...[
        ["erase", "truncate mutation_records"],
        ["archive", "truncate mutation_records"],
      ],
    ] as [string, string][]) {
      await expect(attempt(operation, statement), `${operation}: ${statement}`).rejects.toThrow("append-only");
    }
  });
});
