import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import sql from "sql-template-tag";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { OrganizationCaller } from "../../src/access/caller.js";
import { findOperations } from "../../src/ticketing/operations.js";
import { recordOutcome, recordWrite } from "../../src/ticketing/write-record.js";
import { callTool } from "../mcp/messages.js";
import { makeEventWorld } from "../support/event-world.js";
import { makerOn } from "../support/make.js";
import { call } from "../support/service.js";
import { svc } from "../support/svc.js";
import { parse } from "./parse.js";
import { expectRefusal } from "./refusal.js";
import { type Served, serveFreshDatabase } from "./served.js";

let served: Served;
let world: Awaited<ReturnType<typeof makeEventWorld>>;
let slug: string;
let owner: string;

beforeAll(async () => {
  served = await serveFreshDatabase();
  world = await makeEventWorld(served.db);
  await makeHistory();
});
afterAll(() => served.remove());

const audit = (...args: string[]) => svc(["audit", ...args], served.env);

type Line = Record<string, unknown> & { at: string; tool: string };

const lines = async (...args: string[]): Promise<Line[]> => {
  const result = await audit("--json", ...args);
  expect(result).toMatchObject({ code: 0, stderr: "" });
  return result.stdout.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line)]));
};

const everyTool = [
  "update_event_details",
  "patch_poster",
  "ticketing:event/add-guests",
  "ticketing:event/add-guests",
  "update_organization_profile",
];

describe("as a table", () => {
  it("tells when, what, who, where and why", async () => {
    const result = await audit();
    expect(result).toMatchObject({ code: 0, stderr: "" });
    const [head, ...rows] = result.stdout.trimEnd().split("\n");
    expect(head?.split(/ {2,}/)).toEqual(["AT", "TOOL", "BY", "EVENT", "CHANGED", "WHY"]);
    expect(rows.map((row) => row.split(/ {2,}/).slice(1))).toEqual([
      ["update_event_details", owner, "Test Event", "venue, capacity", "the room � is too small"],
      ["patch_poster", "test", "Test Event", "posted_urls"],
      ["ticketing:event/add-guests", owner, "Test Event", "sending"],
      ["ticketing:event/add-guests", owner, "Test Event", "answered 200"],
      ["update_organization_profile", owner, "name", `${"long ".repeat(9)}lo…`],
    ]);
    for (const row of rows) expect(row).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d {2}/);
  });

  it("says so when there is nothing", async () => {
    const result = await audit("--event", randomUUID());
    expect(result).toEqual({ code: 0, stderr: "", stdout: "No changes are recorded for that.\n" });
  });
});

describe("as JSON lines", () => {
  it("tells everything, with the state before and after", async () => {
    const entries = await lines();
    expect(entries.map(({ tool }) => tool)).toEqual(everyTool);
    expect(entries[0]).toMatchObject({
      organization_id: world.organizationId,
      organization: slug,
      event_id: world.eventId,
      event: "Test Event",
      user: owner,
      api_key: "test",
      reason: "the room \u202e is too small",
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
      after: { posted_urls: { x: "https://x.test/1" } },
    });
    expect(entries[3]).toMatchObject({ before: null, after: null, outcome: { state: "answered", status: 200 } });
    expect(entries.map(({ at }) => at)).toEqual(entries.map(({ at }) => at).sort());
    expect(JSON.stringify(entries)).not.toContain("svc_mk_");
  });

  it("says nothing when there is nothing", async () => {
    expect(await audit("--json", "--event", randomUUID())).toEqual({ code: 0, stderr: "", stdout: "" });
  });
});

