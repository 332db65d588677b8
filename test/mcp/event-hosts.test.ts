import { randomUUID } from "node:crypto";
import sql from "sql-template-tag";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { scopes } from "../../src/access/scopes.js";
import { makeEventWorld } from "../support/event-world.js";
import { type Make, makerOn } from "../support/make.js";
import { type Service, startService } from "../support/service.js";
import { type TestTools, toolRunnerOn } from "../support/tool-runner.js";
import { callTool, listNames } from "./messages.js";

let service: Service;
let make: Make;
let world: Awaited<ReturnType<typeof makeEventWorld>>;
let tools: TestTools;
let cohostTools: TestTools;
let event_id: string;

beforeAll(async () => {
  service = await startService();
  make = makerOn(service.db);
});
afterAll(() => service.close());
beforeEach(async () => {
  world = await makeEventWorld(service.db);
  tools = toolRunnerOn(service.db, world.caller);
  cohostTools = toolRunnerOn(service.db, { ...world.caller, organizationId: world.cohostOrganizationId });
  event_id = world.eventId;
});

/** The stored hosts by position, which starts at 0 and has no gaps where a tool has written it. */
const hosts = async () => {
  const rows = await service.db.query<{ organization_id: string; role: string; position: number }>(sql`
    select organization_id, role, position from event_hosts where event_id = ${event_id}
    order by position, role = 'host' desc`);
  expect(rows.map(({ position }) => position)).toEqual(rows.map((_, index) => index));
  return rows.map(({ organization_id, role }) => [organization_id, role]);
};

const slugOf = async (organizationId: string) => {
  const [row] = await service.db.query<{ slug: string }>(
    sql`select slug from organizations where id = ${organizationId}`,
  );
  return row?.slug ?? "";
};

const hostTools = ["add_event_cohost", "remove_event_cohost", "set_event_primary_host"];

describe("get_event_host_snapshot", () => {
  it("shows the host first, and whether this caller may change that", async () => {
    const snapshot = await tools.run("get_event_host_snapshot", { event_id });
    expect(snapshot).toEqual({
      event_id,
      hosts: [
        {
          organization_id: world.organizationId,
          name: "Harbour Works",
          slug: await slugOf(world.organizationId),
          role: "host",
          position: 0,
        },
        {
          organization_id: world.cohostOrganizationId,
          name: "Next Door",
          slug: expect.any(String),
          role: "co_host",
          position: 1,
        },
      ],
      may_change: true,
    });
    const mayChange = async (changes: Partial<typeof world.caller>) =>
      (await toolRunnerOn(service.db, { ...world.caller, ...changes }).run("get_event_host_snapshot", { event_id }))
        .may_change;
    expect(await mayChange({ role: "admin" })).toBe(true);
    expect(await mayChange({ role: "member" })).toBe(false);
    expect(await mayChange({ scopes: scopes.filter((scope) => scope !== "events:write") })).toBe(false);
    expect(await mayChange({ organizationId: world.cohostOrganizationId })).toBe(false);
  });
});

