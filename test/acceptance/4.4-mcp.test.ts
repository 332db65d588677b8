import { randomUUID } from "node:crypto";
import sql from "sql-template-tag";
import { beforeAll, describe, expect, it } from "vitest";
import type { Role } from "../../contract/roles.js";
import type { Scope } from "../../contract/scopes.js";
import { callTool, legacy, listNames, modern, modernHeaders, post } from "../mcp/messages.js";
import { createEventFixture, type EventFixture } from "../support/event-fixture.js";
import { startService } from "../support/service.js";
import { useService } from "../support/setup.js";
import { specTable } from "./spec-table.js";
import { toolArguments } from "./tool-arguments.js";
import { toolClient } from "./tool-client.js";

// Section 4.4 of the specification: the MCP endpoint, its tools, and who sees which of them. The mutation contract has its
// own file. Tools that are additions to the specification are not named here.

const unlimited = { rest: 1_000_000, ticketing: 1_000_000, mcp: 1_000_000 };
const { service, db, make } = useService(() => startService({ limits: unlimited }));
let fixture: EventFixture;
let key: string;

beforeAll(async () => {
  fixture = await createEventFixture(db);
  key = await make.organizationKey(fixture.organizationId, { userId: fixture.caller.userId });
});

const groups = specTable(`
  | Group | Tools |
  |---|---|
  | organization | get_organization_admin_snapshot, update_organization_profile, update_organization_branding, set_organization_logo_urls |
  | event_management | get_event_admin_snapshot, update_event_details, get_event_host_snapshot, add_event_cohost, remove_event_cohost, set_event_primary_host |
  | speakers | add_event_speaker, update_event_speaker, remove_event_speaker, reorder_event_speakers |
  | registrations | list_event_registrations, get_event_registration_details, add_event_guest, approve_event_registration, decline_event_registration, waitlist_event_registration, restore_event_registration, batch_update_event_registrations, set_event_registration_check_in |
  | production | get_event_asset_workspace, generate_event_poster_draft, set_event_poster_publication, get_event_run_of_show, create_event_segment, update_event_segment, reorder_event_segments, set_event_run_of_show_publication |`);

type Tool = { group: string; name: string };
const tools: Tool[] = groups.flatMap(([group = "", names = ""]) => names.split(", ").map((name) => ({ group, name })));
const isRead = (name: string) => /^(get|list)_/.test(name);
const isHostTool = (name: string) => /(_cohost|_primary_host)$/.test(name);
const namesOf = (which: Tool[]) => which.map(({ name }) => name).sort();

/** The tools of the specification that a key gets. */
async function listedFor(who: string, by = service): Promise<string[]> {
  const listed = await listNames(by, who);
  return listed.filter((name) => tools.some((tool) => tool.name === name)).sort();
}

describe("4.4 endpoint", () => {
  it("Address: {base_url}/api/mcp", async () => {
    expect((await post(service, key, legacy("ping"))).status).toBe(200);
  });

  it("Transport: JSON-RPC 2.0", async () => {
    const { json, headers } = await post(service, key, legacy("ping", undefined, "seven"));
    expect(headers.get("content-type")).toMatch(/^application\/json\b/);
    expect(json).toEqual({ jsonrpc: "2.0", id: "seven", result: {} });
    const unknown = await post(service, key, legacy("no/such/method"));
    expect(unknown.json).toMatchObject({ jsonrpc: "2.0", id: 1, error: { code: -32601 } });
  });

  it("Transport: stateless, no session is made, and tools/list and tools/call need no initialize", async () => {
    const { headers } = await post(service, key, initialize("2025-11-25"));
    expect(headers.get("mcp-session-id")).toBeNull();
    const fresh = await make.organizationKey(fixture.organizationId);
    expect(await listNames(service, fresh)).not.toEqual([]);
    const { result } = await callTool(service, fresh, "get_organization_admin_snapshot");
    expect(result.structuredContent.organization.id).toBe(fixture.organizationId);
  });

  it.each(["2025-11-25", "2025-06-18", "2025-03-26"])("Discovery: initialize %s, then tools/list", async (version) => {
    const { json } = await post(service, key, initialize(version));
    expect(json.result).toMatchObject({ protocolVersion: version, capabilities: { tools: {} } });
    const listed = await post(service, key, legacy("tools/list"), { "mcp-protocol-version": version });
    expect(listed.json.result.tools).not.toEqual([]);
  });

  it("Discovery: server/discover of 2026-07-28, then tools/list", async () => {
    const { status, json } = await post(service, key, modern("server/discover"), modernHeaders("server/discover"));
    expect(status, JSON.stringify(json)).toBe(200);
    const listed = await post(service, key, modern("tools/list"), modernHeaders("tools/list"));
    expect(listed.json.result.tools).not.toEqual([]);
  });
});

