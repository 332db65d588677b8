import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { Writable } from "node:stream";
import { Redis } from "ioredis";
import { pino } from "pino";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createRateLimits, type RateLimiter, windowSeconds } from "../src/platform/rate-limit.js";
import { type Make, makerOn } from "./support/make.js";
import { withRedis } from "./support/needs.js";
import { type Service, startService } from "./support/service.js";

const limit = 5;
const limits = { rest: limit, ticketing: 30, mcp: 120 };
const services: Service[] = [];
const children: ChildProcess[] = [];
let home: Service;
let make: Make;

beforeAll(async () => {
  home = await startService();
  make = makerOn(home.db);
});
afterEach(async () => {
  await Promise.all(services.splice(0).map((service) => service.close()));
  for (const child of children.splice(0)) await stop(child);
});
afterAll(() => home.close());

/** A log that keeps its lines. */
function memoryLog() {
  const lines: { level: number; msg: string }[] = [];
  const write = (chunk: Buffer, _encoding: string, done: () => void) => {
    lines.push(JSON.parse(chunk.toString()));
    done();
  };
  const log = pino({ base: null }, new Writable({ write }));
  return { log, warnings: () => lines.filter(({ level }) => level === 40).map(({ msg }) => msg) };
}

async function startLimited(redisUrl: string | null, log = memoryLog()): Promise<Service> {
  const service = await startService({ limits, redisUrl }, undefined, log.log);
  services.push(service);
  return service;
}

const ping = async (service: Service, key: string) => {
  const startedAt = performance.now();
  const reply = await service.call("/api/svc/ping", { key });
  const remaining = Number(reply.headers.get("x-ratelimit-remaining"));
  return { status: reply.status, remaining, ms: performance.now() - startedAt };
};

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
}

async function startRedis(port: number): Promise<ChildProcess> {
  const child = spawn(
    "redis-server",
    ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--daemonize", "no"],
    {
      stdio: ["ignore", "pipe", "ignore"],
    },
  );
  children.push(child);
  for await (const chunk of child.stdout ?? []) if (String(chunk).includes("Ready to accept connections")) break;
  return child;
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  child.kill("SIGKILL");
  await exited;
}

