import sql from "sql-template-tag";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ConsoleService, startConsole } from "../console/support.js";
import { type Make, makerOn } from "../support/make.js";
import { connect, form, register, requestToken } from "./connecting.js";

/** What keeps an app from more than a person has given it: each of these fails without its guard. */

let service: ConsoleService;
let make: Make;
let organizationId: string;
let ownerId: string;
let owner: string;

beforeAll(async () => {
  service = await startConsole();
  make = makerOn(service.db);
  ({ organizationId, ownerId, owner } = await service.newOrganization());
});
afterAll(() => service.close());

const all = () => ({ organization: organizationId, scopes: ["org:read", "org:write"] as ["org:read", "org:write"] });

const listTools = (token: string) =>
  service.call("/api/mcp", { method: "POST", key: token, body: { jsonrpc: "2.0", id: 1, method: "tools/list" } });

const refresh = (token: { refresh_token: string; clientId: string }, more: Record<string, string> = {}) =>
  requestToken(service, {
    grant_type: "refresh_token",
    refresh_token: token.refresh_token,
    client_id: token.clientId,
    ...more,
  });

describe("a token", () => {
  it("is stored as a hash only", async () => {
    const tokens = await connect(service, owner, all());
    const rows = await service.db.query<{ row: string }>(sql`select o::text as row from oauth_objects o`);
    const stored = rows.map(({ row }) => row).join("\n");
    expect([tokens.access_token, tokens.refresh_token].filter((token) => stored.includes(token))).toEqual([]);
  });

  it("is for the MCP endpoint: others say so", async () => {
    const { access_token: key } = await connect(service, owner, all());
    for (const path of ["/api/svc/ping", "/api/svc/posters", "/api/ticketing/event/get?id=evt-1"]) {
      const reply = await service.call(path, { key });
      expect([path, reply.status, reply.json.error]).toEqual([path, 401, expect.stringContaining("API keys only")]);
    }
  });

  it("of another deployment, or an expired one, is refused with the way to get one", async () => {
    const other = `svc_at_${"a".repeat(43)}`;
    const metadata = 'resource_metadata="https://svc.test/.well-known/oauth-protected-resource/api/mcp"';
    const unknown = await listTools(other);
    expect([unknown.status, unknown.headers.get("www-authenticate")]).toEqual([
      401,
      `Bearer realm="svc", error="invalid_token", ${metadata}`,
    ]);
    const nothing = await service.call("/api/mcp", { method: "POST", body: {} });
    expect(nothing.headers.get("www-authenticate")).toBe(`Bearer realm="svc", ${metadata}`);
    const { access_token } = await connect(service, owner, all());
    await service.db.query(sql`update oauth_objects set expires_at = now() where kind = 'AccessToken'`);
    expect((await listTools(access_token)).status).toBe(401);
  });

  it("ends with the membership, also if the person comes back, and follows the role", async () => {
    const memberId = await make.member(organizationId, "owner");
    const cookie = await service.signIn(memberId);
    const { access_token: token } = await connect(service, cookie, all());
    const names = async () =>
      (await listTools(token)).json.result.tools.map(({ name }: { name: string }) => name) as string[];
    expect(await names()).toContain("update_organization_profile");
    await service.change(organizationId, owner, "set_member_role", { user_id: memberId, role: "member" });
    expect(await names()).not.toContain("update_organization_profile");
    const removal = await service.change(organizationId, owner, "remove_member", { user_id: memberId });
    expect(removal.status, removal.text).toBe(200);
    expect((await listTools(token)).status).toBe(401);
    await service.db.query(sql`
      insert into members (organization_id, user_id, role) values (${organizationId}, ${memberId}, 'admin')`);
    expect((await listTools(token)).status).toBe(401);
  });

  it("ends when somebody disconnects the app: its person or an owner, nobody else", async () => {
    const memberId = await make.member(organizationId, "member");
    const other = await service.signIn(await make.member(organizationId, "admin"));
    const member = await service.signIn(memberId);
    const read = { organization: organizationId, scopes: ["org:read"] as ["org:read"] };
    const { access_token: token } = await connect(service, member, read);
    const { apps } = (await service.get(`organizations/${organizationId}/apps`, member)).json;
    const app = apps.find((each: { connected_by: { id: string } }) => each.connected_by.id === memberId);
    const refused = await service.change(organizationId, other, "disconnect_app", { app_id: app.id });
    expect([refused.status, refused.json.error]).toEqual([403, expect.stringContaining("Only owners")]);
    expect((await listTools(token)).status).toBe(200);
    const stranger = await service.newOrganization();
    const elsewhere = await service.change(stranger.organizationId, stranger.owner, "disconnect_app", {
      app_id: app.id,
    });
    expect(elsewhere.status).toBe(404);
    expect((await service.change(organizationId, owner, "disconnect_app", { app_id: app.id })).status).toBe(200);
    expect((await listTools(token)).status).toBe(401);
  });

  it("has the scopes that it was asked for with, also after the app was given more", async () => {
    const clientId = await register(service);
    const first = await connect(service, owner, { organization: organizationId, scopes: ["org:read"] }, clientId);
    await connect(service, owner, all(), clientId);
    const names = (await listTools(first.access_token)).json.result.tools.map(({ name }: { name: string }) => name);
    expect(names).not.toContain("update_organization_profile");
  });

  it("is revoked by the app, of one machine without those of another", async () => {
    const clientId = await register(service);
    const [laptop, desktop] = [
      await connect(service, owner, all(), clientId),
      await connect(service, owner, all(), clientId),
    ];
    const revoke = (token: string) => {
      const headers = { "content-type": "application/x-www-form-urlencoded" };
      return service.call("/oauth/revoke", { method: "POST", body: form({ token, client_id: clientId }), headers });
    };
    expect((await revoke(laptop.refresh_token)).status).toBe(200);
    expect((await listTools(laptop.access_token)).status).toBe(401);
    expect((await refresh(laptop)).status).toBe(400);
    expect((await listTools(desktop.access_token)).status).toBe(200);
    const again = await refresh(desktop);
    expect(again.status).toBe(200);
    // An access token is revoked with the refresh token that was issued with it.
    expect((await revoke(again.json.access_token)).status).toBe(200);
    expect((await listTools(again.json.access_token)).status).toBe(401);
    expect((await refresh({ ...desktop, refresh_token: again.json.refresh_token })).status).toBe(400);
  });

  it("without a scope is told which to ask for, where nothing else is missing", async () => {
    const { access_token: key } = await connect(service, owner, { organization: organizationId, scopes: ["org:read"] });
    const callTool = (name: string) =>
      service.call("/api/mcp", {
        method: "POST",
        key,
        body: { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: {} } },
      });
    const reply = await callTool("update_organization_profile");
    expect([reply.status, reply.headers.get("www-authenticate")]).toEqual([
      403,
      expect.stringContaining('error="insufficient_scope", scope="org:read org:write"'),
    ]);
    expect((await callTool("no_such_tool")).json.error.code).toBe(-32602);
  });
});

