import type { ChildProcess } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { Redis } from "ioredis";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { createRateLimits, windowSeconds } from "../src/infra/rate-limit.js";
import { findFreePort } from "./cli/launch.js";
import { legacy, post } from "./mcp/messages.js";
import { createMemoryLog } from "./support/memory-log.js";
import { withRedis } from "./support/needs.js";
import { startRedis as startRedisServer } from "./support/redis-server.js";
import { type Service, startService } from "./support/service.js";
import { useDatabase } from "./support/setup.js";

const limit = 5;
const limits = { rest: limit, ticketing: 30, mcp: 120 };
const services: Service[] = [];
const children: ChildProcess[] = [];
const { make } = useDatabase();

afterEach(async () => {
  await Promise.all(services.splice(0).map((service) => service.close()));
  for (const child of children.splice(0)) await stop(child);
});

function memoryLog() {
  const { log, lines } = createMemoryLog();
  return { log, warnings: () => lines().filter(({ level }) => level === 40) };
}

async function startLimited(redisUrl: string | null, log = memoryLog()): Promise<Service> {
  const service = await startService({ limits, redisUrl }, undefined, log.log, {
    oneProcess: "two services are compared as two processes",
  });
  services.push(service);
  return service;
}

const ping = async (service: Service, key: string) => {
  const startedAt = performance.now();
  const reply = await service.call("/api/svc/ping", { key });
  const remaining = Number(reply.headers.get("x-ratelimit-remaining"));
  return { status: reply.status, remaining, ms: performance.now() - startedAt };
};

async function startRedis(port: number): Promise<ChildProcess> {
  const child = await startRedisServer(port);
  children.push(child);
  return child;
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  child.kill("SIGKILL");
  await exited;
}

async function shareWindow(one: Service, other: Service): Promise<boolean> {
  const key = await make.superAdminKey();
  await ping(one, key);
  return (await ping(other, key)).remaining === limit - 2;
}