describe("add_event_cohost", () => {
  it("adds behind the others, by id in any case or by slug", async () => {
    await tools.commit("add_event_cohost", { event_id, organization_id: world.otherOrganizationId.toUpperCase() });
    const third = await make.organization("Third");
    await service.db.query(sql`update organizations set slug = ${`third-${event_id}`} where id = ${third}`);
    const result = await tools.commit("add_event_cohost", { event_id, organization_id: `third-${event_id}` });
    expect(result.after.organization).toEqual({ id: third, name: "Third", slug: `third-${event_id}` });
    const fourth = await make.organization();
    await tools.commit("add_event_cohost", { event_id, slug: await slugOf(fourth) });
    expect(await hosts()).toEqual([
      [world.organizationId, "host"],
      [world.cohostOrganizationId, "co_host"],
      [world.otherOrganizationId, "co_host"],
      [third, "co_host"],
      [fourth, "co_host"],
    ]);
  });

  it("opens the event to the keys of the new co-host at once, and closes it again", async () => {
    const key = await make.organizationKey(world.otherOrganizationId, { role: "admin" });
    const status = async () => (await service.call(`/api/svc/events/${event_id}/posters`, { key })).status;
    const posters = async () => (await service.call("/api/svc/posters", { key })).json.items.length;
    expect([await status(), await posters()]).toEqual([403, 0]);
    expect(await listNames(service, key)).not.toContain("update_event_details");
    await tools.commit("add_event_cohost", { event_id, organization_id: world.otherOrganizationId });
    expect([await status(), await posters()]).toEqual([200, 1]);
    const { result } = await callTool(service, key, "update_event_details", { event_id, venue: "Hall 2" });
    expect(result.structuredContent.proposed).toEqual({ venue: "Hall 2" });
    await tools.commit("remove_event_cohost", { event_id, organization_id: world.otherOrganizationId });
    expect([await status(), await posters()]).toEqual([403, 0]);
    expect(await listNames(service, key)).not.toContain("update_event_details");
  });

  it("changes nothing where it co-hosts already, and refuses the host", async () => {
    const again = await tools.commit("add_event_cohost", { event_id, organization_id: world.cohostOrganizationId });
    expect(again).toMatchObject({ changes: [], message: expect.stringContaining("Nothing to change") });
    const self = await tools.refusal("add_event_cohost", { event_id, organization_id: world.organizationId });
    expect(self).toMatchObject({ code: "conflict", message: "Harbour Works is already the host of this event" });
    expect(await hosts()).toHaveLength(2);
  });

  it("takes an id for an id, whatever slugs others have", async () => {
    const impostor = await make.organization("Impostor");
    await service.db.query(sql`update organizations set slug = ${world.otherOrganizationId} where id = ${impostor}`);
    const preview = await tools.run("add_event_cohost", { event_id, organization_id: world.otherOrganizationId });
    expect(preview.current.organization).toMatchObject({ id: world.otherOrganizationId, name: "Far Away" });
    const bySlug = await tools.run("add_event_cohost", { event_id, slug: world.otherOrganizationId });
    expect(bySlug.current.organization.id).toBe(impostor);
    const nobody = randomUUID();
    await service.db.query(sql`update organizations set slug = ${nobody} where id = ${impostor}`);
    const refusal = await tools.refusal("add_event_cohost", { event_id, organization_id: nobody });
    expect(refusal.code).toBe("not_found");
  });
});

describe("remove_event_cohost", () => {
  it("removes a co-host and changes nothing where it is none", async () => {
    const organization_id = world.cohostOrganizationId;
    const result = await tools.commit("remove_event_cohost", { event_id, organization_id });
    expect(result.changes).toEqual([
      { path: `hosts[${organization_id}]`, from: expect.objectContaining({ role: "co_host" }), to: null },
    ]);
    expect(await hosts()).toEqual([[world.organizationId, "host"]]);
    expect((await tools.run("remove_event_cohost", { event_id, organization_id })).changes).toEqual([]);
  });

  it("never removes the host", async () => {
    const error = await tools.refusal("remove_event_cohost", { event_id, organization_id: world.organizationId });
    expect(error).toMatchObject({ code: "conflict", message: expect.stringContaining("set_event_primary_host") });
    expect(await hosts()).toHaveLength(2);
  });
});

