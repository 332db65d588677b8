import { randomUUID } from "node:crypto";
import { once } from "node:events";
import sql from "sql-template-tag";
import { beforeAll, describe, expect, it } from "vitest";
import type { OrganizationCaller } from "../../src/access/caller.js";
import { findOperations, ticketingOperations } from "../../src/ticketing/operations.js";
import { recordOutcome, recordWrite, type TicketingWrite } from "../../src/ticketing/write-records.js";
import { callTool } from "../mcp/messages.js";
import { createEventFixture } from "../support/event-fixture.js";
import { useFreshDatabase } from "../support/fresh-database.js";
import { makerOn } from "../support/make.js";
import { startService } from "../support/service.js";
import { launch } from "./launch.js";
import { parse } from "./parse.js";
import { expectRefusal } from "./refusal.js";
import { runCommand } from "./run-command.js";

const fresh = useFreshDatabase();
let world: Awaited<ReturnType<typeof createEventFixture>>;
let slug: string;
let owner: string;
let write: TicketingWrite;

beforeAll(async () => {
  world = await createEventFixture(fresh.db);
  await makeHistory();
});

const audit = (...args: string[]) => runCommand(["audit", ...args], fresh.env);

type AuditRecord = Record<string, unknown> & { at: string; tool: string };

const records = async (...args: string[]): Promise<AuditRecord[]> => {
  const result = await audit("--json", ...args);
  expect(result).toMatchObject({ code: 0, stderr: "" });
  return result.stdout.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line)]));
};

const recordedTools = [
  "update_event_details",
  "patch_poster",
  "ticketing:event/add-guests",
  "ticketing:event/add-guests",
  "update_organization_profile",
];

describe("--limit", () => {
  it("shows the newest records, oldest first", async () => {
    const all = await records();
    for (const limit of [1, 2, all.length, all.length + 1]) {
      expect(await records("--limit", String(limit))).toEqual(all.slice(-limit));
    }
    expect(await records("--limit", "1", "--organization", slug)).toHaveLength(1);
    expectRefusal(await parse(["audit", "--limit", "0"]), 2, /Expected an integer from 1 to 999999/);
  });
});

describe("the table", () => {
  it("shows when, what, who, where and why", async () => {
    const result = await audit();
    expect(result).toMatchObject({ code: 0, stderr: "" });
    const [head, ...rows] = result.stdout.trimEnd().split("\n");
    expect(head?.split(/ {2,}/)).toEqual(["AT", "TOOL", "BY", "EVENT", "CHANGED", "REASON"]);
    expect(rows.map((row) => row.split(/ {2,}/).slice(1))).toEqual([
      ["update_event_details", owner, "Test Event", "venue, capacity", "the room � is too small"],
      ["patch_poster", "test", "Test Event", "poster.posted_urls"],
      ["ticketing:event/add-guests", owner, "Test Event", "sending"],
      ["ticketing:event/add-guests", owner, "Test Event", "answered 200"],
      ["update_organization_profile", owner, "name", `${"long ".repeat(9)}lo…`],
    ]);
    for (const row of rows) expect(row).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d {2}/);
  });

  it("is replaced by a message if there are no records", async () => {
    const result = await audit("--event", randomUUID());
    expect(result).toEqual({ code: 0, stderr: "", stdout: "No matching records.\n" });
  });
});

describe("--json", () => {
  it("prints complete records with the state before and after", async () => {
    const entries = await records();
    expect(entries.map(({ tool }) => tool)).toEqual(recordedTools);
    expect(entries[0]).toMatchObject({
      organization_id: world.organizationId,
      organization: slug,
      event_id: world.eventId,
      event: "Test Event",
      user: owner,
      api_key: "test",
      reason: "the room \u200f is too small",
      request: { event_id: world.eventId, venue: "Hall 2" },
      before: { venue: null, capacity: null },
      after: { venue: "Hall 2", capacity: 250 },
      outcome: null,
    });
    expect(entries[1]).toMatchObject({
      organization: null,
      user: null,
      reason: null,
      idempotency_key: null,
      after: { poster: { posted_urls: { x: "https://x.test/1" } } },
    });
    expect(entries[3]).toMatchObject({ before: null, after: null, outcome: { state: "answered", status: 200 } });
    expect(entries.map(({ at }) => at)).toEqual(entries.map(({ at }) => at).sort());
    expect(JSON.stringify(entries)).not.toContain("svc_mk_");
  });

  it("prints nothing if there are no records", async () => {
    expect(await audit("--json", "--event", randomUUID())).toEqual({ code: 0, stderr: "", stdout: "" });
  });
});

describe("filters", () => {
  it("by organization slug or id", async () => {
    const own = recordedTools.filter((tool) => tool !== "patch_poster");
    for (const name of [slug, world.organizationId, world.organizationId.toUpperCase()]) {
      expect((await records("--organization", name)).map(({ tool }) => tool)).toEqual(own);
    }
    expect(await records("--organization", world.otherOrganizationId)).toEqual([]);
  });

  it("by event id regardless of case, combined with other filters", async () => {
    const ofEvent = recordedTools.slice(0, 4);
    expect((await records("--event", world.eventId.toUpperCase())).map(({ tool }) => tool)).toEqual(ofEvent);
    expect(await records("--event", world.eventId, "--organization", slug)).toHaveLength(3);
  });

  it("by date or timestamp with any offset", async () => {
    const all = await records();
    const at = all[1]?.at ?? "";
    const later = all.filter((entry) => entry.at >= at);
    const inOffset = new Date(Date.parse(at) + 2 * 3_600_000).toISOString().replace("Z", "+02:00");
    expect(await records("--since", at)).toEqual(later);
    expect(await records("--since", inOffset)).toEqual(later);
    expect(await records("--since", at.slice(0, 10))).toHaveLength(all.length);
    expect(await records("--since", "2999-01-01")).toEqual([]);
  });
});

