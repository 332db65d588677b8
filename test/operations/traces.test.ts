import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createObservation } from "../../src/infra/observability/observation.js";
import { createTraces, type Traces } from "../../src/infra/observability/traces.js";
import { callTool } from "../mcp/messages.js";
import { createMemoryLog } from "../support/memory-log.js";
import { until } from "../support/until.js";
import { type Collector, type ObservedService, startCollector, startObservedService } from "./observed-service.js";

const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
const callerSpan = "00f067aa0ba902b7";
const traceparent = `00-${traceId}-${callerSpan}-01`;

let collector: Collector;
let service: ObservedService;
let key: string;
let event: string;
beforeAll(async () => {
  collector = await startCollector();
  service = await startObservedService(collector);
  const organizationId = await service.make.organization();
  key = await service.make.organizationKey(organizationId);
  event = await service.linkedEvent(organizationId);
});
afterAll(async () => {
  await service.close();
  await collector.close();
});
beforeEach(() => {
  collector.received.length = 0;
});

type Span = {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  kind: number;
  attributes: Attribute[];
};
type Attribute = { key: string; value: { stringValue?: string; intValue?: string } };

/** The spans of one request, once its root has arrived; children are sent with it. */
async function spansOf(name: string, work: () => Promise<unknown>): Promise<{ root: Span; spans: Span[] }> {
  await work();
  let root: Span | undefined;
  await until(() => {
    root = collector.spans().find((span) => span.name === name);
    return root !== undefined;
  });
  if (root === undefined) throw new Error("no root");
  const trace = root.traceId;
  return { root, spans: collector.spans().filter((span) => span.traceId === trace) };
}

const attributesOf = ({ attributes }: Span) =>
  Object.fromEntries(attributes.map(({ key: name, value }) => [name, value.stringValue ?? value.intValue]));

describe("a traced request", () => {
  it("is part of the caller's trace, with its statements", async () => {
    const path = "/api/svc/posters?published=true";
    const { root, spans } = await spansOf("GET /api/svc/posters", () =>
      service.call(path, { key, headers: { traceparent } }),
    );
    expect(root).toMatchObject({ traceId, parentSpanId: callerSpan, kind: 2 });
    expect(attributesOf(root)).toMatchObject({
      "http.route": "/api/svc/posters",
      "http.response.status_code": "200",
      "svc.request_id": traceId,
      "svc.key_id": await service.make.keyId(key),
    });
    const children = spans.filter((span) => span !== root && span.parentSpanId === root.spanId);
    expect(children.map(({ name }) => name)).toEqual(["database look up keys", "database list posters"]);
    const [first] = collector.received;
    expect([first?.path, first?.headers.authorization]).toEqual(["/otlp/v1/traces", "Bearer collector-token"]);
    expect(first?.text).toContain('"service.name","value":{"stringValue":"svc-test"}');
    expect((await service.requestLines(1)).at(-1)).toMatchObject({ trace_id: traceId });
  });

  it("has a span for its tool, around the tool's statements", async () => {
    const name = "get_organization_admin_snapshot";
    const { root, spans } = await spansOf("POST /api/mcp", () => callTool(service, key, name));
    const tool = spans.find((span) => span.name === `tool ${name}`);
    expect(tool?.parentSpanId).toBe(root.spanId);
    expect(spans.filter(({ parentSpanId }) => parentSpanId === tool?.spanId).length).toBeGreaterThan(0);
    expect(attributesOf(root)).toMatchObject({ "svc.tool.outcome": "ok" });
  });

  it("has a span for its call to the platform", async () => {
    const { root, spans } = await spansOf("GET /api/ticketing/event/get", () =>
      service.call(`/api/ticketing/event/get?event_id=${event}`, { key }),
    );
    expect(spans.map(({ name }) => name).sort()).toEqual([
      root.name,
      "database load proxy calls",
      expect.stringMatching(/^platform /),
    ]);
  });

  it("contains no key, path, body or value", async () => {
    const secret = "Secret-Guest-Mx7";
    const email = "secret.guest@example.com";
    await service.call(`/api/svc/posters/${secret}?q=${secret}`, { key, headers: { cookie: secret } });
    const body = { event_id: event, guests: [{ email, name: secret }] };
    await service.call("/api/ticketing/event/add-guests", { key, method: "POST", body });
    await callTool(service, key, "add_event_guest", { event_id: event, email, name: secret });
    await until(() => collector.spans().some(({ name }) => name === "tool add_event_guest"));
    const text = collector.received.map((each) => each.text).join();
    for (const forbidden of [secret, email, key, "svc_mk_", "platform-secret"]) expect(text).not.toContain(forbidden);
  });
});

describe("tracing", () => {
  it("is off for a request whose caller does not sample it, and follows the ratio", () => {
    const options = { endpoint: collector.url, headers: {}, serviceName: "svc" };
    const log = createMemoryLog().log;
    const half = createTraces({ ...options, ratio: 0.5 }, log);
    expect(half.start({ traceparent: `00-${traceId}-${callerSpan}-00` })).toBeNull();
    const sampled = Array.from({ length: 400 }, () => half.start({})).filter((trace) => trace !== null).length;
    expect(sampled).toBeGreaterThan(100);
    expect(sampled).toBeLessThan(300);
    const none = createTraces({ ...options, ratio: 0 }, log);
    expect(none.start({ traceparent })).toBeNull();
  });

  it("drops and counts spans beyond its queue and spans that the collector refuses, with one line", async () => {
    const refusing = await startCollector();
    refusing.respondWith(503);
    const { log, lines } = createMemoryLog();
    const limits = { queue: 5, batch: 100, intervalMs: 60_000, timeoutMs: 5_000 };
    const traces = createTraces({ endpoint: refusing.url, headers: {}, serviceName: "svc", ratio: 1 }, log, limits);
    for (let index = 0; index < 8; index++) reportRequest(traces);
    expect(traces.dropped()).toBe(3);
    await traces.close();
    expect(refusing.spans()).toHaveLength(5);
    expect(traces.dropped()).toBe(8);
    expect(lines()).toMatchObject([{ dependency: "trace collector", reason: "it responded with 503" }]);
    await refusing.close();
  });

  it("ends after one request to a collector that does not take spans, however many are left", async () => {
    const refusing = await startCollector();
    refusing.respondWith(503);
    const limits = { queue: 100, batch: 10, intervalMs: 60_000, timeoutMs: 5_000 };
    const options = { endpoint: refusing.url, headers: {}, serviceName: "svc", ratio: 1 };
    const traces = createTraces(options, createMemoryLog().log, limits);
    for (let index = 0; index < 50; index++) reportRequest(traces);
    await traces.close();
    expect(refusing.received).toHaveLength(1);
    expect(traces.dropped()).toBe(50);
    await refusing.close();
  });
});

function reportRequest(traces: Traces): void {
  const observation = createObservation(traces.start({}));
  traces.request({ observation, method: "GET", route: "/", status: 200, aborted: false, ms: 1, requestId: "id" });
}