describe("set_event_primary_host", () => {
  it("hands the event over; the old host is a co-host and may no longer change hosts", async () => {
    const args = { event_id, organization_id: world.cohostOrganizationId };
    const preview = await tools.run("set_event_primary_host", args);
    const commit = { ...preview.commit_with, reason: "for the test" };
    const done = await tools.run("set_event_primary_host", commit);
    expect(done.after).toEqual(preview.proposed);
    expect(await hosts()).toEqual([
      [world.cohostOrganizationId, "host"],
      [world.organizationId, "co_host"],
    ]);
    expect(await tools.run("set_event_primary_host", commit)).toMatchObject({ replayed: true, after: done.after });
    for (const name of hostTools) expect((await tools.refusal(name, args)).code).toBe("forbidden");
    expect((await tools.run("get_event_host_snapshot", { event_id })).may_change).toBe(false);
    const back = { event_id, organization_id: world.organizationId };
    await cohostTools.commit("set_event_primary_host", back);
    expect(await hosts()).toEqual([
      [world.organizationId, "host"],
      [world.cohostOrganizationId, "co_host"],
    ]);
  });

  it("may name an organization that did not co-host", async () => {
    await tools.commit("set_event_primary_host", { event_id, organization_id: world.otherOrganizationId });
    expect(await hosts()).toEqual([
      [world.otherOrganizationId, "host"],
      [world.organizationId, "co_host"],
      [world.cohostOrganizationId, "co_host"],
    ]);
    const key = await make.organizationKey(world.otherOrganizationId);
    expect((await service.call("/api/svc/posters", { key })).json.items).toHaveLength(1);
  });

  it("changes nothing for the host itself", async () => {
    const same = await tools.run("set_event_primary_host", { event_id, organization_id: world.organizationId });
    expect(same).toMatchObject({ changes: [], message: expect.any(String) });
  });
});

describe("who is meant", () => {
  it.each(hostTools)("%s wants exactly one known organization", async (name) => {
    const both = { organization_id: world.otherOrganizationId, slug: await slugOf(world.otherOrganizationId) };
    for (const wrong of [{}, both]) {
      const error = await tools.refusal(name, { event_id, ...wrong });
      expect(error).toMatchObject({ code: "invalid_input", message: expect.stringContaining("send either") });
    }
    for (const unknown of [{ organization_id: randomUUID() }, { organization_id: "no-such" }, { slug: "no'); --" }]) {
      const error = await tools.refusal(name, { event_id, ...unknown });
      expect(error).toMatchObject({ code: "not_found" });
      expect(error.message).toBe(`No organization has the id or slug ${Object.values(unknown)[0]}`);
    }
    for (const odd of ["", "a\u0000b", "\ud800", "x".repeat(201), 7]) {
      expect((await tools.refusal(name, { event_id, slug: odd })).code).toBe("invalid_input");
    }
    expect(await hosts()).toHaveLength(2);
  });

  it.each(hostTools)("%s is for the host, not for co-hosts", async (name) => {
    for (const organization_id of [world.otherOrganizationId, world.cohostOrganizationId, world.organizationId]) {
      expect(await cohostTools.refusal(name, { event_id, organization_id })).toMatchObject({
        code: "forbidden",
        message: "Only the host of this event may do this; your organization is a co-host",
      });
    }
    expect(await hosts()).toHaveLength(2);
  });

  it("co-hosts have all other tools of the event", async () => {
    await cohostTools.commit("update_event_details", { event_id, venue: "Hall 7" });
    await cohostTools.commit("create_event_segment", { event_id, title: "Encore", duration_minutes: 5 });
    const snapshot = await cohostTools.run("get_event_admin_snapshot", { event_id });
    expect(snapshot).toMatchObject({ event: { venue: "Hall 7" }, run_of_show: { segments: { length: 4 } } });
  });
});

describe("at the door", () => {
  it("admins change hosts, members look, and the key needs events:write", async () => {
    const { organizationId } = world;
    const member = await make.organizationKey(organizationId, { role: "member" });
    expect((await listNames(service, member)).filter((name) => hostTools.includes(name))).toEqual([]);
    const look = await callTool(service, member, "get_event_host_snapshot", { event_id });
    expect(look.result.structuredContent).toMatchObject({ event_id, may_change: false });
    const reader = await make.organizationKey(organizationId, { scopes: ["org:read", "org:write"] });
    const args = { event_id, organization_id: world.otherOrganizationId };
    for (const key of [member, reader]) {
      expect((await callTool(service, key, "add_event_cohost", args)).error.code).toBe(-32602);
    }
    const admin = await make.organizationKey(organizationId, { role: "admin", scopes: ["events:write"] });
    expect((await callTool(service, admin, "add_event_cohost", args)).result.structuredContent.changes).toHaveLength(1);
    expect((await callTool(service, admin, "get_event_host_snapshot", { event_id })).error.code).toBe(-32602);
  });
});
