import sql from "sql-template-tag";
import { beforeAll, describe, expect, it } from "vitest";
import { createEventFixture, type EventFixture } from "../support/event-fixture.js";
import { publicUrl } from "../support/service.js";
import { useService } from "../support/setup.js";
import { startConsole } from "./support.js";

const { service, make } = useService(startConsole);
let fixture: EventFixture;
let owner: string;
let member: string;
let stranger: string;

beforeAll(async () => {
  fixture = await createEventFixture(service.db);
  owner = await service.signIn(fixture.caller.userId);
  member = await service.signIn(await make.member(fixture.organizationId, "member"));
  stranger = await service.signIn(await make.user());
});

const toolPath = (tool: string) => `organizations/${fixture.organizationId}/tools/${tool}`;

describe("a console request", () => {
  it("is refused if a page of another site sends it", async () => {
    const path = toolPath("get_organization_admin_snapshot");
    const from = (origin: string) => service.post(path, owner, {}, { headers: { origin } });
    expect((await from("https://evil.example")).status).toBe(403);
    expect((await from("null")).status).toBe(403);
    expect((await from(publicUrl)).status).toBe(200);
    const without = await service.call(`/api/console/${path}`, {
      method: "POST",
      body: {},
      headers: { cookie: owner },
    });
    expect(without.status).toBe(403);
  });

  it("does not tell strangers which organizations exist", async () => {
    const known = await service.post(toolPath("get_organization_admin_snapshot"), stranger);
    const unknown = await service.post(
      "organizations/no-such-organization/tools/get_organization_admin_snapshot",
      stranger,
    );
    expect([known.status, unknown.status]).toEqual([404, 404]);
    expect(known.json.error).toBe(unknown.json.error);
    expect((await service.get("organizations/%00/keys", stranger)).status).toBe(404);
  });

  it("accepts an API key neither instead of the cookie nor in the body", async () => {
    const key = await make.organizationKey(fixture.organizationId);
    const path = `/api/console/${toolPath("get_organization_admin_snapshot")}`;
    const headers = { origin: service.url };
    expect((await service.call(path, { method: "POST", body: {}, key, headers })).status).toBe(401);
    expect((await service.post(toolPath("update_organization_profile"), owner, { description: key })).status).toBe(400);
  });

  it("takes a JSON object only", async () => {
    const path = toolPath("get_organization_admin_snapshot");
    const form = { headers: { "content-type": "application/x-www-form-urlencoded" } };
    expect((await service.post(path, owner, "a=b", form)).status).toBe(415);
    expect((await service.post(path, owner, "[1]")).status).toBe(400);
  });

  it("is limited per person", async () => {
    const limited = await startConsole({}, { consoleLimit: 2 });
    const path = toolPath("get_organization_admin_snapshot");
    const first = await limited.signIn(fixture.caller.userId);
    const second = await limited.signIn(fixture.caller.userId);
    const other = await limited.signIn(await make.member(fixture.organizationId));
    expect((await limited.post(path, first)).status).toBe(200);
    expect((await limited.post(path, second)).status).toBe(200);
    const refused = await limited.post(path, first);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await limited.post(path, other)).status).toBe(200);
    await limited.close();
  });
});

it("counts visitors by their network, of which an IPv6 subscriber has a /64", async () => {
  const limited = await startConsole({}, { consoleLimit: 2, trustedProxy: 1 });
  const statusFor = async (ip: string) =>
    (await limited.call("/api/console/session", { headers: { "x-forwarded-for": ip } })).status;
  const addresses = ["2001:db8:1:1::1", "2001:db8:1:1::2", "2001:db8:1:1::3", "2001:db8:1:2::1"];
  const statuses: number[] = [];
  for (const address of addresses) statuses.push(await statusFor(address));
  expect(statuses).toEqual([200, 200, 429, 200]);
  await limited.close();
});

describe("a tool in the console", () => {
  it("previews, commits once and records the person", async () => {
    const preview = await service.post(toolPath("update_organization_profile"), owner, {
      description: "From the console",
    });
    expect(preview.json.proposed).toEqual({ description: "From the console" });
    const commit = { ...preview.json.commit_with, reason: "tidying up" };
    const first = await service.post(toolPath("update_organization_profile"), owner, commit);
    const second = await service.post(toolPath("update_organization_profile"), owner, commit);
    expect(first.status).toBe(200);
    expect(second.json).toEqual(first.json);
    const [record] = await service.db.query(
      sql`select via, user_id, api_key_id, operator, reason from mutation_records where id = ${first.json.record_id}`,
    );
    expect(record).toEqual({
      via: "console",
      user_id: fixture.caller.userId,
      api_key_id: null,
      operator: null,
      reason: "tidying up",
    });
  });

  it("names the role that is missing", async () => {
    const { status, json } = await service.post(toolPath("update_organization_profile"), member, { description: "x" });
    expect(status).toBe(403);
    expect(json.error).toBe("This requires the role owner; you have the role member. Ask an owner of the organization");
  });

  it("reports what changed meanwhile on a version conflict", async () => {
    const preview = await service.post(toolPath("update_organization_profile"), owner, { description: "Mine" });
    await service.db.query(sql`update organizations set description = 'Theirs' where id = ${fixture.organizationId}`);
    const commit = { ...preview.json.commit_with, reason: "too late" };
    const { status, json } = await service.post(toolPath("update_organization_profile"), owner, commit);
    expect(status).toBe(409);
    expect(json).toMatchObject({
      code: "version_conflict",
      details: { current: { description: "Theirs" }, expected_version: expect.any(String) },
    });
  });

  it("is not found under an unknown name or one of another list", async () => {
    expect((await service.post(toolPath("no_such_tool"), owner)).status).toBe(404);
    expect((await service.post(toolPath("constructor"), owner)).status).toBe(404);
    expect((await service.post(toolPath("create_conference"), owner)).status).toBe(404);
  });
});
