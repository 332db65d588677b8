import { randomUUID } from "node:crypto";
import sql from "sql-template-tag";
import { describe, expect, it } from "vitest";
import { scopes } from "../../contract/scopes.js";
import { useEvent, useService } from "../support/setup.js";
import { changesOf } from "../support/tool-runner.js";
import { callTool, listNames } from "./messages.js";
import { storedHosts } from "./stored-hosts.js";

const { service, db, make } = useService();
const { fixture, tools } = useEvent(db);

const cohostTools = () => tools.as({ organizationId: fixture.cohostOrganizationId });

const hosts = () => storedHosts(db, fixture.eventId);

const slugOf = async (organizationId: string) => {
  const [row] = await db.query<{ slug: string }>(sql`select slug from organizations where id = ${organizationId}`);
  return row?.slug ?? "";
};

const hostTools = ["add_event_cohost", "remove_event_cohost", "set_event_primary_host"];

describe("get_event_host_snapshot", () => {
  it("shows the host first, and whether the caller may change the hosts", async () => {
    const snapshot = await tools.run("get_event_host_snapshot");
    expect(snapshot).toEqual({
      event_id: fixture.eventId,
      hosts: [
        {
          organization_id: fixture.organizationId,
          name: "Harbour Works",
          slug: await slugOf(fixture.organizationId),
          role: "host",
          position: 0,
        },
        {
          organization_id: fixture.cohostOrganizationId,
          name: "Next Door",
          slug: expect.any(String),
          role: "co_host",
          position: 1,
        },
      ],
      may_change: true,
    });
    const mayChange = async (changes: Partial<typeof fixture.caller>) =>
      (await tools.as(changes).run("get_event_host_snapshot")).may_change;
    expect(await mayChange({ role: "admin" })).toBe(true);
    expect(await mayChange({ role: "member" })).toBe(false);
    expect(await mayChange({ scopes: scopes.filter((scope) => scope !== "events:write") })).toBe(false);
    expect(await mayChange({ organizationId: fixture.cohostOrganizationId })).toBe(false);
  });
});

describe("add_event_cohost", () => {
  it("appends a co-host by id, case-insensitively, or by slug", async () => {
    await tools.commit("add_event_cohost", { organization_id: fixture.otherOrganizationId.toUpperCase() });
    const third = await make.organization("Third");
    await db.query(sql`update organizations set slug = ${`third-${fixture.eventId}`} where id = ${third}`);
    const result = await tools.commit("add_event_cohost", { organization_id: `third-${fixture.eventId}` });
    expect(result.after.organization).toEqual({ id: third, name: "Third", slug: `third-${fixture.eventId}` });
    const fourth = await make.organization();
    await tools.commit("add_event_cohost", { slug: await slugOf(fourth) });
    expect(await hosts()).toEqual([
      [fixture.organizationId, "host"],
      [fixture.cohostOrganizationId, "co_host"],
      [fixture.otherOrganizationId, "co_host"],
      [third, "co_host"],
      [fourth, "co_host"],
    ]);
  });

  it("gives the co-host's keys access immediately, and removal revokes it", async () => {
    const key = await make.organizationKey(fixture.otherOrganizationId, { role: "admin" });
    const status = async () => (await service.call(`/api/svc/events/${fixture.eventId}/posters`, { key })).status;
    const posters = async () => (await service.call("/api/svc/posters", { key })).json.items.length;
    expect([await status(), await posters()]).toEqual([403, 0]);
    expect(await listNames(service, key)).not.toContain("update_event_details");
    await tools.commit("add_event_cohost", { organization_id: fixture.otherOrganizationId });
    expect([await status(), await posters()]).toEqual([200, 1]);
    const { result } = await callTool(service, key, "update_event_details", {
      event_id: fixture.eventId,
      venue: "Hall 2",
    });
    expect(changesOf(result.structuredContent)).toMatchObject([{ path: "venue", to: "Hall 2" }]);
    await tools.commit("remove_event_cohost", { organization_id: fixture.otherOrganizationId });
    expect([await status(), await posters()]).toEqual([403, 0]);
    expect(await listNames(service, key)).not.toContain("update_event_details");
  });

  it("prefers an id to an equal slug of another organization", async () => {
    const impostor = await make.organization("Impostor");
    await db.query(sql`update organizations set slug = ${fixture.otherOrganizationId} where id = ${impostor}`);
    const preview = await tools.run("add_event_cohost", { organization_id: fixture.otherOrganizationId });
    expect(preview.current.organization).toMatchObject({ id: fixture.otherOrganizationId, name: "Far Away" });
    const bySlug = await tools.run("add_event_cohost", { slug: fixture.otherOrganizationId });
    expect(bySlug.current.organization.id).toBe(impostor);
    const nobody = randomUUID();
    await db.query(sql`update organizations set slug = ${nobody} where id = ${impostor}`);
    const refusal = await tools.refusal("add_event_cohost", { organization_id: nobody });
    expect(refusal.code).toBe("not_found");
  });
});