describe("a refresh token", () => {
  it("is replaced at each use, and accepted again for a moment; later, a second use ends the connection", async () => {
    const tokens = await connect(service, owner, all());
    const [one, two] = await Promise.all([refresh(tokens), refresh(tokens)]);
    expect([one.status, two.status]).toEqual([200, 200]);
    expect(one.json.refresh_token).not.toBe(two.json.refresh_token);
    expect((await listTools(one.json.access_token)).status).toBe(200);
    await service.db.query(sql`update oauth_objects set consumed_at = consumed_at - interval '31 seconds'`);
    const late = await refresh(tokens);
    expect([late.status, late.json.error]).toEqual([400, "invalid_grant"]);
    expect((await listTools(one.json.access_token)).status).toBe(401);
    expect((await refresh({ ...tokens, refresh_token: one.json.refresh_token })).status).toBe(400);
    const [record] = await service.db.query(sql`
      select reason, user_id from mutation_records where tool = 'disconnect_app' order by at desc limit 1`);
    expect(record).toEqual({ reason: "A code or token of the app was used twice", user_id: ownerId });
  });

  it("cannot be used for more scopes than were given", async () => {
    const clientId = await register(service);
    const tokens = await connect(service, owner, { organization: organizationId, scopes: ["org:read"] }, clientId);
    expect(tokens.scope).toBe("org:read");
    const wider = await refresh(tokens, { scope: "org:read org:write" });
    expect([wider.status, wider.json.error]).toEqual([400, "invalid_scope"]);
    const names = (await listTools(tokens.access_token)).json.result.tools.map(({ name }: { name: string }) => name);
    expect(names).not.toContain("update_organization_profile");
  });

  it("of one app is refused for another", async () => {
    const tokens = await connect(service, owner, all());
    const reply = await refresh({ ...tokens, clientId: await register(service) });
    expect([reply.status, reply.json.error]).toEqual([400, "invalid_grant"]);
  });
});

it("is recorded with the app's name", async () => {
  const eventId = await make.event(await make.conference(), { hosts: [organizationId] });
  const tokens = await connect(service, owner, { organization: organizationId, scopes: ["org:read", "events:write"] });
  const callTool = async (name: string, args: object) =>
    (
      await service.call("/api/mcp", {
        method: "POST",
        key: tokens.access_token,
        body: { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } },
      })
    ).json.result.structuredContent;
  const preview = await callTool("update_event_details", { event_id: eventId, name: "Renamed by an app" });
  const committed = await callTool("update_event_details", { ...preview.commit_with, reason: "to test" });
  expect(committed.record_id).toBeDefined();
  const activity = await service.get(`organizations/${organizationId}/activity?limit=5`, owner);
  expect(activity.status, activity.text).toBe(200);
  const { items } = activity.json;
  const ofApp = await service.get(`organizations/${organizationId}/activity?app=${items[0].app.id}`, owner);
  expect(ofApp.json.items.map(({ tool }: { tool: string }) => tool)).toEqual(["update_event_details"]);
  expect(items[0]).toMatchObject({ via: "app", app: { name: "Harbour Agent" }, user: { id: ownerId }, api_key: null });
});
