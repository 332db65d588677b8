import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import sql from "sql-template-tag";
import { afterAll, beforeAll, expect, it } from "vitest";
import { generateKey } from "../../src/access/api-key.js";
import { runCommand } from "../cli/run-command.js";
import { callTool, legacy, post } from "../mcp/messages.js";
import {
  type Collector,
  type ObservedService,
  startCollector,
  startObservedService,
} from "../operations/observed-service.js";
import type { Reply } from "../support/call.js";
import { useFreshDatabase } from "../support/fresh-database.js";
import { httpResponse } from "../ticketing/support/recording-upstream.js";

/**
 * Marked credentials and guest data are sent wherever a caller can send anything. Credentials must appear nowhere; guest
 * data only where it belongs, which is the database and what is exported from it.
 */

const platformKey = "platform-secret-3f9a1c77e2";
const guest = { name: "Marked Guestname", email: "marked.guest@example.com" };

// A database of its own, because the export and the backup are of all of it.
const fresh = useFreshDatabase();
let collector: Collector;
let service: ObservedService;
let folder: string;
const keys: Record<"super-admin" | "conference" | "organization" | "misplaced", string> = {
  "super-admin": "",
  conference: "",
  organization: "",
  misplaced: generateKey().key,
};
const credentials = () => [...Object.values(keys), platformKey, "g-4d61726b65642d6b", "collector-token"];
const errors: string[] = [];
let event: string;
let poster: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "svc-test-"));
  collector = await startCollector();
  service = await startObservedService(collector, {}, fresh.connection);
  const organization = await service.make.organization();
  event = await service.linkedEvent(organization);
  poster = await service.make.poster(event);
  keys["super-admin"] = await service.make.superAdminKey();
  keys.conference = await service.make.conferenceKey(await service.make.conference());
  keys.organization = await service.make.organizationKey(organization);
  await sendEverywhere();
});
afterAll(async () => {
  await service.close();
  await collector.close();
  await rm(folder, { recursive: true });
});

function note(reply: Reply): void {
  if (reply.status >= 400) errors.push(reply.text, JSON.stringify([...reply.headers]));
}

/** As authorization, in paths, queries, headers and bodies of every endpoint; and from the platform. */
async function sendEverywhere(): Promise<void> {
  const { organization } = keys;
  const ticketing = "/api/ticketing/event";
  for (const key of Object.values(keys)) {
    for (const secret of [keys.misplaced, key, "g-4d61726b65642d6b", guest.email]) {
      const encoded = encodeURIComponent(secret);
      const headers = { "x-request-id": secret, cookie: `a=${secret}`, "user-agent": secret, traceparent: secret };
      for (const path of [
        `/${encoded}`,
        `/api/svc/${encoded}`,
        `/api/svc/posters/${encoded}`,
        `/images/${encoded}.png`,
      ]) {
        note(await service.call(path, { key, headers }));
      }
      note(await service.call(`/api/svc/posters?limit=1&cursor=${encoded}&${encoded}=1`, { key, headers }));
      for (const body of [
        { posted_urls: { x: secret } },
        { [secret]: secret },
        { posted_urls: { [secret]: "x" } },
        `"${secret}`,
      ]) {
        note(await service.call(`/api/svc/posters/${poster}`, { key, body }));
      }
      note(await service.call(`${ticketing}/get?event_id=${encoded}&${encoded}=1`, { key, headers }));
      const guests = [{ email: secret, name: secret }];
      note(await service.call(`${ticketing}/add-guests`, { key, method: "POST", body: { event_id: event, guests } }));
      const args = { event_id: event, name: secret, description: secret, [secret]: secret };
      note(await post(service, key, legacy("tools/call", { name: "update_event_details", arguments: args })));
      note(await post(service, key, legacy(secret, { [secret]: secret })));
      note(await post(service, key, legacy(secret, { [secret]: secret }), { "mcp-protocol-version": secret }));
    }
  }
  const added = await callTool(service, organization, "add_event_guest", { event_id: event, ...guest });
  const commit = { ...added.result.structuredContent.commit_with, reason: "a guest of ours" };
  await callTool(service, organization, "add_event_guest", commit);
  for (const status of [200, 401, 500]) {
    service.upstream.respondWith(() =>
      httpResponse(status, { text: `${platformKey} ${guest.email}`, key: platformKey }),
    );
    const reply = await service.call(`${ticketing}/get?event_id=${event}`, { key: organization });
    expect(reply.text).not.toContain(platformKey);
    if (status !== 200) note({ ...reply, text: reply.text.replaceAll(guest.email, "") });
  }
}

function occurrences(texts: Record<string, string>, marks: string[]): string[] {
  return Object.entries(texts).flatMap(([name, text]) =>
    marks.filter((mark) => text.includes(mark)).map((mark) => `${mark.slice(0, 16)}… in ${name}`),
  );
}

const operatorsSee = async () => ({
  log: service.logged().text,
  metrics: (await service.metrics.text()).body,
  traces: collector.received.map(({ path, text }) => path + text).join("\n"),
});

it("appear in no log line, metric or trace", async () => {
  await expect.poll(() => collector.spans().length).toBeGreaterThan(50);
  const texts = await operatorsSee();
  for (const [name, text] of Object.entries(texts)) expect(text.length, name).toBeGreaterThan(1_000);
  expect(occurrences(texts, [...credentials(), guest.email, guest.name])).toEqual([]);
});

it("of others are repeated in no error", () => {
  expect(errors.length).toBeGreaterThan(200);
  expect(occurrences({ errors: errors.join("\n") }, [...Object.values(keys), platformKey])).toEqual([]);
});

it("that are credentials are in no table, export or backup", async () => {
  const database = fresh.env;
  const exported = await runCommand(["export"], database);
  const file = join(folder, "backup.gz");
  expect(await runCommand(["backup", file], database)).toMatchObject({ code: 0 });
  const tables = await service.db.query<{ text: string }>(sql`
    select r::text as text from mutation_records r where r.event_id = ${event}
    union all select k::text from api_keys k union all select p::text from posters p where p.event_id = ${event}
    union all select g::text from registrations g where g.event_id = ${event}`);
  const texts = {
    tables: tables.map(({ text }) => text).join("\n"),
    export: exported.stdout,
    backup: gunzipSync(await readFile(file)).toString(),
  };
  expect(occurrences(texts, credentials())).toEqual([]);
  // The guest is where it belongs, which shows that the search finds what is there.
  for (const text of Object.values(texts)) expect(text).toContain(guest.email);
});
