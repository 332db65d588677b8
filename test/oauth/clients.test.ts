import { generateKeyPairSync, randomUUID, sign } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { registrationLimit } from "../../src/oauth/oauth.js";
import { type ConsoleService, startConsole } from "../console/support.js";
import { type PictureHost, type RequestHandler, startPictureHost } from "../support/picture-host.js";
import { authorize, cookieHeader, decide, newCode, newVerifier, register, requestToken } from "./connecting.js";
import { descriptions, registrations } from "./known-clients.js";

let service: ConsoleService;
let host: PictureHost;
let organizationId: string;
let owner: string;
let requests = 0;

const documentsWithin = (timeoutMs: number) => ({
  resolve: async (name: string) => [name === "other.test" ? "10.0.0.8" : "127.0.0.1"],
  isAllowedAddress: (address: string) => address === "127.0.0.1",
  port: host.port,
  ca: host.certificate,
  timeoutMs,
});

const handlers: Record<string, RequestHandler> = {};
const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const json =
  (value: unknown): RequestHandler =>
  (response) => {
    requests += 1;
    response.writeHead(200, { "content-type": "application/json", "cache-control": "max-age=300" });
    response.end(JSON.stringify(value));
  };

beforeAll(async () => {
  host = await startPictureHost(handlers);
  service = await startConsole({
    documents: documentsWithin(2_000),
    oneProcess: "descriptions of apps are cached by process",
  });
  ({ organizationId, owner } = await service.newOrganization());
});
afterAll(async () => {
  await service.close();
  await host.close();
});

/** Describes an app at a page of the test's own host; returns its id. */
function describeApp(name: string, fields: object, path = `/${name.replaceAll(" ", "-")}.json`): string {
  const client_id = host.url(path);
  handlers[path] = json({ client_id, ...fields });
  return client_id;
}

async function connectWith(clientId: string, redirectUri: string, authentication: (() => object) | undefined) {
  const decision = { organization: organizationId, scopes: ["org:read" as const] };
  const request = { client_id: clientId, redirect_uri: redirectUri };
  const { app, fields } = await newCode(service, owner, decision, request);
  return { app, tokens: await requestToken(service, { ...fields, ...authentication?.() }) };
}

describe.each(Object.entries(registrations))("%s", (_name, body) => {
  it("registers and connects", async () => {
    const reply = await service.call("/oauth/register", { method: "POST", body });
    expect(reply.status, reply.text).toBe(201);
    expect(reply.json).toMatchObject({ redirect_uris: body.redirect_uris, token_endpoint_auth_method: "none" });
    expect(reply.json).not.toHaveProperty("client_secret");
    const { app, tokens } = await connectWith(reply.json.client_id, body.redirect_uris[0] ?? "", undefined);
    expect(tokens.status, tokens.text).toBe(200);
    expect(app.described_by).toBeNull();
  });
});

describe.each(Object.entries(descriptions))("%s, known by its description", (name, fields) => {
  it("connects, and the description is read once", async () => {
    const isSigned = fields.token_endpoint_auth_method === "private_key_jwt";
    const jwk = { ...publicKey.export({ format: "jwk" }), kid: "1", use: "sig", alg: "RS256" };
    handlers["/jwks.json"] = json({ keys: [jwk] });
    const clientId = describeApp(name, { ...fields, ...(isSigned ? { jwks_uri: host.url("/jwks.json") } : {}) });
    const before = requests;
    const authentication = () => ({
      client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
      client_assertion: assertionOf(clientId),
    });
    const { app, tokens } = await connectWith(
      clientId,
      fields.redirect_uris[0] ?? "",
      isSigned ? authentication : undefined,
    );
    expect(tokens.status, tokens.text).toBe(200);
    expect(app).toMatchObject({ name: fields.client_name, described_by: new URL(clientId).host });
    expect(requests - before).toBe(isSigned ? 2 : 1);
  });
});

it("refuses an app with a key that proves nothing", async () => {
  const fields = { ...descriptions.ChatGPT, jwks_uri: host.url("/jwks.json") };
  const clientId = describeApp("unsigned", fields);
  const { tokens } = await connectWith(clientId, descriptions.ChatGPT?.redirect_uris[0] ?? "", undefined);
  expect([tokens.status, tokens.json.error]).toEqual([401, "invalid_client"]);
});

it("does not send a decision to an address that the app has dropped from its description meanwhile", async () => {
  onTestFinished(() => void vi.useRealTimers());
  const fields = { ...descriptions["VS Code"], redirect_uris: ["https://old.example/callback"] };
  const client_id = describeApp("changing", fields);
  const begun = await authorize(service, {
    client_id,
    redirect_uri: "https://old.example/callback",
    code_challenge: newVerifier().challenge,
  });
  describeApp("changing", { ...fields, redirect_uris: ["https://new.example/callback"] });
  // Longer than the description may be kept.
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 400_000 });
  const decision = { organization: organizationId, scopes: ["org:read" as const], app_name: "Visual Studio Code" };
  const decided = await decide(service, begun, owner, decision);
  expect([decided.status, decided.json.error]).toEqual([409, expect.stringContaining("address")]);
});

