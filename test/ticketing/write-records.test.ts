import sql from "sql-template-tag";
import { beforeEach, expect, it } from "vitest";
import { until } from "../support/until.js";
import { startProxy } from "./support/proxy.js";
import { httpResponse, startRecordingUpstream } from "./support/recording-upstream.js";
import { createTenant, type Tenant, useProxy } from "./support/use-proxy.js";

const { proxy, upstream } = useProxy();
let tenant: Tenant;

type RecordRow = {
  tool: string;
  organization_id: string;
  user_id: string;
  api_key_id: string;
  request: { attempt_id: string; method: string; upstream_path: string; fields?: object };
  result: { state: string; status?: number; error?: string };
};

const records = () =>
  proxy.db.query<RecordRow>(
    sql`select * from mutation_records where event_id = ${tenant.event.id} order by at, result ->> 'state' desc`,
  );

beforeEach(async () => {
  upstream.respondWith(() => httpResponse(200, {}));
  tenant = await createTenant(proxy);
});

const add = (fields: object = {}, through = proxy) =>
  through.call("event/add-guests", {
    key: tenant.key,
    method: "POST",
    body: { event_id: tenant.event.id, guests: [{ email: "a@example.com" }], ...fields },
  });

it("records a write before sending it, and its outcome before responding", async () => {
  let whileSending: RecordRow[] = [];
  upstream.respondWith((_request, socket) => {
    records().then((rows) => {
      whileSending = rows;
      socket.write(httpResponse(201, { ok: true }));
    });
    return undefined;
  });
  const response = await add();
  expect(response.status).toBe(201);
  const after = await records();
  expect(whileSending.map(({ result }) => result)).toEqual([{ state: "sending" }]);
  expect(after.map(({ result }) => result)).toEqual([{ state: "sending" }, { state: "answered", status: 201 }]);
  expect(new Set(after.map(({ request }) => request.attempt_id)).size).toBe(1);
  expect(after[0]).toMatchObject({
    tool: "ticketing:event/add-guests",
    organization_id: tenant.organizationId,
    user_id: expect.any(String),
    api_key_id: expect.any(String),
    request: {
      request_id: response.headers.get("x-request-id"),
      method: "POST",
      upstream_path: "event/add-guests",
      ticketing_event_id: tenant.event.ticketingId,
      fields: { guests: [{ email: "a@example.com" }] },
    },
  });
});

it("records the path as it was called", async () => {
  await proxy.call("event/coupons", {
    key: tenant.key,
    method: "PATCH",
    body: { event_id: tenant.event.id, code: "A" },
  });
  expect((await records())[0]).toMatchObject({
    tool: "ticketing:event/coupons",
    request: { method: "PATCH", upstream_path: "event/update-coupon" },
  });
});

it("records the platform's errors and unknown outcomes", async () => {
  upstream.respondWith(() => httpResponse(422, { message: "no" }));
  await add();
  upstream.respondWith((_request, socket) => {
    socket.destroy();
    return undefined;
  });
  await add();
  upstream.respondWith(() => undefined);
  const impatient = await startProxy(upstream.url, { tuning: { responseTimeoutMs: 300 } });
  await add({}, impatient);
  await impatient.close();
  upstream.respondWith(() => httpResponse(401, {}));
  await add();
  const outcomes = (await records()).map(({ result }) => result).filter(({ state }) => state !== "sending");
  expect(outcomes).toEqual([
    { state: "answered", status: 422 },
    { state: "unknown", error: expect.stringContaining("closed the connection") },
    { state: "unknown", error: expect.stringContaining("did not respond") },
    { state: "answered", status: 401 },
  ]);
});

it("records that the caller disconnected", async () => {
  upstream.respondWith(() => undefined);
  const controller = new AbortController();
  const call = fetch(`${proxy.url}/api/ticketing/event/add-guests`, {
    method: "POST",
    headers: { authorization: `Bearer ${tenant.key}`, "content-type": "application/json" },
    body: JSON.stringify({ event_id: tenant.event.id, guests: [] }),
    signal: controller.signal,
  });
  await until(async () => (await records()).length === 1);
  controller.abort();
  await expect(call).rejects.toThrow();
  await until(async () => (await records()).length === 2);
  expect((await records())[1]?.result).toEqual({ state: "unknown", error: "The caller disconnected" });
});

it("records that nothing was sent", async () => {
  const stopped = await startRecordingUpstream();
  await stopped.close();
  const unreachable = await startProxy(stopped.url);
  try {
    await unreachable.call("event/coupons", {
      key: tenant.key,
      method: "POST",
      body: { event_id: tenant.event.id, code: "A" },
    });
    expect((await records())[1]?.result).toEqual({
      state: "not_sent",
      error: "The ticketing platform cannot be reached",
    });
  } finally {
    await unreachable.close();
  }
});

it("records neither reads nor requests that the proxy rejects", async () => {
  await proxy.call(`event/get?id=${tenant.event.id}`, { key: tenant.key });
  await proxy.call(`event/ticket-types/get?event_id=${tenant.event.id}&event_ticket_type_id=x`, { key: tenant.key });
  await add({ ticket: { event_ticket_type_id: "not-of-this-event" } });
  await add({ event_api_id: tenant.event.id });
  expect(await records()).toEqual([]);
});
