import { randomUUID } from "node:crypto";
import sql from "sql-template-tag";
import { describe, expect, it } from "vitest";
import { maximumResultBytes } from "../../src/mcp/results.js";
import { useEvent, useService } from "../support/setup.js";

const { service, db, make } = useService();
const { fixture, tools } = useEvent(db);

type Listed = { id: string; tool: string; by: string | null } & Record<string, unknown>;
const list = async (args: object = {}, as = tools): Promise<Listed[]> => (await as.run("list_changes", args)).items;
const member = async (organizationId: string) =>
  tools.as({ organizationId, userId: await make.member(organizationId, "admin"), role: "admin" });
const asCohost = () => member(fixture.cohostOrganizationId);
const asStranger = () => member(fixture.otherOrganizationId);
const names = async (args: object = {}, as = tools) => (await list(args, as)).map(({ tool }) => tool);

it("says who changed what, how and why, from what to what, newest first", async () => {
  await tools.commit("update_event_details", { venue: "Harbour Hall" }, "Room was double booked");
  await tools.commit("update_organization_branding", { brand_primary_color: "#0a7f5a" });
  const [branding, details] = await list();
  expect(branding).toMatchObject({
    tool: "update_organization_branding",
    changes: [{ path: "brand_primary_color", from: null, to: "#0a7f5a" }],
    revertible: true,
  });
  expect(branding).not.toHaveProperty("event");
  expect(details).toMatchObject({
    tool: "update_event_details",
    via: "key",
    by: "Test Person",
    email: expect.stringContaining("@"),
    reason: "Room was double booked",
    event: { id: fixture.eventId, name: "Test Event" },
    changes: [{ path: "venue", from: null, to: "Harbour Hall" }],
  });
});

it("names the poster whose links were reported", async () => {
  const key = await make.superAdminKey();
  await db.query(sql`update posters set title = 'Opening night' where id = ${fixture.posterId}`);
  const body = { posted_urls: { LinkedIn: "https://posts.test/1" } };
  const patched = await service.call(`/api/svc/posters/${fixture.posterId}`, { key, method: "PATCH", body });
  expect(patched.status, patched.text).toBe(200);
  const [change] = await list({ tool: "patch_poster" });
  expect(change?.changes).toEqual([
    { path: "poster[Opening night].posted_urls", from: null, to: { LinkedIn: "https://posts.test/1" } },
  ]);
});

it("is filtered by event, person, tool and time, and paged", async () => {
  await tools.commit("update_organization_branding", { brand_primary_color: "#0a7f5a" });
  const colleague = await make.member(fixture.organizationId, "admin");
  await tools.as({ userId: colleague, role: "admin" }).commit("update_event_details", { venue: "Hall" });
  await tools.commit("set_event_run_of_show_publication", { published: true });
  const [user] = await db.query<{ email: string }>(sql`select email from users where id = ${colleague}`);
  expect(await names({ event_id: fixture.eventId })).toEqual([
    "set_event_run_of_show_publication",
    "update_event_details",
  ]);
  expect(await names({ tool: "update_event_details" })).toEqual(["update_event_details"]);
  expect(await names({ person: user?.email.toUpperCase() })).toEqual(["update_event_details"]);
  expect(await names({ person: colleague })).toEqual(["update_event_details"]);
  expect(await names({ since: new Date(Date.now() + 3_600_000).toISOString() })).toEqual([]);
  expect(await names({ until: new Date(Date.now() - 3_600_000).toISOString() })).toEqual([]);
  expect(await names({ event_id: fixture.eventId, person: fixture.caller.userId })).toEqual([
    "set_event_run_of_show_publication",
  ]);
  const unknown = await tools.refusal("list_changes", { person: "nobody@example.com" });
  expect(unknown).toMatchObject({ code: "not_found", message: expect.stringContaining("nobody@example.com") });

  const all = await names();
  const paged: string[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await tools.run("list_changes", { limit: 1, ...(cursor === undefined ? {} : { cursor }) });
    paged.push(...page.items.map(({ tool }: Listed) => tool));
    cursor = page.pagination.next_cursor;
  }
  expect(paged).toEqual(all);
});

