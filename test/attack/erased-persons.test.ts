import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
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

async function writeThroughProxy(path: string, fields: object) {
  const body = { event_id: fixture.eventId, ...fields };
  const written = await service.call(`/api/ticketing/${path}`, { key, method: "POST", body });
  expect(written.status, written.text).toBe(200);
}

function addThroughProxy(others: number) {
  const guest = { phone_number: "+351900000042", name, registration_answers: { diet: "vegan-42" }, email };
  const filler = Array.from({ length: others }, (_, index) => ({ email: `guest-${index}@example.com`, name: "Guest" }));
  return writeThroughProxy("event/add-guests", { guests: [...filler, guest] });
}

/** Fields that the platform accepts too, and names of them that only their callers know. */
async function writeOddFields() {
  const guest = { email_address: email, full_name: name, tel: "+351900000042" };
  await writeThroughProxy("event/add-guests", { guests: [], extra: { guest } });
  await writeThroughProxy("event/add-guests", { emails: [email.toUpperCase()], phone_numbers: ["+351900000042"] });
  const message = "Dear Zenobia, of vegan-42";
  await writeThroughProxy("event/update-guest-status", {
    guest: { type: "email", email },
    status: "declined",
    message,
  });
}

async function importGuest() {
  const file = join(folder, "guests.json");
  const registration = { event: fixture.eventId, name, email, answers: { diet: "vegan-42" } };
  const rest = { source: "source-42", note: "note-42", status: "pending" };
  await writeFile(file, JSON.stringify({ registrations: [{ ...registration, ...rest }] }));
  return runCommand(["import", file], fresh.env);
}

/** Every row of the database as text. */
async function readRows(): Promise<string[]> {
  const tables = await service.db.query<{ name: string }>(
    sql`select tablename as name from pg_tables where schemaname = 'public' order by 1`,
  );
  const rows = await Promise.all(
    tables.map(({ name: table }) => service.db.query<{ row: string }>(sql`select t::text as row from ${raw(table)} t`)),
  );
  return rows.flatMap((of, place) => of.map(({ row }) => `${tables[place]?.name}: ${row}`));
}

const containing = (rows: string[], text: string) =>
  rows.filter((row) => row.toLowerCase().includes(text.toLowerCase())).map((row) => row.slice(0, 300));

const placesOf = async (text: string) => containing(await readRows(), text);

it("nothing of an erased person is left in the database", async () => {
  const imported = await importGuest();
  expect(imported.code, imported.stderr).toBe(0);
  const [guest] = await service.db.query<{ id: string }>(sql`select id from registrations where email = ${email}`);
  const registration_id = guest?.id ?? "";
  await commit("approve_event_registration", { registration_id }, { idempotency_key: `approve ${email}` });
  await commit("update_event_details", { venue: "Q1" }, { reason: "Moved", idempotency_key: `seat for ${email}` });
  await commit("set_event_registration_check_in", { registration_id, checked_in: true });
  for (const [index, key] of [`seat-${email}`, `${email}_2`, `${email}-vip.pdf`, `a_${email}`].entries()) {
    const reason = index === 0 ? `see...${email}` : `Moved for ${email}_1`;
    await commit("update_event_details", { venue: `Q${2 + index}` }, { reason, idempotency_key: key });
  }
  for (const query of [name, "zenobia.qui", "Quill zeno"]) {
    await commit("batch_update_event_registrations", { action: "check_out", filter: { query } });
  }
  await addThroughProxy(0);
  await addThroughProxy(400);
  await writeOddFields();
  const posted_urls = { blog: `https://example.com/?by=${encodeURIComponent(email)}` };
  for (const urls of [posted_urls, { blog: null }]) {
    const patched = await service.call(`/api/svc/posters/${fixture.posterId}`, {
      key,
      method: "PATCH",
      body: { posted_urls: urls },
    });
    expect(patched.status, patched.text).toBe(200);
  }
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
  const before = await readRows();
  for (const mark of marks) expect(containing(before, mark), mark).not.toEqual([]);

  const erased = await runCommand(["erase-person", email, "--confirm"], fresh.env);
  expect(erased.code, erased.stderr).toBe(0);
  expect(erased.stdout).not.toContain("also stands");
  const after = await readRows();
  for (const mark of [...marks, encodeURIComponent(email)]) expect(containing(after, mark), mark).toEqual([]);
});