describe("in memory", () => {
  it("counts down to zero within a window, separately in each process", async () => {
    const [one, other] = [await startLimited(null), await startLimited(null)];
    const key = await make.superAdminKey();
    const seen = [];
    for (let i = 0; i < 7; i++) seen.push(await ping(one, key));
    expect(seen.map(({ remaining }) => remaining)).toEqual([4, 3, 2, 1, 0, 0, 0]);
    expect(seen.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 429, 429]);
    expect(await ping(other, key)).toMatchObject({ status: 200, remaining: 4 });
  });

  it("allows exactly the limit among concurrent requests", async () => {
    const service = await startLimited(null);
    const key = await make.superAdminKey();
    const replies = await Promise.all(Array.from({ length: 20 }, () => ping(service, key)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(limit);
  });

  it("does not extend the window for rejected requests", async () => {
    const limiter = createRateLimits(null, memoryLog().log).limiter("test", 1);
    const first = await limiter.consume("key");
    const rejected = [];
    for (let i = 0; i < 5; i++) rejected.push(await limiter.consume("key"));
    for (const result of rejected) {
      expect(result).toMatchObject({ allowed: false, limit: 1, remaining: 0 });
      expect(Math.abs(result.resetAtSeconds - first.resetAtSeconds)).toBeLessThanOrEqual(1);
      expect(result.retryAfterSeconds).toBeLessThanOrEqual(windowSeconds);
    }
  });

  it("counts separately for limiters with different names", () => expectSeparateWindows(null));

  it("rounds the reset time and the wait up: a client that waits as told is allowed", async () => {
    vi.useFakeTimers({ toFake: ["Date", "performance"], now: 1_900_000_000_400 });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const limiter = createRateLimits(null, memoryLog().log).limiter("test", 1);
    expect(await limiter.consume("first key")).toMatchObject({ allowed: true, resetAtSeconds: 1_900_000_061 });
    await limiter.consume("second key");
    vi.advanceTimersByTime(100);
    const rejected = await limiter.consume("second key");
    expect(rejected).toMatchObject({ allowed: false, resetAtSeconds: 1_900_000_061, retryAfterSeconds: 60 });
    vi.advanceTimersByTime(rejected.retryAfterSeconds * 1_000);
    expect(await limiter.consume("second key")).toMatchObject({ allowed: true });
  });
});

describe("a clock that is set back by an hour", () => {
  it("does not make a client wait longer than a window", async () => {
    const start = 1_900_000_000_000;
    vi.useFakeTimers({ toFake: ["Date", "performance"], now: start });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const limiter = createRateLimits(null, memoryLog().log).limiter("test", 1);
    await limiter.consume("key");
    vi.setSystemTime(start - 3_600_000);
    expect(await limiter.consume("key")).toMatchObject({
      allowed: false,
      retryAfterSeconds: windowSeconds,
      resetAtSeconds: start / 1_000 - 3_600 + windowSeconds,
    });
    vi.advanceTimersByTime(windowSeconds * 1_000);
    expect(await limiter.consume("key")).toMatchObject({ allowed: true });
  });
});

/** Uses a random key, because windows in Redis outlive the test. */
async function expectSeparateWindows(redisUrl: string | null): Promise<void> {
  const limits = createRateLimits(redisUrl, memoryLog().log);
  onTestFinished(() => limits.close());
  const [a, b] = [limits.limiter("test-a", 1), limits.limiter("test-b", 1)];
  const key = randomUUID();
  expect((await a.consume(key)).allowed).toBe(true);
  expect((await b.consume(key)).allowed).toBe(true);
  expect((await a.consume(key)).allowed).toBe(false);
}

withRedis("with Redis", () => {
  const redisUrl = process.env.REDIS_URL ?? "";

  it("shares one window between processes from the first request on", async () => {
    const key = await make.superAdminKey();
    const [one, other] = [await startLimited(redisUrl), await startLimited(redisUrl)];
    const replies = await Promise.all(Array.from({ length: 10 }, (_, i) => ping(i % 2 === 0 ? one : other, key)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(limit);
    expect(await ping(one, key)).toMatchObject({ status: 429, remaining: 0 });
    expect(await ping(other, key)).toMatchObject({ status: 429, remaining: 0 });
  });

  it("counts separately for limiters with different names", () => expectSeparateWindows(redisUrl));

  it("counts REST and MCP requests of one key separately", async () => {
    const service = await startLimited(redisUrl);
    const key = await make.organizationKey(await make.organization());
    for (let i = 0; i < limit; i++) await ping(service, key);
    expect(await ping(service, key)).toMatchObject({ status: 429, remaining: 0 });
    const { status, headers } = await post(service, key, legacy("tools/list"));
    expect(status).toBe(200);
    expect(headers.get("x-ratelimit-remaining")).toBe(String(limits.mcp - 1));
  });

  it("leaves nothing in Redis for longer than a window", async () => {
    const key = await make.superAdminKey();
    await ping(await startLimited(redisUrl), key);
    const redis = new Redis(redisUrl);
    const ttl = await redis.ttl(`svc:limit:rest:${await make.keyId(key)}`);
    redis.disconnect();
    expect(ttl).toBeGreaterThan(0);
    expect(ttl).toBeLessThanOrEqual(windowSeconds);
  });
});

withRedis("while Redis is unavailable", () => {
  it("serves and counts requests locally with one warning, then shares windows again", async () => {
    const port = await findFreePort();
    const redis = await startRedis(port);
    const log = memoryLog();
    const one = await startLimited(`redis://127.0.0.1:${port}`, log);
    const other = await startLimited(`redis://127.0.0.1:${port}`);
    const key = await make.superAdminKey();
    expect(await ping(one, key)).toMatchObject({ status: 200, remaining: 4 });
    expect(await ping(other, key)).toMatchObject({ status: 200, remaining: 3 });

    await stop(redis);
    const local = [];
    for (let i = 0; i < limit + 1; i++) local.push(await ping(one, key));
    expect(local.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 429]);
    expect(await ping(other, key)).toMatchObject({ status: 200, remaining: 4 });
    expect(log.warnings()).toHaveLength(1);

    await startRedis(port);
    await expect.poll(() => shareWindow(one, other)).toBe(true);
    expect(log.warnings()).toHaveLength(1);
  });

  it("starts without Redis and uses it once it is available", async () => {
    const port = await findFreePort();
    const log = memoryLog();
    const one = await startLimited(`redis://127.0.0.1:${port}`, log);
    const other = await startLimited(`redis://127.0.0.1:${port}`);
    expect((await ping(one, await make.superAdminKey())).status).toBe(200);
    expect(log.warnings()).toHaveLength(1);
    await startRedis(port);
    await expect.poll(() => shareWindow(one, other)).toBe(true);
  });

  it("delays only the requests in flight when Redis hangs", async () => {
    const port = await findFreePort();
    const redis = await startRedis(port);
    const log = memoryLog();
    const service = await startLimited(`redis://127.0.0.1:${port}`, log);
    const keys = await Promise.all(Array.from({ length: 12 }, () => make.superAdminKey()));
    await ping(service, keys[0] ?? "");

    redis.kill("SIGSTOP");
    const first = await ping(service, keys[1] ?? "");
    expect(first.status).toBe(200);
    const startedAt = performance.now();
    for (const key of keys.slice(2)) expect((await ping(service, key)).status).toBe(200);
    // Ten requests that each waited for a timeout would take ten times as long as the first one.
    expect(performance.now() - startedAt).toBeLessThan(5 * first.ms);
    expect(log.warnings()).toHaveLength(1);

    redis.kill("SIGCONT");
    const other = await startLimited(`redis://127.0.0.1:${port}`);
    await expect.poll(() => shareWindow(service, other)).toBe(true);
    expect(log.warnings()).toHaveLength(1);
  });

  it("treats a Redis that rejects writes as unavailable, with one warning", async () => {
    const port = await findFreePort();
    await startRedis(port);
    const control = new Redis(port);
    await control.config("SET", "maxmemory", "1");
    const log = memoryLog();
    const service = await startLimited(`redis://127.0.0.1:${port}`, log);
    const key = await make.superAdminKey();
    expect((await ping(service, key)).status).toBe(200);
    // Longer than until the next attempt to use it.
    await new Promise((resolve) => setTimeout(resolve, 600));
    expect((await ping(service, key)).status).toBe(200);
    expect(log.warnings()).toHaveLength(1);
    control.disconnect();
  });
});