it("says what reverts what, and what is reverted now", async () => {
  const { record_id: change } = await tools.commit("update_event_details", { venue: "Hall" });
  const { record_id: revert } = await tools.commit("revert_change", { record_id: change });
  expect(await list()).toMatchObject([
    { id: revert, reverts: change, revertible: true },
    { id: change, reverted_by: revert, revertible: false },
  ]);
  const { record_id: again } = await tools.commit("revert_change", { record_id: revert });
  const [third, second, first] = await list();
  expect(third).toMatchObject({ id: again, reverts: revert, revertible: true });
  expect(second).toMatchObject({ id: revert, reverts: change, reverted_by: again, revertible: false });
  expect(first).toMatchObject({ id: change, revertible: true });
  expect(first).not.toHaveProperty("reverted_by");
});

describe("a revert is offered", () => {
  const refused = (reason: string) => ({ revertible: false, not_revertible: expect.stringContaining(reason) });

  it("to those who have the role and the scope", async () => {
    await tools.commit("update_event_details", { venue: "Hall" });
    const [listed] = await list();
    expect(listed).toMatchObject({ revertible: true });
    expect(listed).not.toHaveProperty("not_revertible");
    expect((await list({}, tools.as({ role: "member" })))[0]).toMatchObject(refused("the role admin; yours is member"));
    expect((await list({}, tools.as({ scopes: ["org:read"] })))[0]).toMatchObject(refused("the scope events:write"));
  });

  it("while the organization hosts the event", async () => {
    const cohost = await asCohost();
    await cohost.commit("update_event_details", { venue: "Hall" });
    expect((await list({}, cohost))[0]).toMatchObject({ revertible: true });
    const { record_id } = await cohost.commit("remove_event_cohost", {
      organization_id: fixture.cohostOrganizationId,
    });
    const { eventId: event_id } = fixture;
    const left = await list({ event_id }, cohost);
    expect(left.map(({ tool }) => tool)).toEqual(["remove_event_cohost", "update_event_details"]);
    for (const change of left) expect(change).toMatchObject(refused("does not host the event any more"));
    expect((await cohost.refusal("revert_change", { record_id })).code).toBe("forbidden");
    expect((await cohost.refusal("list_changes", { event_id, tool: "add_event_guest" })).code).toBe("forbidden");
    expect(await list()).toMatchObject([{ revertible: true }, { revertible: true }]);
  });

  it("to co-hosts, but not of who hosts the event", async () => {
    const cohost = await asCohost();
    const organization_id = fixture.otherOrganizationId;
    await tools.commit("add_event_cohost", { organization_id });
    const { record_id } = await tools.commit("remove_event_cohost", { organization_id });
    await tools.commit("revert_change", { record_id });
    const seen = await list({}, cohost);
    expect(seen).toMatchObject([
      refused("only the host of the event can"),
      { reverted_by: expect.any(String), revertible: false },
      refused("only the host of the event can"),
    ]);
    expect(await list()).toMatchObject([{ revertible: true }, { revertible: false }, { revertible: true }]);
  });

  it("not of what changed nothing", async () => {
    await tools.commit("set_event_poster_publication", { poster_id: fixture.posterId, published: false });
    const [listed] = await list();
    expect(listed).toMatchObject({ changes: [], revertible: false, not_revertible: "it changed nothing" });
    const { message } = await tools.refusal("revert_change", { record_id: listed?.id });
    expect(message).toContain("it changed nothing. Nothing was reverted");
  });

  it("not of what nobody can revert", async () => {
    await tools.commit("set_event_primary_host", { organization_id: fixture.otherOrganizationId });
    expect((await list())[0]).toMatchObject(refused("withdraws an offer, with set_event_primary_host"));
    await db.query(sql`
      insert into mutation_records (tool, organization_id, event_id, via, request, request_hash)
      values ('update_event_details', ${fixture.organizationId}, ${fixture.eventId}, 'console', '{}', 'x')`);
    expect((await list({ tool: "update_event_details" }))[0]).toMatchObject(
      refused("what it replaced is not recorded"),
    );
  });
});

