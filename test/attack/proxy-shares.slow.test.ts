import { connect, type Socket } from "node:net";
import { Redis } from "ioredis";
import { describe, expect, it } from "vitest";
import type { Tuning } from "../../src/app.js";
import { withRedis } from "../support/needs.js";
import { until } from "../support/until.js";
import { platformKey, type RunningProxy, startProxy } from "../ticketing/support/proxy.js";
import {
  httpResponse,
  type RecordingUpstream,
  startRecordingUpstream,
} from "../ticketing/support/recording-upstream.js";
import { createTenant, type Tenant, useClosing } from "../ticketing/support/use-proxy.js";

/** What one organization can take of the proxy, of the platform and of its own callers' patience. */

const closeLater = useClosing();

type Started = { proxy: RunningProxy; upstream: RecordingUpstream; tenant(): Promise<Tenant> };

async function start(
  tuning: Tuning,
  options: { config?: { redisUrl: string }; oneProcess?: string } = {},
): Promise<Started> {
  const upstream = await startRecordingUpstream();
  const proxy = await startProxy(upstream.url, { tuning, ...options });
  closeLater(upstream.close, proxy.close);
  return {
    proxy,
    upstream,
    tenant: () => createTenant(proxy),
  };
}

const read = (proxy: RunningProxy, { key, event }: Tenant) => proxy.call(`event/get?id=${event.id}`, { key });

const write = (proxy: RunningProxy, { key, event }: Tenant) =>
  proxy.call("event/coupons", { key, method: "POST", body: { event_id: event.id, code: "A" } });

function openRead(proxy: RunningProxy, { key, event }: Tenant): Socket {
  const socket = connect(Number(new URL(proxy.url).port), "127.0.0.1");
  socket.on("error", () => {});
  socket.write(
    `GET /api/ticketing/event/get?id=${event.id} HTTP/1.1\r\nhost: svc\r\nauthorization: Bearer ${key}\r\n\r\n`,
  );
  return socket;
}

const noWaiting = { waitingPerOrganization: 0 };
const ownSlots = { oneProcess: "each process has slots of its own" };