describe.each(groups)("4.4 tool group %s", (group, names) => {
  it.each(names.split(", "))("%s is listed in its group with a title and its hints", async (name) => {
    const { json } = await post(service, key, legacy("tools/list"));
    const tool = json.result.tools.find((listed: { name: string }) => listed.name === name);
    expect(tool).toMatchObject({
      title: expect.any(String),
      description: expect.any(String),
      inputSchema: { type: "object" },
      annotations: {
        readOnlyHint: isRead(name),
        destructiveHint: expect.any(Boolean),
        idempotentHint: expect.any(Boolean),
        openWorldHint: expect.any(Boolean),
      },
      _meta: { group },
    });
  });

  it.each(names.split(", "))("%s is in its group in the API description", async (name) => {
    const described = (await service.call("/api/svc")).json.mcp.groups.find(
      (one: { group: string }) => one.group === group,
    );
    expect(described.tools.map((tool: { name: string }) => tool.name)).toContain(name);
  });

  it.each(names.split(", "))("%s is callable", async (name) => {
    const result = await toolClient(service, key).run(name, toolArguments(name, { ...fixture, recordId: "" }));
    expect(result).toMatchObject(isRead(name) ? {} : { dry_run: true });
  });
});

describe("4.4 discovery: the tools listed are filtered by", () => {
  it("key tier", async () => {
    for (const other of [await make.superAdminKey(), await make.conferenceKey(await make.conference())]) {
      expect((await post(service, other, legacy("tools/list"))).status).toBe(403);
      expect((await post(service, other, legacy("tools/call", { name: tools[0]?.name }))).status).toBe(403);
    }
  });

  const changes =
    (...of: string[]) =>
    ({ name, group }: Tool) =>
      !isRead(name) && of.includes(group);
  const byScope: [Scope, (tool: Tool) => boolean][] = [
    ["conferences:read", () => false],
    ["org:read", ({ name, group }) => isRead(name) && group !== "registrations"],
    ["org:write", changes("organization")],
    ["events:write", changes("event_management", "speakers", "production")],
    ["registrations:read", ({ name, group }) => isRead(name) && group === "registrations"],
    ["registrations:write", changes("registrations")],
  ];

  it.each(byScope)("scopes: %s", async (scope, expected) => {
    const limited = await make.organizationKey(fixture.organizationId, { scopes: [scope] });
    expect(await listedFor(limited)).toEqual(namesOf(tools.filter(expected)));
  });

  const byRole: [Role, (tool: Tool) => boolean][] = [
    ["member", ({ name }) => isRead(name) || name === "set_event_registration_check_in"],
    ["admin", ({ name, group }) => isRead(name) || group !== "organization"],
    ["owner", () => true],
  ];

  it.each(byRole)("the role: %s", async (role, expected) => {
    expect(await listedFor(await make.organizationKey(fixture.organizationId, { role }))).toEqual(
      namesOf(tools.filter(expected)),
    );
  });

  it("the live role: a change counts from the next request on", async () => {
    const userId = await make.member(fixture.organizationId, "owner");
    const own = await make.organizationKey(fixture.organizationId, { userId });
    expect(await listedFor(own)).toContain("update_organization_profile");
    await db.query(sql`update members set role = 'member' where user_id = ${userId}`);
    expect(await listedFor(own)).not.toContain("update_organization_profile");
    const { error } = await callTool(service, own, "update_organization_profile", { name: "Other" });
    expect(error).toMatchObject({ code: -32602 });
  });

  it("a deployment allowlist", async () => {
    const deployment = await startService({ limits: unlimited, mcpTools: ["speakers", "get_event_run_of_show"] });
    const listed = await listedFor(key, deployment);
    const { error } = await callTool(deployment, key, "get_organization_admin_snapshot");
    await deployment.close();
    expect(listed).toEqual(
      namesOf(tools.filter(({ group, name }) => group === "speakers" || name === "get_event_run_of_show")),
    );
    expect(error).toMatchObject({ code: -32602 });
  });

  it("event ownership: event tools need an event that the organization hosts or co-hosts", async () => {
    const without = await make.organizationKey(await make.organization());
    expect(await listedFor(without)).toEqual(namesOf(tools.filter(({ group }) => group === "organization")));
    const cohost = await make.organizationKey(fixture.cohostOrganizationId);
    const forCohosts = namesOf(tools.filter(({ name }) => !isHostTool(name)));
    expect(await listedFor(cohost)).toEqual(expect.arrayContaining(forCohosts));
  });

  it("and a tool that is not listed answers like an unknown one", async () => {
    const member = await make.organizationKey(fixture.organizationId, { role: "member" });
    const hidden = await callTool(service, member, "update_organization_profile");
    const unknown = await callTool(service, member, "no_such_tool");
    expect(hidden.error.code).toBe(unknown.error.code);
    expect(hidden.error.message.replace("update_organization_profile", "no_such_tool")).toBe(unknown.error.message);
  });
});