describe("remove_event_cohost", () => {
  it("lets a co-host leave, and nobody else", async () => {
    for (const organization_id of [fixture.organizationId, fixture.otherOrganizationId]) {
      const error = await cohostTools().refusal("remove_event_cohost", { organization_id });
      expect(error).toMatchObject({ code: "forbidden", message: expect.stringContaining("may only leave itself") });
      expect(error.message).toContain(`name ${await slugOf(fixture.cohostOrganizationId)}`);
    }
    const left = await cohostTools().commit("remove_event_cohost", { organization_id: fixture.cohostOrganizationId });
    expect(left.preview.warnings).toEqual([
      {
        code: "cannot_take_back",
        message: "You leave “Test Event”: this key cannot see it afterwards; only Harbour Works can add you again",
        path: "hosts",
      },
    ]);
    expect(left.after.hosts).toMatchObject([{ id: fixture.organizationId, role: "host" }]);
    expect(await hosts()).toEqual([[fixture.organizationId, "host"]]);
    expect((await cohostTools().refusal("get_event_admin_snapshot")).code).toBe("forbidden");
  });

  it("answers a repeated departure from the last event as before, and nothing else", async () => {
    const { eventId: event_id, cohostOrganizationId: organization_id } = fixture;
    const key = await make.organizationKey(organization_id, { role: "admin" });
    const call = async (name: string, args: object) => await callTool(service, key, name, { event_id, ...args });
    const preview = await call("remove_event_cohost", { organization_id });
    const commit = { ...preview.result.structuredContent.commit_with, reason: "we have no people for it" };
    const first = (await call("remove_event_cohost", commit)).result.structuredContent;
    expect(first.after.hosts).toHaveLength(1);
    expect(await listNames(service, key)).not.toContain("remove_event_cohost");
    const again = (await call("remove_event_cohost", commit)).result.structuredContent;
    expect(again).toEqual(first);
    const unknown = { code: -32602, message: "Unknown tool: remove_event_cohost" };
    for (const args of [
      { organization_id },
      { ...commit, reason: "another reason" },
      { ...commit, idempotency_key: randomUUID() },
    ]) {
      expect((await call("remove_event_cohost", args)).error).toEqual(unknown);
    }
    expect((await call("list_event_registrations", { idempotency_key: "12345678" })).error.code).toBe(-32602);
  });

  it("removes a co-host, and changes nothing for an organization that is none", async () => {
    const organization_id = fixture.cohostOrganizationId;
    const result = await tools.commit("remove_event_cohost", { organization_id });
    expect(result.preview.warnings).toEqual([]);
    expect(changesOf(result.preview)).toEqual([
      { path: `hosts[${organization_id}]`, from: expect.objectContaining({ role: "co_host" }), to: null },
    ]);
    expect(await hosts()).toEqual([[fixture.organizationId, "host"]]);
    expect(changesOf(await tools.run("remove_event_cohost", { organization_id }))).toEqual([]);
  });
});

describe("the organization argument", () => {
  it.each(hostTools)("%s requires exactly one known organization", async (name) => {
    const both = { organization_id: fixture.otherOrganizationId, slug: await slugOf(fixture.otherOrganizationId) };
    for (const wrong of [{}, both]) {
      const error = await tools.refusal(name, wrong);
      expect(error).toMatchObject({
        code: "invalid_input",
        message: expect.stringContaining("send exactly one of organization_id"),
      });
    }
    for (const unknown of [{ organization_id: randomUUID() }, { organization_id: "no-such" }, { slug: "no'); --" }]) {
      const error = await tools.refusal(name, unknown);
      expect(error).toMatchObject({ code: "not_found" });
      expect(error.message).toMatch(/^No organization has the (id|slug or name) /);
      expect(error.message).toContain(Object.values(unknown)[0]);
    }
    for (const odd of ["", "a\u0000b", "\ud800", "x".repeat(201), 7]) {
      expect((await tools.refusal(name, { slug: odd })).code).toBe("invalid_input");
    }
    expect(await hosts()).toHaveLength(2);
  });

  it.each(["add_event_cohost", "set_event_primary_host"])(
    "%s is available to the host, not to co-hosts",
    async (name) => {
      for (const organization_id of [
        fixture.otherOrganizationId,
        fixture.cohostOrganizationId,
        fixture.organizationId,
      ]) {
        expect(await cohostTools().refusal(name, { organization_id })).toMatchObject({
          code: "forbidden",
          message:
            "Only the host of this event may do this; your organization is a co-host. Ask the host: get_event_host_snapshot names it",
        });
      }
      expect(await hosts()).toHaveLength(2);
    },
  );
});
