import sql from "sql-template-tag";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ConsoleService, startConsole } from "../console/support.js";
import { type Make, makerOn } from "../support/make.js";
import {
  authorize,
  comeBack,
  connect,
  cookieHeader,
  decide,
  form,
  newVerifier,
  redirectUri,
  register,
  requestToken,
} from "./connecting.js";

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

/** A code that a person has just let an app have. */
async function newCode(parameters: Record<string, string | undefined> = {}) {
  const clientId = await register(service);
  const { verifier, challenge } = newVerifier();
  const begun = await authorize(service, { client_id: clientId, code_challenge: challenge, ...parameters });
  const decided = await decide(service, begun, owner, all());
  const back = await comeBack(service, begun, decided.json.redirect_to);
  const fields = {
    grant_type: "authorization_code",
    code: back.get("code") ?? "",
    client_id: clientId,
    redirect_uri: redirectUri,
    code_verifier: verifier,
  };
  return { clientId, fields, back };
}

describe("a code", () => {
  it("names its issuer, and works once: used again, it ends the connection", async () => {
    const { fields, back } = await newCode();
    expect(back.get("iss")).toBe("https://svc.test");
    const first = await requestToken(service, fields);
    expect(first.status, first.text).toBe(200);
    expect((await listTools(first.json.access_token)).status).toBe(200);
    const second = await requestToken(service, fields);
    expect({ status: second.status, error: second.json.error }).toEqual({ status: 400, error: "invalid_grant" });
    expect((await listTools(first.json.access_token)).status).toBe(401);
  });

  it("gives tokens to at most one of several that use it at once", async () => {
    const { fields } = await newCode();
    const replies = await Promise.all(Array.from({ length: 4 }, () => requestToken(service, fields)));
    expect(replies.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
  });

  it.each([
    ["without a verifier", { code_verifier: "" }],
    ["with another verifier", { code_verifier: newVerifier().verifier }],
    ["with another address", { redirect_uri: "http://127.0.0.1:33419/callback" }],
  ])("is refused %s", async (_name, changed) => {
    const { fields } = await newCode();
    const reply = await requestToken(service, { ...fields, ...changed });
    expect([reply.status, reply.json.error]).toEqual([400, expect.stringMatching(/^invalid_(grant|request)$/)]);
  });

  it("is refused for another app", async () => {
    const { fields } = await newCode();
    const reply = await requestToken(service, { ...fields, client_id: await register(service) });
    expect([reply.status, reply.json.error]).toEqual([400, "invalid_grant"]);
  });
});

describe("a request", () => {
  it.each([
    ["without a challenge", { code_challenge: undefined, code_challenge_method: undefined }],
    ["with a plain challenge", { code_challenge_method: "plain" }],
    ["for another resource", { resource: "https://other.example/api/mcp" }],
    ["for a part of the service", { resource: "https://svc.test/api/svc" }],
    ["for a token in the address", { response_type: "token" }],
    ["in a form", { response_type: "token", response_mode: "form_post" }],
    ["with NUL", { state: "a\0b" }],
    ["with a long parameter", { state: "x".repeat(2_001) }],
  ])("%s is refused on a page, and nothing is sent to the app", async (_name, changed) => {
    const client_id = await register(service, { redirect_uris: ["https://agent.example/callback"] });
    const request = { client_id, redirect_uri: "https://agent.example/callback" };
    const { reply } = await authorize(service, { ...request, code_challenge: newVerifier().challenge, ...changed });
    expect(reply.headers.get("location")).toBe("/connect?problem=wrong_request");
    expect(reply.text).not.toContain("agent.example");
  });

  it("that wants no question asks all the same", async () => {
    for (const prompt of ["none", "select_account"]) {
      const request = { client_id: await register(service), code_challenge: newVerifier().challenge, prompt };
      expect((await authorize(service, request)).uid).not.toBe("");
    }
  });

  it("without a resource is for the MCP endpoint", async () => {
    const { fields } = await newCode({ resource: undefined });
    const reply = await requestToken(service, fields);
    expect((await listTools(reply.json.access_token)).status).toBe(200);
  });

  const registered = ["https://agent.example/callback", "http://127.0.0.1/callback", "agent-app://callback"];

  it.each([
    ["http://127.0.0.1:5555/callback", true],
    ["https://agent.example/callback", true],
    ["agent-app://callback", true],
    ["https://agent.example:8443/callback", false],
    ["https://agent.example/callback/more", false],
    ["https://agent.example/callback/../callback", false],
    ["https://agent.example/%2e%2e/callback", false],
    ["https://agent.example/callback?x=1", false],
    ["https://agent.example/callback#x", false],
    ["https://user@agent.example/callback", false],
    ["https://agent.example@evil.example/callback", false],
    ["https://agent.example.evil.example/callback", false],
    ["http://agent.example/callback", false],
    ["http://localhost:5555/callback", false],
    ["http://127.0.0.1.evil.example/callback", false],
    ["http://127.0.0.1:5555/other", false],
    ["other-app://callback", false],
  ])("that returns to %s: %s", async (redirect_uri, isAllowed) => {
    const client_id = await register(service, { redirect_uris: registered });
    const { reply, uid } = await authorize(service, {
      client_id,
      redirect_uri,
      code_challenge: newVerifier().challenge,
    });
    expect({ uid: uid !== "", location: reply.headers.get("location") }).toEqual(
      isAllowed
        ? { uid: true, location: expect.stringContaining("/connect/") }
        : { uid: false, location: "/connect?problem=wrong_address" },
    );
  });

  it("of an unknown app shows a page and redirects nowhere", async () => {
    const { reply } = await authorize(service, { client_id: "app_nobody", code_challenge: newVerifier().challenge });
    expect(reply.headers.get("location")).toBe("/connect?problem=unknown_app");
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

  it("of one machine is revoked without those of another", async () => {
    const clientId = await register(service);
    const [laptop, desktop] = [
      await connect(service, owner, all(), clientId),
      await connect(service, owner, all(), clientId),
    ];
    const body = form({ token: laptop.refresh_token, client_id: clientId });
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    expect((await service.call("/oauth/revoke", { method: "POST", body, headers })).status).toBe(200);
    expect((await listTools(laptop.access_token)).status).toBe(401);
    expect((await listTools(desktop.access_token)).status).toBe(200);
    expect((await refresh(desktop)).status).toBe(200);
  });

  it("is revoked by the app", async () => {
    const tokens = await connect(service, owner, all());
    const revoke = (token: string) =>
      service.call("/oauth/revoke", {
        method: "POST",
        body: form({ token, client_id: tokens.clientId }),
        headers: { "content-type": "application/x-www-form-urlencoded" },
      });
    expect((await revoke(tokens.access_token)).status).toBe(200);
    expect((await listTools(tokens.access_token)).status).toBe(401);
    const again = (await refresh(tokens)).json;
    expect((await revoke(again.refresh_token)).status).toBe(200);
    expect((await listTools(again.access_token)).status).toBe(401);
    expect((await refresh({ ...tokens, refresh_token: again.refresh_token })).status).toBe(400);
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

describe("a decision", () => {
  const begin = async () => {
    const clientId = await register(service);
    return authorize(service, { client_id: clientId, code_challenge: newVerifier().challenge });
  };

  it("is made by the browser that began the request only", async () => {
    const begun = await begin();
    const victim = { ...begun, cookies: new Map<string, string>() };
    const forged = await decide(service, victim, owner, all());
    expect(forged.status).toBe(404);
    const another = await begin();
    const mixed = await decide(service, { ...begun, cookies: another.cookies }, owner, all());
    expect(mixed.status).toBe(404);
    expect((await decide(service, begun, owner, all())).status).toBe(200);
  });

  it("is made once", async () => {
    const begun = await begin();
    expect((await decide(service, begun, owner, all())).status).toBe(200);
    expect((await decide(service, begun, owner, "deny")).status).toBe(409);
  });

  it("is made by somebody who is signed in, on a page of the service", async () => {
    const begun = await begin();
    expect((await decide(service, begun, "", all())).status).toBe(401);
    const path = `/api/console/connect/${begun.uid}/request`;
    const cookie = [...begun.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const body = { decision: "allow", app_name: "Harbour Agent", ...all() };
    const foreign = await service.call(path, {
      method: "POST",
      body,
      headers: { cookie: `${cookie}; ${owner}`, origin: "https://evil.example" },
    });
    expect(foreign.status).toBe(403);
    const page = await service.call(`/connect/${begun.uid}`, { headers: { accept: "text/html" } });
    expect(page.headers.get("x-frame-options")).toBe("DENY");
  });

  it("gives what the app asked for and the role can use, in an organization of the person", async () => {
    const member = await service.signIn(await make.member(organizationId, "member"));
    const above = await decide(service, await begin(), member, all());
    expect([above.status, above.json.error]).toEqual([403, expect.stringContaining("org:write")]);
    const stranger = await service.newOrganization();
    const elsewhere = await decide(service, await begin(), stranger.owner, all());
    expect(elsewhere.status).toBe(404);
    const narrow = await authorize(service, {
      client_id: await register(service),
      code_challenge: newVerifier().challenge,
      scope: "org:read unknown:scope",
    });
    const more = await decide(service, narrow, owner, all());
    expect([more.status, more.json.error]).toEqual([400, "scopes: the app did not ask for org:write"]);
    const none = await decide(service, narrow, owner, { organization: organizationId, scopes: [] });
    expect(none.status).toBe(400);
  });

  it("shows names without what reorders or hides text, and markup as text", async () => {
    const clientId = await register(service, { client_name: "\u202eEvil\u200b <b>Bank</b>\n Ltd " });
    const begun = await authorize(service, { client_id: clientId, code_challenge: newVerifier().challenge });
    const cookie = [...begun.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const shown = await service.get(`connect/${begun.uid}/request`, `${cookie}; ${owner}`);
    expect(shown.json.app).toEqual({
      name: "Evil <b>Bank</b> Ltd",
      described_by: null,
      logo_url: null,
      returns_to: { kind: "computer", name: "127.0.0.1:33418" },
    });
    for (const client_name of ["\u3164", "\u2800 \u2800", "\ufe0f\ufe0f", "…"]) {
      const nameless = { client_id: await register(service, { client_name }), code_challenge: newVerifier().challenge };
      const { uid, cookies } = await authorize(service, nameless);
      const request = await service.get(`connect/${uid}/request`, cookieHeader(cookies, owner));
      expect(request.json.app.name).toBe("An app without a name");
    }
    const renamed = await decide(service, begun, owner, { ...all(), app_name: "Another Name" });
    expect(renamed.status).toBe(409);
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
