import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { unavailable } from "../../src/infra/database/database-errors.js";
import type { Database } from "../../src/infra/database/db.js";
import { type ConsoleService, startConsole } from "../console/support.js";
import { type Make, makerOn } from "../support/make.js";
import { authorize, cookieHeader, decide, newCode, newVerifier, register, requestToken } from "./connecting.js";

/** What keeps an app from more than a person has given it: each of these fails without its guard. */

let service: ConsoleService;
let make: Make;
let organizationId: string;
let owner: string;

beforeAll(async () => {
  service = await startConsole();
  make = makerOn(service.db);
  ({ organizationId, owner } = await service.newOrganization());
});
afterAll(() => service.close());

const all = () => ({ organization: organizationId, scopes: ["org:read", "org:write"] as ["org:read", "org:write"] });

const listTools = (token: string) =>
  service.call("/api/mcp", { method: "POST", key: token, body: { jsonrpc: "2.0", id: 1, method: "tools/list" } });

const codeOf = (parameters: Record<string, string | undefined> = {}) => newCode(service, owner, all(), parameters);

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
    const { fields } = await codeOf({ resource: undefined });
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
    const headers = { cookie: cookieHeader(begun.cookies, owner), origin: "https://evil.example" };
    const body = { decision: "allow", app_name: "Harbour Agent", ...all() };
    expect((await service.call(path, { method: "POST", body, headers })).status).toBe(403);
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
    const shown = await service.get(`connect/${begun.uid}/request`, cookieHeader(begun.cookies, owner));
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

describe("a code", () => {
  it("names its issuer, and works once: used again, it ends the connection", async () => {
    const { fields, back } = await codeOf();
    expect(back.get("iss")).toBe("https://svc.test");
    const first = await requestToken(service, fields);
    expect(first.status, first.text).toBe(200);
    expect((await listTools(first.json.access_token)).status).toBe(200);
    const second = await requestToken(service, fields);
    expect({ status: second.status, error: second.json.error }).toEqual({ status: 400, error: "invalid_grant" });
    expect((await listTools(first.json.access_token)).status).toBe(401);
  });

  it("gives tokens to at most one of several that use it at once", async () => {
    const { fields } = await codeOf();
    const replies = await Promise.all(Array.from({ length: 4 }, () => requestToken(service, fields)));
    expect(replies.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
  });

  it.each([
    ["without a verifier", { code_verifier: "" }],
    ["with another verifier", { code_verifier: newVerifier().verifier }],
    ["with another address", { redirect_uri: "http://127.0.0.1:33419/callback" }],
  ])("is refused %s", async (_name, changed) => {
    const { fields } = await codeOf();
    const reply = await requestToken(service, { ...fields, ...changed });
    expect([reply.status, reply.json.error]).toEqual([400, expect.stringMatching(/^invalid_(grant|request)$/)]);
  });

  it("is refused for another app", async () => {
    const { fields } = await codeOf();
    const reply = await requestToken(service, { ...fields, client_id: await register(service) });
    expect([reply.status, reply.json.error]).toEqual([400, "invalid_grant"]);
  });
});

it("is told to come back while the database cannot be used, the app in JSON and the person on a page", async () => {
  let isOut = false;
  const orOut = <Result>(work: () => Promise<Result>) =>
    isOut ? Promise.reject(unavailable("it cannot be connected to", new Error("refused"))) : work();
  const withOutage = (db: Database): Database => ({
    ...db,
    query: (statement) => orOut(() => db.query(statement)),
    changes: { ...db.changes, query: (statement) => orOut(() => db.changes.query(statement)) },
  });
  const interrupted = await startConsole({ wrapDatabase: withOutage });
  try {
    const person = await interrupted.newOrganization();
    const decision = { organization: person.organizationId, scopes: ["org:read" as const] };
    const { fields } = await newCode(interrupted, person.owner, decision);
    isOut = true;
    const refused = await requestToken(interrupted, fields);
    expect([refused.status, refused.json.error, refused.headers.get("retry-after")]).toEqual([
      503,
      "temporarily_unavailable",
      "5",
    ]);
    const request = { client_id: fields.client_id, code_challenge: newVerifier().challenge };
    const { reply } = await authorize(interrupted, request);
    expect(reply.headers.get("location")).toBe("/connect?problem=failed");
    isOut = false;
    expect((await requestToken(interrupted, fields)).status).toBe(200);
  } finally {
    await interrupted.close();
  }
});
