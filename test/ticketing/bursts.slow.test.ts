import { expect, it } from "vitest";
import { ticketingDefaults } from "../../src/ticketing/limits.js";
import { startProxy } from "./support/proxy.js";
import { httpResponse, startRecordingUpstream } from "./support/recording-upstream.js";
import { createTenant, useClosing } from "./support/use-proxy.js";

const closeLater = useClosing();

async function start(tuning = {}) {
  const upstream = await startRecordingUpstream(() => httpResponse(200, {}));
  const options = {
    tuning: { ...ticketingDefaults, ...tuning },
    limit: 30,
    oneProcess: "each process has slots of its own",
  };
  const proxy = await startProxy(upstream.url, { ...options, config: { redisUrl: null } });
  closeLater(upstream.close, proxy.close);
  const [one, other] = [await createTenant(proxy), await createTenant(proxy)];
  const read = ({ key, event }: typeof one) => proxy.call(`event/get?id=${event.id}`, { key });
  return { upstream, proxy, one, other, read };
}

it("an organization gets its 30 requests at once, and another one is served in the same second", async () => {
  const { upstream, one, other, read } = await start();
  const burst = Array.from({ length: 31 }, () => read(one));
  const beside = await read(other);
  const statuses = (await Promise.all(burst)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(30);
  expect(statuses.filter((status) => status === 429)).toHaveLength(1);
  expect(beside.status).toBe(200);
  expect(upstream.received).toHaveLength(31);
});

it("an organization gets its 30 requests at once however slow the platform is", async () => {
  const { upstream, one, read } = await start();
  const held: (() => void)[] = [];
  // Nothing is answered before all have arrived.
  upstream.respondWith((_request, socket) => {
    held.push(() => socket.write(httpResponse(200, {})));
    if (held.length === 30) for (const respond of held) respond();
    return undefined;
  });
  const replies = await Promise.all(Array.from({ length: 30 }, () => read(one)));
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
});

it("a request waits until the platform may be asked again, and not longer than it says", async () => {
  const window = { platformRequests: 2, platformReserved: 0 };
  const waiting = await start({ ...window, platformWindowSeconds: 1, platformWaitMs: 60_000 });
  const replies = await Promise.all(Array.from({ length: 5 }, () => waiting.read(waiting.one)));
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);

  const refusing = await start({ ...window, platformWindowSeconds: 600 });
  const statuses = [];
  for (let i = 0; i < 3; i += 1) statuses.push((await refusing.read(refusing.one)).status);
  expect(statuses).toEqual([200, 200, 503]);
});

it("a request that waited still gives the platform its whole time to respond", async () => {
  const window = { platformRequests: 1, platformReserved: 0, platformWindowSeconds: 2, platformWaitMs: 60_000 };
  const { upstream, one, read } = await start({ ...window, responseTimeoutMs: 1_500 });
  expect((await read(one)).status).toBe(200);
  upstream.respondWith((_request, socket) => {
    setTimeout(() => socket.write(httpResponse(200, {})), 500);
    return undefined;
  });
  expect((await read(one)).status).toBe(200);
});

it("names the query parameters that are not passed on, of reads and of writes", async () => {
  const { proxy, one } = await start();
  const { key, event } = one;
  const read = await proxy.call(`event/get?event_api_id=${event.id}&expand=all&Limit=1`, { key });
  expect([read.status, read.headers.get("x-ignored-query-parameters")]).toEqual([200, "expand, Limit"]);
  const body = { event_id: event.id, guests: [{ email: "a@example.com" }] };
  const write = await proxy.call("event/add-guests?notify=false", { key, method: "POST", body });
  expect([write.status, write.headers.get("x-ignored-query-parameters")]).toEqual([200, "notify"]);
  expect((await proxy.call(`event/get?id=${event.id}`, { key })).headers.get("x-ignored-query-parameters")).toBeNull();
});
