import sql from "sql-template-tag";
import { describe, expect, it } from "vitest";
import { type Role, roles } from "../../contract/roles.js";
import { type Scope, scopes } from "../../contract/scopes.js";
import type { OrganizationCaller } from "../../src/access/caller.js";
import { instructionsFor } from "../../src/mcp/instructions.js";
import { prepareTools } from "../../src/mcp/tool-list.js";
import { tools } from "../../src/registry.js";
import { publicUrl } from "../support/service.js";
import { useService } from "../support/setup.js";
import { callTool, legacy, modern, modernHeaders, post } from "./messages.js";
import { startEndpoint } from "./start-endpoint.js";

const { service, db, make } = useService(() => startEndpoint(tools));

/** The schemas of all tools take a while to prepare. */
const everything = prepareTools(tools, ["*"]);

const via = { kind: "key", keyId: "", keyName: "", expiresAt: null, lastUsedAt: null } as const;

function textFor(
  granted: Scope[],
  role: Role,
  more: { hostsEvents?: boolean; via?: OrganizationCaller["via"]; allowlist?: string[]; selected?: string[] } = {},
): string {
  const caller = {
    via: more.via ?? via,
    tier: "organization",
    organizationId: "",
    userId: "",
    scopes: granted,
    role,
  } as const;
  const selected = more.selected === undefined ? {} : { selected: new Set(more.selected) };
  const view = { caller, hostsEvents: more.hostsEvents ?? true, hasOffers: false, ...selected };
  const names = { person: "A".repeat(200), organization: "O".repeat(200), slug: "o".repeat(60) };
  const list = more.allowlist === undefined ? everything : prepareTools(tools, more.allowlist);
  return instructionsFor(list, view, names, "https://events.example.com");
}