it("shows of another organization its name, and finds nothing by what is hidden", async () => {
  await tools.commit("update_event_details", { venue: "Hall" }, "a marked reason");
  await tools.commit("update_organization_profile", { description: "New words" });
  const cohost = await asCohost();
  const seen = await list({}, cohost);
  expect(seen).toMatchObject([{ tool: "update_event_details", by: "Harbour Works", reason: null }]);
  expect(seen[0]).not.toHaveProperty("email");
  expect(JSON.stringify(seen)).not.toContain("marked");
  expect(await list({ person: fixture.caller.userId }, cohost)).toEqual([]);
  const stranger = await asStranger();
  const refused = await stranger.refusal("list_changes", { event_id: fixture.eventId });
  expect(refused.code).toBe("forbidden");
});

it("hides guests from keys that may not read them", async () => {
  const { registrationIds } = fixture;
  const { record_id } = await tools.commit("approve_event_registration", { registration_id: registrationIds.pending });
  await tools.commit("revert_change", { record_id });
  const blind = await list({}, tools.as({ scopes: ["org:read", "events:write"] }));
  expect(blind).toMatchObject([
    { tool: "revert_change", changes: [], note: expect.stringContaining("registrations:read") },
    { tool: "approve_event_registration", changes: [] },
  ]);
  expect(JSON.stringify(blind)).not.toContain("pending");
  expect(JSON.stringify(await list())).toContain("pending");
});

it("names guests, segments, speakers and posters", async () => {
  const { posterId, registrationIds, segmentIds, speakerIds } = fixture;
  await tools.commit("approve_event_registration", { registration_id: registrationIds.pending });
  await tools.commit("update_event_segment", {
    segments: segmentIds.map((segment_id) => ({ segment_id, kind: "break" })),
  });
  await tools.commit("reorder_event_speakers", { speaker_ids: [...speakerIds].reverse() });
  await tools.commit("set_event_poster_publication", { poster_id: posterId, published: true });
  expect((await list()).map(({ changes }) => changes)).toMatchObject([
    [{ path: "poster[Test Poster].published", from: false, to: true }],
    [{ path: "speakers", from: ["Speaker 0", "Speaker 1", "Speaker 2"], to: ["Speaker 2", "Speaker 1", "Speaker 0"] }],
    [{ path: "segments[Segment 0].kind" }, { path: "segments[Segment 1].kind" }, { path: "segments[Segment 2].kind" }],
    [{ path: "registration[Guest pending].status", from: "pending", to: "approved" }],
  ]);
});

it("shows of long texts what differs, and the whole change by its id", async () => {
  const text = "word ".repeat(300);
  await tools.commit("update_event_details", { description: text });
  const description = `${text}Doors open at nine.`;
  const { record_id } = await tools.commit("update_event_details", { description });
  const [listed] = await list();
  const common = text.slice(-40);
  expect(listed?.changes).toEqual([{ path: "description", from: `…${common}`, to: `…${common}Doors open at nine.` }]);
  const whole = await list({ record_id });
  expect(whole).toEqual([{ ...listed, changes: [{ path: "description", from: text, to: description }] }]);
});