it("connects no app that returns to a page without encryption", async () => {
  const redirect_uris = ["http://agent.example/callback"];
  const client_id = describeApp("unencrypted", { ...descriptions["VS Code"], application_type: "web", redirect_uris });
  const code_challenge = newVerifier().challenge;
  const begun = await authorize(service, { client_id, redirect_uri: redirect_uris[0], code_challenge });
  const shown = await service.get(`connect/${begun.uid}/request`, cookieHeader(begun.cookies, owner));
  expect([shown.status, shown.json.error]).toEqual([409, expect.stringContaining("address")]);
});

it("does not try a description that could not be read again at once", async () => {
  handlers["/broken.json"] = (response) => {
    requests += 1;
    response.writeHead(500).end();
  };
  const request = { client_id: host.url("/broken.json"), code_challenge: newVerifier().challenge };
  const before = requests;
  for (let count = 0; count < 3; count++) {
    const { reply } = await authorize(service, request);
    expect(reply.headers.get("location")).toBe("/connect?problem=unknown_app");
  }
  expect(requests - before).toBe(1);
});

describe("a description is refused", () => {
  const metadata = descriptions["Claude Code"];
  const answers: Record<string, (path: string) => string> = {
    "behind a redirect": (path) => {
      const other = describeApp("target", metadata ?? {});
      handlers[path] = (response) => response.writeHead(302, { location: other }).end();
      return host.url(path);
    },
    "without an end": (path) => {
      handlers[path] = (response) => {
        response.writeHead(200, { "content-type": "application/json" });
        const timer = setInterval(() => response.write(" ".repeat(8_192)), 1);
        response.on("close", () => clearInterval(timer));
      };
      return host.url(path);
    },
    "of another app": (path) => {
      handlers[path] = json({ ...metadata, client_id: host.url("/other.json") });
      return host.url(path);
    },
    "with a secret": (path) => describeApp("secret", { ...metadata, client_secret: "x".repeat(40) }, path),
    "on a private address": (path) => {
      handlers[path] = json({ ...metadata, client_id: host.url(path, "other.test") });
      return host.url(path, "other.test");
    },
    "by http": (path) => host.url(path).replace("https:", "http:"),
    "that is no JSON": (path) => {
      handlers[path] = (response) => response.writeHead(200).end("<html>");
      return host.url(path);
    },
  };

  it.each(Object.entries(answers))("%s", async (name, prepare) => {
    const client_id = prepare(`/refused-${name.replaceAll(" ", "-")}.json`);
    const { reply } = await authorize(service, {
      client_id,
      redirect_uri: "http://localhost/callback",
      code_challenge: newVerifier().challenge,
    });
    expect(reply.headers.get("location")).toBe("/connect?problem=unknown_app");
  });
});

describe("limits", () => {
  let limited: ConsoleService;
  beforeAll(async () => {
    limited = await startConsole({
      documents: documentsWithin(100),
      oneProcess: "registrations are counted by process here",
    });
    return limited.close;
  });

  it("a description has a time to come", async () => {
    handlers["/never.json"] = () => {};
    const request = { client_id: host.url("/never.json"), code_challenge: newVerifier().challenge };
    const { reply } = await authorize(limited, request);
    expect(reply.headers.get("location")).toBe("/connect?problem=unknown_app");
  });

  it("a network may register a number of apps", async () => {
    await Promise.all(Array.from({ length: registrationLimit }, () => register(limited)));
    const body = { redirect_uris: ["http://localhost/callback"] };
    const reply = await limited.call("/oauth/register", { method: "POST", body });
    expect([reply.status, reply.json.error]).toEqual([429, "temporarily_unavailable"]);
    expect(Number(reply.headers.get("retry-after"))).toBeGreaterThan(0);
  });
});

it.each([
  ["no redirect", { redirect_uris: [] }],
  ["a script", { redirect_uris: ["javascript:alert(1)"] }],
  ["http elsewhere", { redirect_uris: ["http://agent.example/callback"] }],
  ["http elsewhere, on the web", { redirect_uris: ["http://agent.example/callback"], application_type: "web" }],
  ["text without end", { redirect_uris: ["http://localhost/callback"], client_name: "x".repeat(201) }],
  ["NUL", { redirect_uris: ["http://localhost/callback"], client_name: "a\0b" }],
])("refuses a registration with %s", async (_name, body) => {
  const reply = await service.call("/oauth/register", { method: "POST", body });
  expect([reply.status, reply.json.error]).toEqual([
    400,
    expect.stringMatching(/^invalid_(client_metadata|redirect_uri)$/),
  ]);
});

function assertionOf(clientId: string): string {
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const now = Math.floor(Date.now() / 1000);
  const claims = { iss: clientId, sub: clientId, aud: "https://svc.test", jti: randomUUID(), iat: now, exp: now + 60 };
  const signed = `${encode({ alg: "RS256", kid: "1" })}.${encode(claims)}`;
  return `${signed}.${sign("sha256", Buffer.from(signed), privateKey).toString("base64url")}`;
}