describe("instructions", () => {
  it("say who a key acts for, which tools it has, and what the others require", async () => {
    const organization = await make.organization();
    await make.event(await make.conference(), { hosts: [organization] });
    const userId = await make.member(organization, "member");
    await db.query(sql`update users set name = 'Aiko Tanabe' where id = ${userId}`);
    await db.query(sql`update organizations set name = 'Tidewater Labs' where id = ${organization}`);
    const [slug] = await db.query<{ slug: string }>(sql`select slug from organizations where id = ${organization}`);
    const key = await make.organizationKey(organization, { userId });
    const { json } = await post(service, key, legacy("initialize", { protocolVersion: "2025-11-25" }));
    const { instructions } = json.result;
    expect(instructions).toMatch(
      /^This key acts for Aiko Tanabe, member of Tidewater Labs\. Tools: organization: 3 of 6 \(needs role owner\), event_management: read only \(needs role admin\), speakers: none \(needs role admin\), registrations: 3 of 9 \(needs role admin\), production: read only \(needs role admin\)\. Start with get_organization_admin_snapshot/,
    );
    expect(instructions).toContain(`${publicUrl}/o/${slug?.slug}/settings`);
    const discovered = await post(service, key, modern("server/discover"), modernHeaders("server/discover"));
    expect(discovered.json.result).toMatchObject({ instructions, ttlMs: 60_000, cacheScope: "private" });
  });

  it.each([
    [
      "everything",
      textFor([...scopes], "owner"),
      "Tools: organization: all, event_management: all, speakers: all, registrations: all, production: all.",
    ],
    [
      "a missing scope",
      textFor(["org:read"], "owner"),
      "organization: read only (needs scope org:write), event_management: read only (needs scope events:write), speakers: none (needs scope events:write), registrations: none (needs scope registrations:read, scope registrations:write)",
    ],
    [
      "a scope and a role",
      textFor(["registrations:read"], "member"),
      "registrations: read only (needs scope registrations:write, role admin)",
    ],
    ["no event", textFor([...scopes], "admin", { hostsEvents: false }), "speakers: none (needs a hosted event)"],
    [
      "the deployment",
      textFor([...scopes], "owner", { allowlist: ["organization"] }),
      "organization: all, event_management: none (not in this deployment)",
    ],
    [
      "the client",
      textFor([...scopes], "owner", { selected: ["list_changes"] }),
      "organization: 1 of 6 (not selected by ?tools=)",
    ],
    ["a token", textFor([...scopes], "owner", { via: { kind: "session", sessionId: "" } }), "This connection acts for"],
  ])("say why tools are missing: %s", (_reason, text, expected) => {
    expect(text).toContain(expected);
  });

  it("begin with a tool that the caller has, and describe changes only to those who can make them", () => {
    expect(textFor(["registrations:read"], "member")).toContain("Start with list_event_registrations without event_id");
    expect(textFor(["registrations:read"], "member")).not.toMatch(/get_organization_admin_snapshot|commit_with/);
    expect(textFor([], "member")).not.toContain("Start with");
    expect(textFor([...scopes], "owner")).toContain("current (before), proposed (after), warnings and commit_with");
  });

  it.each([
    ["the client", textFor(["org:read"], "owner", { selected: ["list_changes"] }), "not selected by ?tools="],
    ["the deployment", textFor(["org:read"], "owner", { allowlist: ["list_changes"] }), "not in this deployment"],
    ["scopes", textFor(["events:write"], "owner"), "needs scope org:read or needs scope registrations:read"],
    [
      "both",
      textFor(["org:read"], "owner", { allowlist: ["list_changes", "registrations"] }),
      "not in this deployment or needs scope registrations:read",
    ],
  ])("say why no tool lists events: %s", (_reason, text, reasons) => {
    expect(text).toContain(`No tool lists events (${reasons}): ask for their ids.`);
  });

  it("say where to go without any tool", () => {
    const rest = "It can use the REST API: see https://events.example.com/api/svc.";
    expect(textFor(["conferences:read"], "owner")).toContain(`This key has no tools here. ${rest}`);
    expect(textFor([], "owner", { via: { kind: "session", sessionId: "" } })).toContain(
      "This connection has no tools here.",
    );
    expect(textFor([], "owner")).not.toContain("ask for their ids");
  });

  it("name no tool that the caller lacks, and have fewer than 1,600 characters", () => {
    const subsets = scopes.reduce<Scope[][]>((all, scope) => all.concat(all.map((some) => some.concat(scope))), [[]]);
    for (const granted of subsets)
      for (const role of roles)
        for (const hostsEvents of [true, false]) {
          const text = textFor(granted, role, { hostsEvents });
          expect(text.length, text).toBeLessThan(1_600);
          for (const { name, scope, event } of tools)
            if (![scope].flat().some((each) => granted.includes(each)) || (event !== undefined && !hostsEvents))
              expect(text).not.toContain(name);
        }
  });
});

describe("an unknown tool", () => {
  const uploaded =
    "People upload pictures in the console; tools take their addresses, and add_event_poster copies a finished poster";
  const proposed = "Admins propose events with propose_event or duplicate_event; platform administrators accept them";
  const cancelled = "Admins cancel events with cancel_event";
  const platform = "Platform administrators manage conferences and organizations in the console";
  const owners = "Owners manage API keys and members at BASE/o/ORGANIZATION/settings";
  const coupons =
    "Coupons and ticket types are managed with an API key, at BASE/api/ticketing/event/coupons and /event/ticket-types";

  it.each([
    ["create_event", proposed],
    ["events_create", proposed],
    ["clone_event", proposed],
    ["upload_image", uploaded],
    ["copy_event", proposed],
    ["deleteEvent", cancelled],
    ["archive_event", cancelled],
    ["create_conference", platform],
    ["remove_organization", platform],
    ["create_api_key", owners],
    ["invite_member", owners],
    ["set_member_role", owners],
    ["list_coupons", coupons],
    ["create-ticket-type", coupons],
  ])("says where to do it instead: %s", async (name, advice) => {
    const organization = await make.organization();
    const { error } = await callTool(service, await make.organizationKey(organization), name);
    const expected = advice.replace("BASE", publicUrl).replace("ORGANIZATION", organization);
    expect(error).toEqual({ code: -32602, message: `Unknown tool: ${name}. ${expected}` });
  });

  it("is named without characters that texts may not have", async () => {
    const { error } = await callTool(
      service,
      await make.organizationKey(await make.organization()),
      "create_event\u202e",
    );
    expect(error.message).toMatch(/^Unknown tool: create_event\. Admins propose events/);
  });
});