it("says what became of a write to the ticketing platform, and nothing of what was written", async () => {
  const guests = JSON.stringify({ fields: { guests: [{ email: "ana@example.com" }] } });
  const noteOf = async (result: object) => {
    const [row] = await db.query<{ id: string }>(sql`
      insert into mutation_records (tool, organization_id, event_id, via, request, request_hash, result)
      values ('ticketing:event/add-guests', ${fixture.organizationId}, ${fixture.eventId}, 'key', ${guests}, 'x', ${JSON.stringify(result)})
      returning id`);
    const [[listed], [alone]] = await Promise.all([list(), list({ record_id: row?.id })]);
    expect(alone).toEqual(listed);
    expect(JSON.stringify(listed)).not.toContain("ana@");
    return listed?.note;
  };
  expect(await noteOf({ state: "sending" })).toMatch(/about to be sent.*a later record has its outcome/);
  expect(await noteOf({ state: "answered", status: 201 })).toBe("The ticketing platform answered with status 201");
  const error = "ana@example.com";
  expect(await noteOf({ state: "not_sent", error })).toBe("The write was not sent to the ticketing platform");
  expect(await noteOf({ state: "unknown", error })).toContain("may or may not have applied it");
});

describe("one change by its id", () => {
  it("is found by those who see it in the list, and sent alone", async () => {
    const { record_id } = await tools.commit("update_event_details", { venue: "Hall" }, "a marked reason");
    const { record_id: profile } = await tools.commit("update_organization_profile", { description: "New words" });
    const cohost = await asCohost();
    const page = await cohost.run("list_changes", { record_id });
    expect(page).toMatchObject({
      items: [{ id: record_id, by: "Harbour Works", reason: null }],
      pagination: { has_more: false, next_cursor: null, count: 1 },
    });
    expect(JSON.stringify(page)).not.toContain("marked");
    const stranger = await asStranger();
    for (const [runner, id] of [
      [stranger, record_id],
      [cohost, profile],
      [tools, randomUUID()],
    ] as const) {
      expect((await runner.refusal("list_changes", { record_id: id })).code).toBe("not_found");
    }
    const both = await tools.refusal("list_changes", { record_id, event_id: fixture.eventId });
    expect(both).toMatchObject({ code: "invalid_input", message: "record_id: send it without event_id" });
  });

  it("hides guests from keys that may not read them", async () => {
    const { record_id } = await tools.commit("approve_event_registration", {
      registration_id: fixture.registrationIds.pending,
    });
    const blind = await list({ record_id }, tools.as({ scopes: ["org:read"] }));
    expect(blind).toMatchObject([{ changes: [], note: expect.stringContaining("registrations:read") }]);
    expect(JSON.stringify(blind)).not.toContain("Guest");
  });
});

it("stays short: further differences are counted, and a page of long texts is cut", async () => {
  await tools.commit("batch_update_event_registrations", {
    action: "decline",
    registration_ids: Object.values(fixture.registrationIds).slice(0, 3),
  });
  const [batch] = await list();
  expect(batch?.changes).toHaveLength(4);
  expect(batch?.more_changes).toBeGreaterThan(0);
  const [whole] = await list({ record_id: batch?.id });
  expect(whole?.changes).toHaveLength(4 + Number(batch?.more_changes));
  expect(whole).not.toHaveProperty("more_changes");
  const states = [0, 1].map((side) =>
    JSON.stringify(Object.fromEntries([1, 2].map((n) => [`f${n}`, `${side}${"x".repeat(3_000)}${side}`]))),
  );
  await db.query(sql`
    insert into mutation_records (tool, organization_id, via, request, request_hash, before, after)
    select 'long', ${fixture.organizationId}, 'console', '{}', 'x', ${states[0]}, ${states[1]}
    from generate_series(1, 50)`);
  const page = await list({ tool: "long", limit: 50 });
  expect(page).toHaveLength(50);
  expect(JSON.stringify(page[0]?.changes).length).toBeGreaterThan(1_600);
  expect(Buffer.byteLength(JSON.stringify(page))).toBeLessThan(maximumResultBytes);
  const tooMany = await tools.refusal("list_changes", { limit: 51 });
  expect(tooMany.message).toContain("limit: expected an integer from 1 to 50");
});
