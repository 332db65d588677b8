import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sql, { raw } from "sql-template-tag";
import { afterAll, beforeAll, expect, it } from "vitest";
import { runCommand } from "../cli/run-command.js";
import { type ConsoleService, startConsole } from "../console/support.js";
import { callTool } from "../mcp/messages.js";
import { createEventFixture, type EventFixture } from "../support/event-fixture.js";
import { type FreshDatabase, openFreshDatabase } from "../support/fresh-database.js";
import { makerOn } from "../support/make.js";
import {
  httpResponse,
  type RecordingUpstream,
  startRecordingUpstream,
} from "../ticketing/support/recording-upstream.js";

// Somebody is stored through every way in, and then erased: afterwards the database holds nothing of them.

let fresh: FreshDatabase;
let upstream: RecordingUpstream;
let service: ConsoleService;
let fixture: EventFixture;
let folder: string;
let key: string;

beforeAll(async () => {
  fresh = await openFreshDatabase();
  upstream = await startRecordingUpstream(() => httpResponse(200, {}));
  const ticketing = { url: upstream.url, apiKey: "platform-key" };
  service = await startConsole({}, { ticketing }, { connection: fresh.connection });
  fixture = await createEventFixture(service.db);
  key = await makerOn(service.db).organizationKey(fixture.organizationId);
  await service.db.query(sql`update events set ticketing_event_id = 'evt-1' where id = ${fixture.eventId}`);
  folder = await mkdtemp(join(tmpdir(), "svc-test-"));
});
afterAll(async () => {
  await service.close();
  await upstream.close();
  await fresh.remove();
  await rm(folder, { recursive: true });
});

const email = "zenobia.quill@example.com";
/** Everything about the person, as it is looked for afterwards. */
const marks = [email, "Zenobia", "Quill", "+351900000042", "vegan-42", "note-42", "source-42"];
const name = "Zenobia Quill";

async function commit(tool: string, args: object, more: object = {}) {
  const { structuredContent: preview } = (await callTool(service, key, tool, { event_id: fixture.eventId, ...args }))
    .result;
  const given = { ...preview.commit_with, reason: `asked for by ${name} <${email}>`, ...more };
  const { result } = await callTool(service, key, tool, given);
  expect(result.isError, JSON.stringify(result.content)).not.toBe(true);
}

async function addThroughProxy(others: number) {
  const guest = { phone_number: "+351900000042", name, registration_answers: { diet: "vegan-42" }, email };
  const filler = Array.from({ length: others }, (_, index) => ({ email: `guest-${index}@example.com`, name: "Guest" }));
  const body = { event_id: fixture.eventId, guests: [...filler, guest] };
  const added = await service.call("/api/ticketing/event/add-guests", { key, method: "POST", body });
  expect(added.status, added.text).toBe(200);
}

async function importGuest() {
  const file = join(folder, "guests.json");
  const registration = { event: fixture.eventId, name, email, answers: { diet: "vegan-42" } };
  const rest = { source: "source-42", note: "note-42", status: "pending" };
  await writeFile(file, JSON.stringify({ registrations: [{ ...registration, ...rest }] }));
  return runCommand(["import", file], fresh.env);
}

/** Where a text is stored, as table and row. */
async function placesOf(text: string): Promise<string[]> {
  const tables = await service.db.query<{ name: string }>(
    sql`select tablename as name from pg_tables where schemaname = 'public' order by 1`,
  );
  const found: string[] = [];
  for (const { name: table } of tables) {
    const rows = await service.db.query<{ row: string }>(
      sql`select t::text as row from ${raw(table)} t where position(lower(${text}) in lower(t::text)) > 0`,
    );
    found.push(...rows.map(({ row }) => `${table}: ${row.slice(0, 300)}`));
  }
  return found;
}

it("nothing of an erased person is left in the database", async () => {
  const imported = await importGuest();
  expect(imported.code, imported.stderr).toBe(0);
  const [guest] = await service.db.query<{ id: string }>(sql`select id from registrations where email = ${email}`);
  const registration_id = guest?.id ?? "";
  await commit("approve_event_registration", { registration_id }, { idempotency_key: `approve ${email}` });
  await commit("set_event_registration_check_in", { registration_id, checked_in: true });
  await commit("batch_update_event_registrations", { action: "check_out", filter: { query: name } });
  await addThroughProxy(0);
  await addThroughProxy(400);
  const owner = await service.signIn(fixture.caller.userId);
  const checkIn = { event_id: fixture.eventId, registration_id, checked_in: true };
  const done = await service.change(fixture.organizationId, owner, "set_event_registration_check_in", checkIn);
  expect(done.status, done.text).toBe(200);
  await service.change(fixture.organizationId, owner, "invite_member", { email, role: "member" });
  // As earlier versions recorded a large write: its first 16 KB, cut off anywhere.
  await service.db.query(sql`
    insert into mutation_records (tool, via, operator, request, request_hash, result) values (
      'ticketing:event/add-guests', 'command_line', 'x',
      ${JSON.stringify({ truncated: { bytes: 20_000, beginning: `[{"phone_number":"+351900000042","name":"${name}","em` } })},
      'x', '{"state": "answered"}')`);
  for (const mark of marks) expect(await placesOf(mark), mark).not.toEqual([]);

  const erased = await runCommand(["erase-person", email, "--confirm"], fresh.env);
  expect(erased.code, erased.stderr).toBe(0);
  for (const mark of marks) expect(await placesOf(mark), mark).toEqual([]);
});