describe("4.4: event and registration tools accept only events with the host or co-host role", () => {
  let thirdOrganizationId: string;
  beforeAll(async () => {
    thirdOrganizationId = await make.organization();
    await db.query(sql`
      insert into event_hosts (event_id, organization_id, role, position)
      values (${fixture.eventId}, ${thirdOrganizationId}, 'co_host', 2)`);
  });

  const eventTools = namesOf(tools.filter(({ group }) => group !== "organization"));

  it.each(eventTools)("%s refuses an event of another organization", async (name) => {
    const foreign = await createEventFixture(db);
    const error = await toolClient(service, key).refusal(name, toolArguments(name, { ...foreign, recordId: "" }));
    expect(error.code).toBe("forbidden");
  });

  it.each(eventTools.filter((name) => !isHostTool(name)))("%s accepts an event with the co-host role", async (name) => {
    const cohost = toolClient(service, await make.organizationKey(fixture.cohostOrganizationId));
    await cohost.run(name, toolArguments(name, { ...fixture, recordId: "" }));
  });

  it.each(eventTools.filter(isHostTool))("%s of another organization wants the host role", async (name) => {
    const cohost = toolClient(service, await make.organizationKey(fixture.cohostOrganizationId));
    const organization_id = name === "remove_event_cohost" ? thirdOrganizationId : fixture.otherOrganizationId;
    const error = await cohost.refusal(name, { event_id: fixture.eventId, organization_id });
    expect(error.code).toBe("forbidden");
  });
});

describe("4.4: input and results of tools", () => {
  const client = () => toolClient(service, key);

  it.each(namesOf(tools))("%s refuses an unknown argument by name", async (name) => {
    const args = toolArguments(name, { ...fixture, recordId: "" });
    const error = await client().refusal(name, { ...args, no_such_argument: 1 });
    expect(error).toMatchObject({ code: "invalid_input", message: expect.stringContaining("no_such_argument") });
  });

  it('"true" and "false" count as booleans, nothing else does', async () => {
    const args = { event_id: fixture.eventId };
    await client().run("set_event_run_of_show_publication", { ...args, published: "true" });
    for (const published of ["yes", 1, "TRUE", null]) {
      const error = await client().refusal("set_event_run_of_show_publication", { ...args, published });
      expect(error).toMatchObject({ code: "invalid_input", message: expect.stringContaining("published") });
    }
  });

  it("an error is a result with isError, a code and a message, and says the same as text", async () => {
    const result = await client().call("get_event_admin_snapshot", { event_id: randomUUID() });
    expect(result).toMatchObject({ isError: true, structuredContent: { error: { code: "not_found" } } });
    expect(result.content[0]).toMatchObject({ type: "text", text: expect.stringContaining("not_found") });
  });

  it("a roster is paged: 50 by default, 200 at most", async () => {
    const { pagination, counts } = await client().run("list_event_registrations", {
      event_id: fixture.eventId,
      limit: 1,
    });
    expect(pagination).toMatchObject({ has_more: true, next_cursor: expect.any(String), count: 1 });
    expect(counts).toEqual(expect.any(Object));
    const schema = (await post(service, key, legacy("tools/list"))).json.result.tools.find(
      ({ name }: { name: string }) => name === "list_event_registrations",
    ).inputSchema;
    expect(schema.properties.limit).toMatchObject({ default: 50, maximum: 200 });
  });
});

function initialize(protocolVersion: string): Record<string, unknown> {
  return legacy("initialize", { protocolVersion, capabilities: {}, clientInfo: { name: "test", version: "1" } });
}