describe("filters", () => {
  it("by organization, by slug or id", async () => {
    const own = everyTool.filter((tool) => tool !== "patch_poster");
    for (const name of [slug, world.organizationId, world.organizationId.toUpperCase()]) {
      expect((await lines("--organization", name)).map(({ tool }) => tool)).toEqual(own);
    }
    expect(await lines("--organization", world.otherOrganizationId)).toEqual([]);
  });

  it("by event, in any case, and together with others", async () => {
    const ofEvent = everyTool.slice(0, 4);
    expect((await lines("--event", world.eventId.toUpperCase())).map(({ tool }) => tool)).toEqual(ofEvent);
    expect(await lines("--event", world.eventId, "--organization", slug)).toHaveLength(3);
  });

  it("by time: a date, or a timestamp in any offset", async () => {
    const all = await lines();
    const at = all[1]?.at ?? "";
    const later = all.filter((entry) => entry.at >= at);
    const inOffset = new Date(Date.parse(at) + 2 * 3_600_000).toISOString().replace("Z", "+02:00");
    expect(await lines("--since", at)).toEqual(later);
    expect(await lines("--since", inOffset)).toEqual(later);
    expect(await lines("--since", at.slice(0, 10))).toHaveLength(all.length);
    expect(await lines("--since", "2999-01-01")).toEqual([]);
  });
});

describe("wrong usage", () => {
  it.each([
    ["--since", "yesterday"],
    ["--since", "2027-02-30"],
    ["--since", "2027-03-01T10:00"],
    ["--since", "1"],
    ["--event", "keynote"],
  ])("%s %s", async (option, value) => {
    expectRefusal(await parse(["audit", option, value]), 2, /It expects/);
  });

  it("an organization that is not there", async () => {
    expectRefusal(await audit("--organization", "no-such"), 1, /no organization has the slug or id no-such/);
  });
});

it("a reader that has seen enough ends it without an error", async () => {
  await served.db.query(sql`
    insert into mutation_records (tool, via, request, request_hash, before, after)
    select 'import_test', 'key', '{}', '', null, jsonb_build_object('text', repeat('x', 2000)) from generate_series(1, 3000)`);
  const executable = fileURLToPath(new URL("../../bin/svc", import.meta.url));
  const { DATABASE_URL: _, ...rest } = process.env;
  const child = spawn(process.execPath, [executable, "audit", "--json"], { env: { ...rest, ...served.env } });
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
    stderr += chunk;
  });
  await once(child.stdout, "data");
  child.stdout.destroy();
  const [code] = await once(child, "close");
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(await lines()).toHaveLength(3005);
});

/** One change through each door, each a little later than the one before. */
async function makeHistory(): Promise<void> {
  const { db, url } = served;
  const make = makerOn(db);
  slug = `harbour-${randomUUID().slice(0, 8)}`;
  owner = `owner-${randomUUID().slice(0, 8)}@example.com`;
  await db.query(sql`update organizations set slug = ${slug} where id = ${world.organizationId}`);
  await db.query(sql`update users set email = ${owner} where id = ${world.caller.userId}`);
  const key = await make.organizationKey(world.organizationId, { userId: world.caller.userId });
  const caller: OrganizationCaller = { ...world.caller, via: { ...world.caller.via, keyId: await make.keyId(key) } };
  const service = {
    db,
    url,
    call: (path: string, options?: object) => call(url, path, options),
    close: async () => {},
  };
  const change = async (name: string, args: object, reason: string) => {
    const { result } = await callTool(service, key, name, { ...args });
    const commit = { ...result.structuredContent.commit_with, reason };
    expect((await callTool(service, key, name, commit)).result.structuredContent.record_id).toBeDefined();
    await later();
  };
  const { eventId: event_id } = world;
  await change("update_event_details", { event_id, venue: "Hall 2", capacity: 250 }, "the room \u202e is too small");
  const body = { posted_urls: { x: "https://x.test/1" } };
  const patched = await call(url, `/api/svc/posters/${world.posterId}`, { key: await make.superAdminKey(), body });
  expect(patched.status).toBe(200);
  await later();
  const operation = findOperations("/api/ticketing/event/add-guests").find(({ method }) => method === "POST");
  if (operation === undefined) throw new Error("no way to add guests");
  const write = {
    attemptId: randomUUID(),
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
}

const later = () => new Promise((resolve) => setTimeout(resolve, 5));
