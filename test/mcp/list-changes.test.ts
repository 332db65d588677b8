import sql from "sql-template-tag";
import { expect, it } from "vitest";
import { useDatabase, useEvent } from "../support/setup.js";

const { db, make } = useDatabase();
const { fixture, tools } = useEvent(db);

type Listed = { id: string; tool: string; by: string | null } & Record<string, unknown>;
const list = async (args: object = {}, as = tools): Promise<Listed[]> => (await as.run("list_changes", args)).items;
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

it("offers a revert to those who may make it", async () => {
  await tools.commit("update_event_details", { venue: "Hall" });
  expect((await list())[0]).toMatchObject({ revertible: true });
  expect((await list({}, tools.as({ role: "member" })))[0]).toMatchObject({ revertible: false });
  expect((await list({}, tools.as({ scopes: ["org:read"] })))[0]).toMatchObject({ revertible: false });
});

it("shows of another organization its name, and finds nothing by what is hidden", async () => {
  await tools.commit("update_event_details", { venue: "Hall" }, "a marked reason");
  await tools.commit("update_organization_profile", { description: "New words" });
  const cohost = tools.as({
    organizationId: fixture.cohostOrganizationId,
    userId: await make.member(fixture.cohostOrganizationId, "admin"),
    role: "admin",
  });
  const seen = await list({}, cohost);
  expect(seen).toMatchObject([{ tool: "update_event_details", by: "Harbour Works", reason: null }]);
  expect(seen[0]).not.toHaveProperty("email");
  expect(JSON.stringify(seen)).not.toContain("marked");
  expect(await list({ person: fixture.caller.userId }, cohost)).toEqual([]);
  const stranger = tools.as({
    organizationId: fixture.otherOrganizationId,
    userId: await make.member(fixture.otherOrganizationId),
  });
  const refused = await stranger.refusal("list_changes", { event_id: fixture.eventId });
  expect(refused.code).toBe("forbidden");
});

it("shows what an organization did to an event that it no longer hosts", async () => {
  const cohost = tools.as({
    organizationId: fixture.cohostOrganizationId,
    userId: await make.member(fixture.cohostOrganizationId, "admin"),
    role: "admin",
  });
  await cohost.commit("update_event_details", { venue: "Hall" });
  await tools.commit("remove_event_cohost", { organization_id: fixture.cohostOrganizationId });
  expect(await list({ event_id: fixture.eventId }, cohost)).toMatchObject([{ tool: "update_event_details" }]);
  expect((await cohost.refusal("list_changes", { event_id: fixture.eventId, tool: "add_event_guest" })).code).toBe(
    "forbidden",
  );
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

it("stays short: long texts are cut, and further differences counted", async () => {
  await tools.commit("update_event_details", { description: "word ".repeat(700), name: "A" });
  await tools.commit("batch_update_event_registrations", {
    action: "decline",
    registration_ids: Object.values(fixture.registrationIds).slice(0, 3),
  });
  const [batch, details] = await list();
  expect(batch?.changes).toHaveLength(4);
  expect(batch?.more_changes).toBeGreaterThan(0);
  expect(JSON.stringify(details).length).toBeLessThan(800);
  const tooMany = await tools.refusal("list_changes", { limit: 51 });
  expect(tooMany.message).toContain("limit: expected an integer from 1 to 50");
});
