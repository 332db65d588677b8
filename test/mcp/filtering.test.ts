import sql from "sql-template-tag";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { type Role, roles } from "../../contract/roles.js";
import { type Scope, scopes } from "../../contract/scopes.js";
import { type ToolServices, tools } from "../../src/registry.js";
import { deployedTools, isAvailable } from "../../src/runner/availability.js";
import type { Tool } from "../../src/runner/mutation.js";
import { defineEventRead, defineRead } from "../../src/runner/tool.js";
import { startService } from "../support/service.js";
import { useService } from "../support/setup.js";
import { type ToolPermissions, toolPermissions } from "../support/tool-permissions.js";
import { callTool, legacy, listNames, post } from "./messages.js";
import { startEndpoint } from "./start-endpoint.js";

type Permissions = Pick<ToolPermissions, "name" | "group" | "scope" | "role" | "event">;

/** A tool for every scope and every role, so that each condition is tested in isolation. */
const probes: Permissions[] = [
  ...scopes.map((scope) => probe(scope, "member", null)),
  ...roles.map((role) => probe("conferences:read", role, "host_or_co_host")),
];

const all: Tool<ToolServices>[] = [...tools, ...probes.map(declare)];

/** Written out rather than derived from the declarations under test. */
const permissions: Permissions[] = [...toolPermissions, ...probes];

const { service, db, make } = useService(() => startEndpoint(all));

describe("a single condition", () => {
  it.each(scopes)("scope: a key with %s has the tools of that scope", async (scope) => {
    const { key } = await hostKey({ scopes: [scope] });
    await expectExactly(key, (tool) => [tool.scope].flat().includes(scope));
  });

  it.each([
    ["member", ["member"]],
    ["admin", ["member", "admin"]],
    ["owner", ["member", "admin", "owner"]],
  ] as [Role, Role[]][])("role: %s has the tools of %j", async (role, included) => {
    const { key } = await hostKey({ role });
    await (role === "owner" ? expectExactly : expectCallable)(key, (tool) => included.includes(tool.role));
  });

  it("event ownership: without an event only the other tools are available", async () => {
    const key = await make.organizationKey(await make.organization());
    await expectCallable(key, (tool) => tool.event === null);
  });

  it("event ownership: a co-hosted event suffices, a hidden one does not", async () => {
    const [host, coHost, drafting] = [await make.organization(), await make.organization(), await make.organization()];
    const conference = await make.conference();
    await make.event(conference, { hosts: [host, coHost] });
    await make.event(conference, { hosts: [drafting], status: "draft" });
    await expectExactly(await make.organizationKey(coHost), () => true);
    await expectExactly(await make.organizationKey(drafting), (tool) => tool.event === null);
  });

  it("tier: keys of other tiers have no tools", async () => {
    const others = { hostsEvents: true, hasOffers: true, deployed: new Set(all.map(({ name }) => name)) };
    const via = { kind: "key", keyId: "", keyName: "", expiresAt: null, lastUsedAt: null } as const;
    for (const tool of all) {
      expect(isAvailable(tool, { ...others, caller: { via, tier: "super-admin", userId: null } })).toBe(false);
      const conferenceKey = { via, tier: "conference", conferenceId: "", userId: null } as const;
      expect(isAvailable(tool, { ...others, caller: conferenceKey })).toBe(false);
    }
    for (const key of [await make.superAdminKey(), await make.conferenceKey(await make.conference())]) {
      expect((await post(service, key, legacy("tools/list"))).status).toBe(403);
      expect((await post(service, key, legacy("tools/call", { name: all[0]?.name }))).status).toBe(403);
    }
  });

  it.each([
    ["a group", ["organization"], (tool: Permissions) => tool.group === "organization"],
    ["a tool", ["update_organization_profile"], (tool: Permissions) => tool.name === "update_organization_profile"],
    [
      "both",
      ["event_management", "update_organization_profile"],
      (tool: Permissions) => tool.group === "event_management" || tool.name === "update_organization_profile",
    ],
    ["everything", ["*"], () => true],
    ["nothing", [], () => false],
  ])("deployment: MCP_TOOLS may name %s", async (_name, allowlist, expected) => {
    const deployment = await startEndpoint(all, allowlist);
    const { key } = await hostKey({});
    await expectExactly(key, expected, deployment);
    await deployment.close();
  });

  it("deployment: an unknown name in MCP_TOOLS prevents the start and is reported with the known ones", async () => {
    await expect(startService({ mcpTools: ["organization", "speeches"] })).rejects.toThrow(
      /^MCP_TOOLS: unknown entry: speeches; expected \*, or a comma-separated list of groups \(organization, .*\) and tool names/,
    );
    expect(() => deployedTools(tools, ["Organization"])).toThrow("MCP_TOOLS");
  });

  it("deployment: applies to the service and its description", async () => {
    const deployment = await startService({ mcpTools: ["update_organization_profile"] });
    const { key } = await hostKey({});
    expect(await listNames(deployment, key)).toEqual(["update_organization_profile"]);
    const { json } = await deployment.call("/api/svc");
    const described = json.mcp.groups.flatMap((group: { tools: { name: string }[] }) => group.tools);
    expect(described.map(({ name }: { name: string }) => name)).toEqual(["update_organization_profile"]);
    await deployment.close();
  });
});

