import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import {
  Client,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from "@modelcontextprotocol/client";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type ConsoleService, startConsole } from "../console/support.js";
import { type Begun, comeBack, decide, keep, redirectUri } from "./connecting.js";

let service: ConsoleService;
let organizationId: string;
let owner: string;

beforeAll(async () => {
  const port = await freePort();
  const config = { publicUrl: `http://127.0.0.1:${port}`, port };
  service = await startConsole({ oneProcess: "the client follows the address of the service" }, config);
  ({ organizationId, owner } = await service.newOrganization());
});
afterAll(() => service.close());

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

type Stored = { client?: unknown; tokens?: unknown; verifier?: string; page?: URL };

/** What an app keeps. Its browser is the test. */
function appWith(stored: Stored): OAuthClientProvider {
  return {
    redirectUrl: redirectUri,
    clientMetadata: { client_name: "Harbour Agent", redirect_uris: [redirectUri], token_endpoint_auth_method: "none" },
    clientInformation: () => stored.client as never,
    saveClientInformation: (client) => {
      stored.client = client;
    },
    tokens: () => stored.tokens as never,
    saveTokens: (tokens) => {
      stored.tokens = tokens;
    },
    redirectToAuthorization: (url) => {
      stored.page = url;
    },
    saveCodeVerifier: (verifier) => {
      stored.verifier = verifier;
    },
    codeVerifier: () => stored.verifier ?? "",
  };
}

async function open(provider: OAuthClientProvider): Promise<Client> {
  const client = new Client({ name: "test", version: "1.0.0" });
  await client.connect(transportOf(provider));
  return client;
}

const transportOf = (authProvider: OAuthClientProvider) =>
  new StreamableHTTPClientTransport(new URL(`${service.url}/api/mcp`), { authProvider });

/** A person opens the page of an app's request and connects the app; returns what the app is told. */
async function consent(page: URL): Promise<URLSearchParams> {
  const reply = await service.call(page.pathname + page.search);
  const begun: Begun = {
    reply,
    cookies: new Map(),
    uid: /\/connect\/([\w-]+)$/.exec(reply.headers.get("location") ?? "")?.[1] ?? "",
  };
  keep(begun.cookies, reply);
  const decided = await decide(service, begun, owner, { organization: organizationId, scopes: ["org:read"] });
  expect(decided.status, decided.text).toBe(200);
  return comeBack(service, begun, decided.json.redirect_to);
}

it("registers, is connected by a person, calls tools, refreshes, and is refused once it is disconnected", async () => {
  const stored: Stored = {};
  const provider = appWith(stored);
  await expect(open(provider)).rejects.toThrow(UnauthorizedError);
  const { page } = stored;
  if (page === undefined) throw new Error("the client did not ask for a page");
  expect(page.searchParams.get("resource")).toBe(`${service.url}/api/mcp`);
  await transportOf(provider).finishAuth(await consent(page));

  const client = await open(provider);
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toContain("get_organization_admin_snapshot");
  const result = await client.callTool({ name: "get_organization_admin_snapshot", arguments: {} });
  expect(result.isError).not.toBe(true);

  const issued = stored.tokens as { access_token: string };
  stored.tokens = { ...issued, access_token: `${issued.access_token.slice(0, -1)}~` };
  const again = await open(provider);
  expect((await again.listTools()).tools.length).toBe(tools.length);
  expect((stored.tokens as typeof issued).access_token).not.toBe(issued.access_token);

  const [app] = (await service.get(`organizations/${organizationId}/apps`, owner)).json.apps;
  expect(app).toMatchObject({ name: "Harbour Agent", scopes: ["org:read"] });
  const ended = await service.change(organizationId, owner, "disconnect_app", { app_id: app.id });
  expect(ended.status, ended.text).toBe(200);
  await expect(open(provider)).rejects.toThrow();
});