describe("slots", () => {
  it("are limited per organization, so that another organization finds one free", async () => {
    const { proxy, upstream, tenant } = await start(
      { connections: 6, slotsPerOrganization: 4, ...noWaiting },
      ownSlots,
    );
    const [greedy, other] = [await tenant(), await tenant()];
    upstream.respondWith(() => undefined);
    const held = Array.from({ length: 4 }, () => openRead(proxy, greedy));
    await until(() => upstream.received.length === 4);
    const refused = await read(proxy, greedy);
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "1"]);
    expect(refused.json.error).toContain("Your organization has 4 requests");
    upstream.respondWith(() => httpResponse(200, {}));
    expect((await read(proxy, other)).status).toBe(200);
    for (const socket of held) socket.destroy();
    await until(async () => (await read(proxy, greedy)).status === 200);
  });

  it("are limited over all organizations, with a message of its own", async () => {
    const { proxy, upstream, tenant } = await start(
      { connections: 2, slotsPerOrganization: 1, ...noWaiting },
      ownSlots,
    );
    upstream.respondWith(() => undefined);
    const held = [openRead(proxy, await tenant()), openRead(proxy, await tenant())];
    await until(() => upstream.received.length === 2);
    const refused = await read(proxy, await tenant());
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "1"]);
    expect(refused.json.error).toContain("All organizations together have 2 requests");
    for (const socket of held) socket.destroy();
  });

  it("are freed by responses of every kind", async () => {
    const { proxy, upstream, tenant } = await start({ connections: 1, slotsPerOrganization: 1 }, ownSlots);
    const one = await tenant();
    const responses = [
      ...[httpResponse(200, {}), httpResponse(500, {}), "HTTP/1.1 204 No Content\r\n\r\n"],
      ...["HTTP/1.1 304 Not Modified\r\n\r\n", httpResponse(200, {}, { "content-encoding": "unknown" })],
      ...["HTTP/1.1 999 Odd\r\ncontent-length: 0\r\n\r\n", "no HTTP\r\n\r\n"],
    ];
    const statuses: number[] = [];
    for (const response of responses) {
      upstream.respondWith(() => response);
      statuses.push((await read(proxy, one)).status);
    }
    expect(statuses).toEqual([200, 500, 204, 304, 502, 502, 502]);
  });

  it("are freed when a caller takes nothing of its response, but not while it waits for the platform", async () => {
    const tuning = {
      connections: 1,
      slotsPerOrganization: 1,
      callerIdleMs: 200,
      callTimeoutMs: 600_000,
      idleTimeoutMs: 600_000,
      http: { stalledMs: 600_000 },
    };
    const { proxy, upstream, tenant } = await start(tuning, ownSlots);
    const one = await tenant();
    const size = 31 * 1024 * 1024;
    const used: Socket[] = [];
    // The caller first waits for the platform, for longer than the limit.
    upstream.respondWith((_request, socket) => {
      used.push(socket);
      socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${size}\r\n\r\n`);
      setTimeout(() => socket.write(Buffer.alloc(size)), 500);
      return undefined;
    });
    const stalled = openRead(proxy, one);
    stalled.pause();
    await until(() => upstream.received.length === 1);
    await until(() => used.every(({ destroyed }) => destroyed));

    // The platform pauses for several times the limit in the middle of a response that the caller reads.
    upstream.respondWith((_request, socket) => {
      socket.write(`HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n${"x".repeat(50_000)}`);
      setTimeout(() => socket.write("x".repeat(50_000)), 600);
      return undefined;
    });
    expect((await read(proxy, one)).text).toBe("x".repeat(100_000));
  });
});

describe("a platform that drips its response", () => {
  const used: Socket[] = [];
  const drip = (head: string) => (_request: unknown, socket: Socket) => {
    used.push(socket);
    socket.write(`HTTP/1.1 200 OK\r\n${head}\r\n\r\n`);
    const timer = setInterval(() => socket.write("x"), 20);
    socket.on("close", () => clearInterval(timer));
    return undefined;
  };

  it("keeps a caller of a small response no longer than one that does not respond", async () => {
    const { proxy, upstream, tenant } = await start({ responseTimeoutMs: 300, callTimeoutMs: 600_000 });
    const one = await tenant();
    upstream.respondWith(drip("content-length: 60000"));
    const replies = [await read(proxy, one), await write(proxy, one)];
    expect(replies.map(({ status }) => status)).toEqual([504, 504]);
    expect(replies[1]?.json.error).toContain("may or may not have been applied");
    await until(() => used.every(({ destroyed }) => destroyed));
  });

  it("does not get the time of a response twice when the ticket types are looked up first", async () => {
    const { proxy, upstream, tenant } = await start({ responseTimeoutMs: 3_000 });
    const { key, event } = await tenant();
    let lookedUpAt = 0;
    let endedAt = 0;
    upstream.respondWith(({ path }, socket) => {
      if (path.endsWith("/list")) {
        setTimeout(() => {
          lookedUpAt = performance.now();
          socket.write(httpResponse(200, { ticket_types: [{ id: "ett-1" }] }));
        }, 2_000);
      }
      return undefined;
    });
    const reply = await proxy.call(`event/ticket-types/get?event_id=${event.id}&event_ticket_type_id=ett-1`, { key });
    endedAt = performance.now();
    expect(reply.status).toBe(504);
    expect(lookedUpAt).toBeGreaterThan(0);
    // Less than the whole limit was left for the second request.
    expect(endedAt - lookedUpAt).toBeLessThan(2_900);
  });

  it("ends a large response at the deadline of the call", async () => {
    const { proxy, upstream, tenant } = await start({ callTimeoutMs: 500 });
    upstream.respondWith(drip(`content-length: 100000\r\n\r\n${"x".repeat(1_000)}`));
    const socket = openRead(proxy, await tenant());
    socket.resume();
    await until(() => upstream.received.length === 1);
    await until(() => used.every(({ destroyed }) => destroyed));
  });
});

describe("requests to the platform", () => {
  it("are counted as sent: two for a call that names ticket types, none beyond the limit", async () => {
    const { proxy, upstream, tenant } = await start({
      platformRequests: 5,
      platformReserved: 0,
      platformWindowSeconds: 600,
    });
    const [one, other] = [await tenant(), await tenant()];
    upstream.respondWith(({ path }) =>
      httpResponse(200, path.endsWith("/list") ? { ticket_types: [{ id: "ett-1" }] } : {}),
    );
    const getTicketType = ({ key, event }: Tenant) =>
      proxy.call(`event/ticket-types/get?event_id=${event.id}&event_ticket_type_id=ett-1`, { key });
    expect((await getTicketType(one)).status).toBe(200);
    expect((await getTicketType(one)).status).toBe(200);
    expect((await read(proxy, other)).status).toBe(200);
    for (const refused of [await read(proxy, other), await write(proxy, one), await getTicketType(one)]) {
      expect(refused.status).toBe(503);
      expect(refused.json.error).toContain("All organizations together have reached the limit of 5 requests in 600 s");
      expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    }
    expect(upstream.received).toHaveLength(5);
  });

  it("are counted for a read that is sent again", async () => {
    const { proxy, upstream, tenant } = await start({
      platformRequests: 3,
      platformReserved: 0,
      platformWindowSeconds: 600,
    });
    const one = await tenant();
    upstream.respondWith((_request, socket) => {
      socket.destroy();
      return undefined;
    });
    expect((await read(proxy, one)).status).toBe(502);
    expect((await read(proxy, one)).status).toBe(503);
    expect(upstream.received).toHaveLength(3);
  });

  withRedis("with Redis", () => {
    it("are counted over all processes", async () => {
      // A database of its own: the window is the same for every service on one Redis.
      const redisUrl = Object.assign(new URL(process.env.REDIS_URL ?? ""), { pathname: "/7" }).href;
      const redis = new Redis(redisUrl);
      closeLater(async () => redis.disconnect());
      await redis.del("svc:limit:ticketing-platform");
      const tuning = { platformRequests: 6, platformReserved: 0, platformWindowSeconds: 600 };
      const config = { redisUrl };
      const started = [await start(tuning, { config }), await start(tuning, { config })];
      const statuses: number[] = [];
      for (const { proxy, tenant } of started) {
        const one = await tenant();
        for (let call = 0; call < 5; call += 1) statuses.push((await read(proxy, one)).status);
      }
      expect(statuses).toEqual([200, 200, 200, 200, 200, 200, 503, 503, 503, 503]);
      expect(started.map(({ upstream }) => upstream.received.length)).toEqual([5, 1]);
      await redis.del("svc:limit:ticketing-platform");
    });
  });
});

describe("the platform's key", () => {
  const json = (text: string) =>
    [...text].map((one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`).join("");
  const base64 = (text: string) => Buffer.from(text).toString("base64");
  const forms: [string, string, string][] = [
    ["JSON escapes", json(platformKey), platformKey],
    ["upper-case JSON escapes", json(platformKey).toUpperCase().replaceAll("\\U", "\\u"), platformKey],
    [
      "one JSON escape",
      `${platformKey.slice(0, 5)}${json(platformKey.slice(5, 6))}${platformKey.slice(6)}`,
      platformKey,
    ],
    ["base64", base64(platformKey), base64(platformKey).slice(0, 24)],
    ["base64 after one byte", base64(`:${platformKey}`), base64(`:${platformKey}`).slice(4, 24)],
    ["base64 after two bytes", base64(`::${platformKey}::`), base64(`::${platformKey}`).slice(4, 24)],
    ["hex", Buffer.from(platformKey).toString("hex"), Buffer.from(platformKey).toString("hex")],
    ["percent encoding", platformKey.replaceAll("-", "%2D"), platformKey.slice(0, 8)],
  ];

  it("is masked in every form, in small and in streamed responses", async () => {
    const { proxy, upstream, tenant } = await start({});
    const one = await tenant();
    for (const [form, encoded, recognizable] of forms) {
      for (const padding of [0, 70_000, 65_536 - 40]) {
        const body = `{"padding":"${"x".repeat(padding)}","key":"${encoded}"}`;
        upstream.respondWith(() => httpResponse(200, body, { "x-echo": encoded.replaceAll("\\", "/") }));
        const { text, headers } = await read(proxy, one);
        expect(text, form).toHaveLength(body.length);
        expect(text, form).toContain("*****");
        expect(text, form).not.toContain(recognizable);
        expect(JSON.stringify(JSON.parse(text)), form).not.toContain(platformKey);
        if (!encoded.includes("\\")) expect(headers.get("x-echo"), form).toBeNull();
      }
    }
  });
});
