import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callTool, legacy, post } from "../mcp/messages.js";
import type { LogLine } from "../support/memory-log.js";
import { httpResponse } from "../ticketing/support/recording-upstream.js";
import { type ObservedService, startObservedService } from "./observed-service.js";

let service: ObservedService;
let organizationId: string;
let key: string;
let keyId: string;
let event: string;

beforeAll(async () => {
  service = await startObservedService(null, { mcp: 6 });
  organizationId = await service.make.organization();
  key = await service.make.organizationKey(organizationId);
  keyId = await service.make.keyId(key);
  event = await service.linkedEvent(organizationId);
});
afterAll(() => service.close());

/** The lines of the requests that `work` makes. */
async function linesOf(count: number, work: () => Promise<unknown>): Promise<LogLine[]> {
  const before = (await service.requestLines(0)).length;
  await work();
  return (await service.requestLines(before + count)).slice(before);
}

describe("a request", () => {
  it("is one line with route, status, times, key and organization", async () => {
    const poster = await service.make.poster(event);
    const [line] = await linesOf(1, () => service.call(`/api/svc/posters/${poster}?limit=secret`, { key }));
    expect(line).toEqual({
      level: 30,
      time: expect.any(Number),
      request_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      method: "GET",
      route: "/api/svc/posters/:id",
      status: 200,
      ms: expect.any(Number),
      db_ms: expect.any(Number),
      key_id: keyId,
      organization_id: organizationId,
      msg: "request",
    });
    expect(line?.db_ms).toBeGreaterThan(0);
    expect(line?.ms).toBeGreaterThanOrEqual(Number(line?.db_ms));
  });

  it("adopts the caller's id", async () => {
    const id = "caller-chosen-id-1";
    const [line] = await linesOf(1, async () => {
      const { headers } = await service.call("/api/svc/ping", { key, headers: { "x-request-id": id } });
      expect(headers.get("x-request-id")).toBe(id);
    });
    expect(line?.request_id).toBe(id);
  });

  it("without a valid key, to an unknown path or with an invalid one has its line, too", async () => {
    const lines = await linesOf(3, async () => {
      await service.call("/api/svc/ping", { key: "svc_mk_wrong" });
      await service.call("/no/such/path?token=secret");
      await service.call("/api/svc/posters/%zz");
    });
    expect(lines.map(({ route, status, key_id }) => [route, status, key_id])).toEqual([
      ["/api/svc/ping", 401, null],
      ["unmatched", 404, null],
      ["unmatched", 400, null],
    ]);
  });

  it("names the tool and its outcome", async () => {
    const lines = await linesOf(3, async () => {
      await callTool(service, key, "get_organization_admin_snapshot");
      await callTool(service, key, "update_organization_profile", { nme: "x" });
      await callTool(service, key, "no_such_tool_secret");
    });
    expect(lines.map(({ route, status, tool, outcome }) => [route, status, tool, outcome])).toEqual([
      ["/api/mcp", 200, "get_organization_admin_snapshot", "ok"],
      ["/api/mcp", 200, "update_organization_profile", "invalid_input"],
      ["/api/mcp", 200, undefined, undefined],
    ]);
  });

  it("names the operation of the ticketing proxy", async () => {
    const [line] = await linesOf(1, () => service.call(`/api/ticketing/event/get?event_id=${event}`, { key }));
    expect(line).toMatchObject({ route: "/api/ticketing/event/get", status: 200, organization_id: organizationId });
  });

  it("that its caller aborts has its line", async () => {
    service.upstream.respondWith(() => undefined);
    const [line] = await linesOf(1, async () => {
      const signal = AbortSignal.timeout(200);
      const url = `${service.url}/api/ticketing/event/get?event_id=${event}`;
      await fetch(url, { headers: { authorization: `Bearer ${key}` }, signal }).catch(() => {});
    });
    service.upstream.respondWith(() => httpResponse(200, {}));
    expect(line).toMatchObject({ route: "/api/ticketing/event/get", aborted: true });
  });

  it("to a health path is logged at debug only, and needs no key", async () => {
    const lines = await linesOf(2, async () => {
      expect(await service.call("/livez")).toMatchObject({ status: 200, json: { alive: true } });
      expect(await service.call("/readyz")).toMatchObject({
        status: 200,
        json: { ready: true, checks: { process: "ok", database: "ok", migrations: "ok" } },
      });
    });
    expect(lines.map(({ route, level }) => [route, level])).toEqual([
      ["/livez", 20],
      ["/readyz", 20],
    ]);
  });
});

describe("a rate limit", () => {
  it("that refuses a request is a line with the key, and counted", async () => {
    const [line] = (
      await linesOf(4, async () => {
        for (let call = 0; call < 4; call++) await post(service, key, legacy("tools/list"));
      })
    ).filter(({ status }) => status === 429);
    expect(line).toMatchObject({ route: "/api/mcp", key_id: keyId, organization_id: organizationId });
    expect((await service.metrics.text()).body).toMatch(/^svc_rate_limit_refusals_total\{endpoint="mcp"\} [1-9]/m);
  });
});
