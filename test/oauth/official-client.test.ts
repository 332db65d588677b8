import {
  Client,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from "@modelcontextprotocol/client";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { ConsoleService } from "../console/support.js";
import { consentTo, redirectUri, startAtItsAddress } from "./connecting.js";

let service: ConsoleService;
let organizationId: string;
let owner: string;

beforeAll(async () => {
  service = await startAtItsAddress();
  ({ organizationId, owner } = await service.newOrganization());
});
afterAll(() => service.close());

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

it("registers, is connected by a person, calls tools, refreshes, and is refused once it is disconnected", async () => {
  const stored: Stored = {};
  const provider = appWith(stored);
  await expect(open(provider)).rejects.toThrow(UnauthorizedError);
  const { page } = stored;
  if (page === undefined) throw new Error("the client did not ask for a page");
  expect(page.searchParams.get("resource")).toBe(`${service.url}/api/mcp`);
  const decision = { organization: organizationId, scopes: ["org:read" as const] };
  await transportOf(provider).finishAuth((await consentTo(service, page, owner, decision)).searchParams);

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