it("nothing of an erased user is left in the database, in an export or in an archive", async () => {
  const { organizationId } = fixture;
  const userId = await makerOn(service.db).member(organizationId, "owner");
  const [address, earlier, later] = ["quentin.marlow@example.com", "Quentin Vossberg", "Quentin Marlow"];
  await service.db.query(sql`update users set email = ${address}, name = ${earlier} where id = ${userId}`);
  const marked = [address, earlier, later];
  const [quentin, colleague] = [await service.signIn(userId), await service.signIn(fixture.caller.userId)];
  const change = async (cookie: string, tool: string, args: object, reason: string) => {
    const path = `organizations/${organizationId}/tools/${tool}`;
    const preview = await service.post(path, cookie, args);
    const done = await service.post(path, cookie, { ...preview.json.commit_with, reason });
    expect(done.status, done.text).toBe(200);
    return done.json;
  };
  const invited = ["first@example.com", "second@example.com"];
  await change(quentin, "invite_member", { email: invited[0], role: "member" }, "asked for");
  await service.post("account/profile", quentin, { name: later });
  const { after } = await change(quentin, "invite_member", { email: invited[1], role: "member" }, "asked for");
  await change(colleague, "withdraw_invitation", { invitation_id: after.invitation.id }, `${later} says no`);
  // Whoever made what the erased person ended stays.
  const theirs = await change(colleague, "invite_member", { email: "third@example.com", role: "member" }, "asked for");
  const ended = await change(quentin, "withdraw_invitation", { invitation_id: theirs.after.invitation.id }, "no seat");
  await change(colleague, "set_member_role", { user_id: userId, role: "admin" }, `${later} goes`);
  await change(colleague, "update_organization_profile", { description: "New" }, `Written by ${later}`);
  await service.db.query(sql`
    insert into invitations (token_hash, email, organization_id, role, invited_by, expires_at)
    values (sha256('x'), 'fourth@example.com', ${organizationId}, 'member', ${later}, now())`);
  for (const mark of marked) expect(await placesOf(mark), mark).not.toEqual([]);

  for (const args of [
    ["users", "remove", address],
    ["erase-person", address, "--confirm"],
  ]) {
    const { code, stderr } = await runCommand(args, fresh.env);
    expect(code, stderr).toBe(0);
  }
  for (const mark of marked) expect(await placesOf(mark), mark).toEqual([]);
  const [record] = await service.db.query<{ inviter: string }>(
    sql`select before #>> '{invitation,invited_by}' as inviter from mutation_records where id = ${ended.record_id}`,
  );
  expect(record?.inviter).toBe(theirs.after.invitation.invited_by);
  const exported = await runCommand(["export"], fresh.env);
  await service.db.transaction(async (tx) => {
    await tx.query(sql`select set_config('svc.change_records', 'erase', true)`);
    await tx.query(sql`update mutation_records set at = at - interval '40 days'`);
  });
  const archive = join(folder, "archive.jsonl");
  expect(await runCommand(["archive-records", archive, "--older-than-days", "30"], fresh.env)).toMatchObject({
    code: 0,
  });
  const archived = await readFile(archive, "utf8");
  expect(archived).toContain("invite_member");
  for (const mark of [...marks, ...marked]) expect(containing([exported.stdout, archived], mark), mark).toEqual([]);
});

it("people whose addresses contain the erased one keep what is theirs, until they are erased", async () => {
  const people = ["ana@example.com", "joana@example.com", "ana@example.com.br"];
  for (const each of people) {
    await commit("add_event_guest", { email: each, name: "Ana" }, { reason: `asked for by Ana <${each}>` });
    await writeThroughProxy("event/add-guests", { guests: [{ email: each, name: `Markfish of ${each}` }] });
  }
  for (const [index, each] of people.entries()) {
    const { code, stdout } = await runCommand(["erase-person", each, "--confirm"], fresh.env);
    expect([code, stdout]).toEqual([0, "Erased from 1 registration and 2 records.\n"]);
    for (const other of people.slice(index + 1)) expect((await placesOf(`Ana <${other}>`)).length, other).toBe(1);
  }
  for (const each of people) expect(await placesOf(each)).toEqual([]);
  expect(await placesOf("Markfish")).toEqual([]);
});

it("says where people have written the address, which stays", async () => {
  const [segment] = await service.db.query<{ id: string }>(sql`
    insert into segments (event_id, title, kind, start_time, duration_minutes, position, notes)
    values (${fixture.eventId}, 'Opening', 'talk', '2030-01-01T10:00:00Z', 30, 0, 'Ask ines@example.com first')
    returning id`);
  const [guest] = await service.db.query<{ id: string }>(sql`
    insert into registrations (event_id, name, email, status, note)
    values (${fixture.eventId}, 'Bob', 'bob@example.com', 'approved', 'plus one: ines@example.com') returning id`);
  const erase = async (address: string) => (await runCommand(["erase-person", address, "--json"], fresh.env)).stdout;
  expect(JSON.parse(await erase("ines@example.com")).remaining).toEqual([
    { table: "registrations", id: guest?.id, name: "Bob" },
    { table: "segments", id: segment?.id, name: "Opening" },
  ]);
  expect(JSON.parse(await erase("nes@example.com")).remaining).toEqual([]);
  const { stdout } = await runCommand(["erase-person", "ines@example.com", "--confirm"], fresh.env);
  expect(stdout).toContain("No registration or record contains this address.");
  expect(stdout).toMatch(/segments +Opening +[0-9a-f-]{36}/);
});