describe("invalid arguments", () => {
  it.each([
    ["--since", "yesterday"],
    ["--since", "2027-02-30"],
    ["--since", "2027-03-01T10:00"],
    ["--since", "1"],
    ["--event", "keynote"],
  ])("%s %s", async (option, value) => {
    expectRefusal(await parse(["audit", option, value]), 2, /is invalid\. Expected /);
  });

  it("an unknown organization", async () => {
    expectRefusal(await audit("--organization", "no-such"), 1, /no organization has the slug or id no-such/);
  });
});

it("ends without an error when the reader closes the pipe", async () => {
  await fresh.db.query(sql`
    insert into mutation_records (tool, via, request, request_hash, before, after)
    select 'import_test', 'key', '{}', '', null, jsonb_build_object('text', repeat('x', 2000)) from generate_series(1, 600)`);
  const reading = launch(["audit", "--json"], fresh.env);
  await once(reading.child.stdout, "data");
  reading.child.stdout.destroy();
  expect({ code: await reading.end(), stderr: reading.stderr() }).toEqual({ code: 0, stderr: "" });
  expect(await records()).toHaveLength(605);
});

/** Makes one change through each endpoint, with increasing timestamps. */
async function makeHistory(): Promise<void> {
  const { db } = fresh;
  const service = await startService({}, fresh.connection);
  const make = makerOn(db);
  slug = `harbour-${randomUUID().slice(0, 8)}`;
  owner = `owner-${randomUUID().slice(0, 8)}@example.com`;
  await db.query(sql`update organizations set slug = ${slug} where id = ${world.organizationId}`);
  await db.query(sql`update users set email = ${owner} where id = ${world.caller.userId}`);
  const key = await make.organizationKey(world.organizationId, { userId: world.caller.userId });
  const caller: OrganizationCaller = { ...world.caller, via: { ...world.caller.via, keyId: await make.keyId(key) } };
  const change = async (name: string, args: object, reason: string) => {
    const { result } = await callTool(service, key, name, { ...args });
    const commit = { ...args, ...result.structuredContent.commit_with, reason };
    expect((await callTool(service, key, name, commit)).result.structuredContent.record_id).toBeDefined();
    await later();
  };
  const { eventId: event_id } = world;
  await change("update_event_details", { event_id, venue: "Hall 2", capacity: 250 }, "the room \u200f is too small");
  const body = { posted_urls: { x: "https://x.test/1" } };
  const patched = await service.call(`/api/svc/posters/${world.posterId}`, { key: await make.superAdminKey(), body });
  expect(patched.status).toBe(200);
  await later();
  const operation = findOperations(ticketingOperations.luma, "/api/ticketing/event/add-guests").find(
    ({ method }) => method === "POST",
  );
  if (operation === undefined) throw new Error("no operation to add guests");
  write = {
    attemptId: randomUUID(),
    requestId: randomUUID(),
    caller,
    operation,
    event: { id: event_id, ticketingEventId: "evt-1" },
    fields: { guests: [{ email: "a@example.com" }] },
  };
  await recordWrite(db, write);
  await later();
  await recordOutcome(db, write, { state: "answered", status: 200 });
  await later();
  await change("update_organization_profile", { name: "Harbour Works & Sons" }, "long ".repeat(20));
  await service.close();
}

const later = () => new Promise((resolve) => setTimeout(resolve, 5));

describe("--follow", () => {
  it("prints new records as they are made, each once, also those of transactions that commit late", async () => {
    const following = launch(["audit", "--json", "--limit", "1", "--follow"], fresh.env);
    await following.until("\n");
    const insert = (tool: string, at: string) =>
      fresh.db.query(sql`
        insert into mutation_records (tool, via, operator, request, request_hash, at)
        values (${tool}, 'command_line', 'ops', '{}', 'x', now() + ${at}::interval)`);
    await insert("first", "0 s");
    await following.until('"first"');
    await insert("late", "-5 s");
    await following.until('"late"');
    await insert("last", "0 s");
    const text = await following.until('"last"');
    await following.end("SIGTERM");
    expect(text.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line).tool]))).toEqual([
      ...["import_test", "first", "late", "last"],
    ]);
  });
});

// After the others: it adds records.
it("--unfinished lists ticketing writes without an outcome", async () => {
  expect(await audit("--unfinished")).toEqual({ code: 0, stderr: "", stdout: "No matching records.\n" });
  const cutOff = { ...write, attemptId: randomUUID() };
  await recordWrite(fresh.db, cutOff);
  expect(await records("--unfinished")).toEqual([
    expect.objectContaining({
      tool: "ticketing:event/add-guests",
      request: expect.objectContaining({ attempt_id: cutOff.attemptId }),
      outcome: { state: "sending" },
    }),
  ]);
  expect(await records("--unfinished", "--event", randomUUID())).toEqual([]);
  await recordOutcome(fresh.db, cutOff, { state: "unknown", error: "closed" });
  expect(await records("--unfinished")).toEqual([]);
});
