import { createHash, randomBytes } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect } from "vitest";
import type { Scope } from "../../contract/scopes.js";
import { type ConsoleService, startConsole } from "../console/support.js";
import type { Reply } from "../support/call.js";
import type { Service } from "../support/service.js";
import { publicUrl } from "../support/service.js";

/** An app and the browser of a person who connects it, by HTTP alone. */

export const resource = `${publicUrl}/api/mcp`;
export const redirectUri = "http://127.0.0.1:33418/callback";

type Caller = Pick<Service, "call" | "url">;

export const form = (fields: Record<string, string>) => new URLSearchParams(fields).toString();

export async function register(service: Caller, metadata: object = {}): Promise<string> {
  const body = { client_name: "Harbour Agent", redirect_uris: [redirectUri], ...metadata };
  const reply = await service.call("/oauth/register", { method: "POST", body });
  expect(reply.status, reply.text).toBe(201);
  return reply.json.client_id;
}

export function newVerifier() {
  const verifier = randomBytes(32).toString("base64url");
  return { verifier, challenge: createHash("sha256").update(verifier).digest("base64url") };
}

export type Begun = { reply: Reply; cookies: Map<string, string>; uid: string };

/** Where an app sends the browser. */
export function authorizationPath(parameters: Record<string, string | undefined>): string {
  const all = {
    response_type: "code",
    redirect_uri: redirectUri,
    code_challenge_method: "S256",
    resource,
    state: "s1",
    ...parameters,
  };
  const given = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return `/oauth/authorize?${new URLSearchParams(given)}`;
}

/** Opens it. */
export async function authorize(
  service: Caller,
  parameters: Record<string, string | undefined>,
  cookies = new Map<string, string>(),
): Promise<Begun> {
  return begunBy(await service.call(authorizationPath(parameters)), cookies);
}

function begunBy(reply: Reply, cookies: Map<string, string>): Begun {
  keep(cookies, reply);
  return { reply, cookies, uid: /\/connect\/([\w-]+)$/.exec(reply.headers.get("location") ?? "")?.[1] ?? "" };
}

function keep(cookies: Map<string, string>, reply: Reply): void {
  for (const cookie of reply.headers.getSetCookie()) {
    const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
    cookies.set(name, value);
  }
}

export const cookieHeader = (cookies: Map<string, string>, session = "") =>
  [...[...cookies].map(([name, value]) => `${name}=${value}`), session].filter((part) => part !== "").join("; ");

export type Decision = { organization: string; scopes: Scope[]; app_name?: string };

export function decide(
  service: Caller,
  { uid, cookies }: Begun,
  session: string,
  decision: Decision | "deny",
): Promise<Reply> {
  const body = decision === "deny" ? { decision } : { decision: "allow", app_name: "Harbour Agent", ...decision };
  return service.call(`/api/console/connect/${uid}/request`, {
    method: "POST",
    body,
    headers: { cookie: cookieHeader(cookies, session), origin: service.url },
  });
}

/** What the app is told when the browser comes back. */
export async function comeBack(service: Caller, begun: Begun, redirectTo: string): Promise<URLSearchParams> {
  return (await pageOf(service, begun, redirectTo)).searchParams;
}

async function pageOf(service: Caller, { cookies }: Begun, redirectTo: string): Promise<URL> {
  const reply = await service.call(redirectTo, { headers: { cookie: cookieHeader(cookies) } });
  expect(reply.status, reply.text).toBe(303);
  return new URL(reply.headers.get("location") ?? "");
}

/** A person opens the page of an app's request and connects the app; returns the page that the browser comes to. */
export async function consentTo(service: Caller, page: URL, session: string, decision: Decision): Promise<URL> {
  const reply = await service.call(page.pathname + page.search);
  const begun = begunBy(reply, new Map());
  const decided = await decide(service, begun, session, decision);
  expect(decided.status, decided.text).toBe(200);
  return pageOf(service, begun, decided.json.redirect_to);
}

/** A service whose configured address is the one that it is reached at, for programs that follow it. */
export async function startAtItsAddress(): Promise<ConsoleService> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  const config = { publicUrl: `http://127.0.0.1:${port}`, port };
  return startConsole({ oneProcess: "a program follows the address of the service" }, config);
}

export function requestToken(service: Caller, fields: Record<string, string>): Promise<Reply> {
  return service.call("/oauth/token", {
    method: "POST",
    body: form(fields),
    headers: { "content-type": "application/x-www-form-urlencoded" },
  });
}

export type Tokens = { access_token: string; refresh_token: string; scope: string; expires_in: number };

/** A code that a person has just let an app have, and what the app exchanges it with. */
export async function newCode(
  service: Caller,
  session: string,
  decision: Decision,
  parameters: Record<string, string | undefined> = {},
) {
  const client_id = parameters.client_id ?? (await register(service));
  const { verifier, challenge } = newVerifier();
  const begun = await authorize(service, { code_challenge: challenge, ...parameters, client_id });
  const path = `/api/console/connect/${begun.uid}/request`;
  const shown = await service.call(path, { headers: { cookie: cookieHeader(begun.cookies, session) } });
  expect(shown.status, `${begun.reply.text} ${begun.reply.headers.get("location")} ${shown.text}`).toBe(200);
  const { app } = shown.json;
  const decided = await decide(service, begun, session, { app_name: app.name, ...decision });
  expect(decided.status, decided.text).toBe(200);
  const back = await comeBack(service, begun, decided.json.redirect_to);
  const fields = {
    grant_type: "authorization_code",
    code: back.get("code") ?? "",
    client_id,
    redirect_uri: parameters.redirect_uri ?? redirectUri,
    code_verifier: verifier,
  };
  return { app, back, fields };
}

/** From the request to the tokens. */
export async function connect(
  service: Caller,
  session: string,
  decision: Decision,
  clientId?: string,
): Promise<Tokens & { clientId: string }> {
  const { fields } = await newCode(service, session, decision, { client_id: clientId });
  const reply = await requestToken(service, { ...fields, resource });
  expect(reply.status, reply.text).toBe(200);
  return { ...reply.json, clientId: fields.client_id };
}
