import { createHash, randomUUID } from "node:crypto";
import sql from "sql-template-tag";
import { afterAll, beforeAll, expect, it } from "vitest";
import { objectStore, pruneObjects } from "../../src/oauth/object-store.js";
import { type ConsoleService, startConsole } from "../console/support.js";
import { type Make, makerOn } from "../support/make.js";
import { authorize, comeBack, connect, decide, newVerifier, register, requestToken } from "./connecting.js";

let service: ConsoleService;
let make: Make;

beforeAll(async () => {
  service = await startConsole();
  make = makerOn(service.db);
});
afterAll(() => service.close());

const rpc = (key: string, method: string, params: object = {}) =>
  service.call("/api/mcp", { method: "POST", key, body: { jsonrpc: "2.0", id: 1, method, params } });

it("connects an app, which then calls tools", async () => {
  const { organizationId, owner } = await service.newOrganization();
  await make.event(await make.conference(), { hosts: [organizationId] });
  const tokens = await connect(service, owner, { organization: organizationId, scopes: ["org:read", "events:write"] });
  expect(tokens).toMatchObject({ scope: "org:read events:write", access_token: expect.stringMatching(/^svc_at_/) });
  const reply = await rpc(tokens.access_token, "tools/list");
  expect(reply.status, reply.text).toBe(200);
  expect(reply.json.result.tools.length).toBeGreaterThan(5);
  const refreshed = await requestToken(service, {
    grant_type: "refresh_token",
    refresh_token: tokens.refresh_token,
    client_id: tokens.clientId,
  });
  expect(refreshed.status, refreshed.text).toBe(200);
});

it.each(["", "/api/mcp"])(
  "describes the server and the resource at the well-known paths with the suffix “%s”",
  async (suffix) => {
    const server = await service.call(`/.well-known/oauth-authorization-server${suffix}`);
    expect(server.json).toMatchObject({
      issuer: "https://svc.test",
      authorization_endpoint: "https://svc.test/oauth/authorize",
      token_endpoint: "https://svc.test/oauth/token",
      registration_endpoint: "https://svc.test/oauth/register",
      revocation_endpoint: "https://svc.test/oauth/revoke",
      response_types_supported: ["code"],
      grant_types_supported: ["authorization_code", "refresh_token"],
      code_challenge_methods_supported: ["S256"],
      token_endpoint_auth_methods_supported: ["none", "private_key_jwt"],
      client_id_metadata_document_supported: true,
      authorization_response_iss_parameter_supported: true,
      scopes_supported: ["org:read", "org:write", "events:write", "registrations:read", "registrations:write"],
    });
    const resource = await service.call(`/.well-known/oauth-protected-resource${suffix}`);
    expect(resource.json).toMatchObject({
      resource: "https://svc.test/api/mcp",
      authorization_servers: ["https://svc.test"],
      scopes_supported: server.json.scopes_supported,
    });
  },
);

it("deletes what has expired, and registrations that nobody has used for 90 days", async () => {
  const { organizationId, owner } = await service.newOrganization();
  const used = await register(service);
  const tokens = await connect(service, owner, { organization: organizationId, scopes: ["org:read"] }, used);
  const [unused, fresh] = [await register(service), await register(service)];
  const idOf = (clientId: string) => createHash("sha256").update(clientId).digest();
  await service.db.query(sql`
    update oauth_objects set created_at = now() - interval '91 days'
    where kind = 'Client' and id_hash in (${idOf(used)}, ${idOf(unused)})`);
  await service.db.query(
    sql`update oauth_objects set expires_at = now() - interval '1 s' where kind = 'AuthorizationCode'`,
  );
  await pruneObjects(service.db.changes);
  const left = await service.db.query<{ kind: string; client: string | null }>(sql`
    select kind, payload ->> 'client_id' as client from oauth_objects`);
  expect(left.map(({ kind }) => kind)).not.toContain("AuthorizationCode");
  const clients = left.map(({ client }) => client);
  expect([used, unused, fresh].map((client) => clients.includes(client))).toEqual([true, false, true]);
  expect((await rpc(tokens.access_token, "ping")).status).toBe(200);
});

it("lets one of several processes use a code, and several use a refresh token for a moment", async () => {
  const store = objectStore({
    db: service.db,
    resource: "",
    endApp: async () => {},
    connection: () => undefined,
    alreadyUsed: () => new Error("already used"),
  });
  const used = async (kind: string) => {
    const id = randomUUID();
    await store(kind).upsert(id, {}, 60);
    const uses = await Promise.allSettled([store(kind).consume(id), store(kind).consume(id)]);
    return uses.map(({ status }) => status).sort();
  };
  expect(await used("AuthorizationCode")).toEqual(["fulfilled", "rejected"]);
  expect(await used("RefreshToken")).toEqual(["fulfilled", "fulfilled"]);
});

it("tells the app that the person declined", async () => {
  const { owner } = await service.newOrganization();
  const begun = await authorize(service, {
    client_id: await register(service),
    code_challenge: newVerifier().challenge,
  });
  const decided = await decide(service, begun, owner, "deny");
  expect(Object.fromEntries(await comeBack(service, begun, decided.json.redirect_to))).toMatchObject({
    error: "access_denied",
    state: "s1",
    iss: "https://svc.test",
  });
});