/** Asks until the answer is as wanted: for what comes back by itself, in its own time. */
async function eventually(check: () => Promise<boolean>): Promise<void> {
  for (let i = 0; i < 100; i++) {
    if (await check()) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error("it did not come to pass");
}

async function countTogether(one: Service, other: Service): Promise<boolean> {
  const key = await make.superAdminKey();
  await ping(one, key);
  return (await ping(other, key)).remaining === limit - 2;
}

describe("in memory", () => {
  it("a window is of one process, starts with the first request and is counted down to zero", async () => {
    const [one, other] = [await startLimited(null), await startLimited(null)];
    const key = await make.superAdminKey();
    const seen = [];
    for (let i = 0; i < 7; i++) seen.push(await ping(one, key));
    expect(seen.map(({ remaining }) => remaining)).toEqual([4, 3, 2, 1, 0, 0, 0]);
    expect(seen.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 429, 429]);
    expect(await ping(other, key)).toMatchObject({ status: 200, remaining: 4 });
  });

  it("of many requests at once just as many pass as the limit allows", async () => {
    const service = await startLimited(null);
    const key = await make.superAdminKey();
    const replies = await Promise.all(Array.from({ length: 20 }, () => ping(service, key)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(limit);
  });

  it("refused requests do not prolong the window", async () => {
    const limiter = createRateLimits(null, memoryLog().log).limiter("test", 1);
    const first = await limiter.consume("someone");
    const refused = [];
    for (let i = 0; i < 5; i++) refused.push(await limiter.consume("someone"));
    for (const verdict of refused) {
      expect(verdict).toMatchObject({ allowed: false, limit: 1, remaining: 0 });
      expect(Math.abs(verdict.resetAtSeconds - first.resetAtSeconds)).toBeLessThanOrEqual(1);
      expect(verdict.retryAfterSeconds).toBeLessThanOrEqual(windowSeconds);
    }
  });

  it("limiters of different names do not touch each other", async () => {
    const all = createRateLimits(null, memoryLog().log);
    const [a, b] = [all.limiter("a", 1), all.limiter("b", 1)] as [RateLimiter, RateLimiter];
    expect((await a.consume("someone")).allowed).toBe(true);
    expect((await b.consume("someone")).allowed).toBe(true);
    expect((await a.consume("someone")).allowed).toBe(false);
  });
});

withRedis("over Redis", () => {
  const redisUrl = process.env.REDIS_URL ?? "";

  it("one window is shared by all processes, from the very first request", async () => {
    const key = await make.superAdminKey();
    const [one, other] = [await startLimited(redisUrl), await startLimited(redisUrl)];
    const replies = await Promise.all(Array.from({ length: 10 }, (_, i) => ping(i % 2 === 0 ? one : other, key)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(limit);
    expect(await ping(one, key)).toMatchObject({ status: 429, remaining: 0 });
    expect(await ping(other, key)).toMatchObject({ status: 429, remaining: 0 });
  });

  it("a window outlives the process", async () => {
    const key = await make.superAdminKey();
    const one = await startLimited(redisUrl);
    for (let i = 0; i < limit; i++) await ping(one, key);
    expect((await ping(await startLimited(redisUrl), key)).status).toBe(429);
  });

  it("nothing is left in Redis for longer than a window", async () => {
    const key = await make.superAdminKey();
    await ping(await startLimited(redisUrl), key);
    const redis = new Redis(redisUrl);
    const ttl = await redis.ttl(`svc:limit:rest:${await make.keyId(key)}`);
    redis.disconnect();
    expect(ttl).toBeGreaterThan(0);
    expect(ttl).toBeLessThanOrEqual(windowSeconds);
  });
});

withRedis("while Redis is away", () => {
  it("requests are served and counted by each process, with one warning, and it goes back by itself", async () => {
    const port = await freePort();
    const redis = await startRedis(port);
    const log = memoryLog();
    const one = await startLimited(`redis://127.0.0.1:${port}`, log);
    const other = await startLimited(`redis://127.0.0.1:${port}`);
    const key = await make.superAdminKey();
    expect(await ping(one, key)).toMatchObject({ status: 200, remaining: 4 });
    expect(await ping(other, key)).toMatchObject({ status: 200, remaining: 3 });

    await stop(redis);
    const alone = [];
    for (let i = 0; i < limit + 1; i++) alone.push(await ping(one, key));
    expect(alone.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 429]);
    expect(await ping(other, key)).toMatchObject({ status: 200, remaining: 4 });
    expect(log.warnings()).toHaveLength(1);

    await startRedis(port);
    await eventually(() => countTogether(one, other));
    expect(log.warnings()).toHaveLength(1);
  });

  it("a service that starts without it serves, and takes it up when it comes", async () => {
    const port = await freePort();
    const log = memoryLog();
    const one = await startLimited(`redis://127.0.0.1:${port}`, log);
    const other = await startLimited(`redis://127.0.0.1:${port}`);
    expect((await ping(one, await make.superAdminKey())).status).toBe(200);
    expect(log.warnings()).toHaveLength(1);
    await startRedis(port);
    await eventually(() => countTogether(one, other));
  });

  it("a Redis that hangs holds up the requests of one moment, not each one", async () => {
    const port = await freePort();
    const redis = await startRedis(port);
    const log = memoryLog();
    const service = await startLimited(`redis://127.0.0.1:${port}`, log);
    const keys = await Promise.all(Array.from({ length: 12 }, () => make.superAdminKey()));
    await ping(service, keys[0] ?? "");

    redis.kill("SIGSTOP");
    const first = await ping(service, keys[1] ?? "");
    expect(first.status).toBe(200);
    expect(first.ms).toBeLessThan(3_000);
    const startedAt = performance.now();
    for (const key of keys.slice(2)) expect((await ping(service, key)).status).toBe(200);
    // Ten requests that each waited for a timeout would take five seconds.
    expect(performance.now() - startedAt).toBeLessThan(2_500);
    expect(log.warnings()).toHaveLength(1);

    redis.kill("SIGCONT");
    const other = await startLimited(`redis://127.0.0.1:${port}`);
    await eventually(() => countTogether(service, other));
    expect(log.warnings()).toHaveLength(1);
  });

  it("a Redis that refuses to count is away too, without a warning for each request", async () => {
    const port = await freePort();
    await startRedis(port);
    const control = new Redis(port);
    await control.config("SET", "maxmemory", "1");
    const log = memoryLog();
    const service = await startLimited(`redis://127.0.0.1:${port}`, log);
    for (let i = 0; i < 12; i++) {
      expect((await ping(service, await make.superAdminKey())).status).toBe(200);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    expect(log.warnings()).toHaveLength(1);
    control.disconnect();
  });
});