describe("several conditions", () => {
  it("must all be met", async () => {
    const deployment = await startEndpoint(all, ["production"]);
    const { key } = await hostKey({ role: "admin", scopes: ["events:write", "registrations:read"] });
    await expectCallable(
      key,
      ({ scope, role, group }) =>
        (scope === "events:write" || scope === "registrations:read") && role !== "owner" && group === "production",
      deployment,
    );
    const without = await make.organizationKey(await make.organization(), { role: "admin", scopes: ["events:write"] });
    await expectExactly(
      without,
      ({ scope, role, group, event }) =>
        scope === "events:write" && role !== "owner" && group === "production" && event === null,
      deployment,
    );
    await deployment.close();
  });

  it("an unavailable tool gets the same response as an unknown one", async () => {
    const { key } = await hostKey({ role: "member" });
    const hidden = await post(service, key, legacy("tools/call", { name: "update_organization_profile" }));
    const unknown = await post(service, key, legacy("tools/call", { name: "update_organization_profilf" }));
    expect(hidden.status).toBe(unknown.status);
    expect(hidden.text).toBe(unknown.text.replace("profilf", "profile"));
  });
});

describe("changes while connected", () => {
  it("a change of role takes effect with the next request", async () => {
    const { key, userId } = await hostKey({ role: "owner" });
    const setRole = (role: Role) => db.query(sql`update members set role = ${role} where user_id = ${userId}`);
    await expectExactly(key, () => true);
    await setRole("member");
    await expectExactly(key, (tool) => tool.role === "member");
    await setRole("admin");
    await expectExactly(key, (tool) => tool.role !== "owner");
  });

  it("losing the last event and gaining the first take effect with the next request", async () => {
    const { key, organizationId, eventId } = await hostKey({});
    await db.query(sql`update events set status = 'archived' where id = ${eventId}`);
    await expectExactly(key, (tool) => tool.event === null);
    await make.event(await make.conference(), { hosts: [organizationId] });
    await expectExactly(key, () => true);
  });

  it("a key is rejected once it is revoked or its user leaves", async () => {
    const [revoked, left] = [await hostKey({}), await hostKey({})];
    expect((await post(service, revoked.key, legacy("ping"))).status).toBe(200);
    await db.query(sql`update api_keys set revoked_at = now() where created_by = ${revoked.userId}`);
    expect((await post(service, revoked.key, legacy("ping"))).status).toBe(401);
    await db.query(sql`delete from members where user_id = ${left.userId}`);
    expect((await post(service, left.key, legacy("tools/list"))).status).toBe(401);
  });
});

async function hostKey(options: { role?: Role; scopes?: Scope[] }) {
  const organizationId = await make.organization();
  const eventId = await make.event(await make.conference(), { hosts: [organizationId] });
  const userId = await make.member(organizationId, options.role);
  return { organizationId, eventId, userId, key: await make.organizationKey(organizationId, { ...options, userId }) };
}

/** Expects that exactly these tools are listed, in order. */
async function expectExactly(key: string, expected: (tool: Permissions) => boolean, endpoint = service): Promise<void> {
  expect(await listNames(endpoint, key)).toEqual(permissions.filter(expected).map(({ name }) => name));
}

/** Expects that exactly these tools are listed and can be called. */
async function expectCallable(
  key: string,
  expected: (tool: Permissions) => boolean,
  endpoint = service,
): Promise<void> {
  await expectExactly(key, expected, endpoint);
  const names = permissions.filter(expected).map(({ name }) => name);
  const responses = await Promise.all(
    all.map(async ({ name }) => ({ name, json: await callTool(endpoint, key, name, { no_such_argument: 1 }) })),
  );
  for (const { name, json } of responses) {
    if (names.includes(name))
      expect(json.result.structuredContent.error, name).toMatchObject({ code: "invalid_input" });
    else expect(json.error, name).toEqual({ code: -32602, message: `Unknown tool: ${name}` });
  }
}

function probe(scope: Scope, role: Role, event: Permissions["event"]): Permissions {
  const name = `probe_${scope.replace(":", "_")}_${role}_${event ?? "no_event"}`;
  return { name, group: "production", scope, role, event };
}

function declare({ event, ...permissions }: Permissions): Tool {
  const declaration = {
    ...permissions,
    title: permissions.name,
    description: "Declared for a test.",
    input: z.object({}),
    output: z.object({}),
    read: async () => ({}),
  };
  return event === null ? defineRead(declaration) : defineEventRead({ ...declaration, event });
}
