import { afterAll, beforeAll, expect, it } from "vitest";
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
