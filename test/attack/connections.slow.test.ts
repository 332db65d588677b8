import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import sql from "sql-template-tag";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { loadConfig } from "../../src/config.js";
import type { Database } from "../../src/infra/database/db.js";
import { imagePath, imageStore } from "../../src/modules/images/store.js";
import { keptBytes } from "../support/memory.js";
import { sendBytes } from "../support/raw.js";
import { startService } from "../support/service.js";
import { useService } from "../support/setup.js";

/** What one client can do with its connections, and that others are served meanwhile. */

const limits = { connections: 30, stalledMs: 500, requestsAtOnce: 2, waitingRequests: 50, spareIdleMs: 100 };
/** Statements that start while `held` is set wait for it. */
let held: Promise<void> | undefined;
let release = () => {};
let heldStatements = 0;
const holdPosters = (real: Database): Database => ({
  ...real,
  async query(statement, name) {
    if (held !== undefined && statement.text.includes("posters")) {
      heldStatements += 1;
      await held;
    }
    return real.query(statement, name);
  },
});
const { service, db, make } = useService(() =>
  // From the cache, nothing would have to be read.
  startService({ cacheBytes: 0 }, undefined, undefined, {
    http: limits,
    wrapDatabase: holdPosters,
    oneProcess: "connections are limited in each process",
  }),
);
let key: string;

beforeAll(async () => {
  key = await make.superAdminKey();
});

afterEach(() => release());

type Client = { socket: Socket; text(): string; statuses(): number[]; isClosed(): boolean };

function open(url = service.url): Client {
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  let text = "";
  let closed = false;
  socket.setEncoding("latin1").on("data", (chunk: string) => {
    text += chunk;
  });
  socket.on("error", () => {});
  socket.on("close", () => {
    closed = true;
  });
  return {
    socket,
    text: () => text,
    statuses: () => [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map((match) => Number(match[1])),
    isClosed: () => closed,
  };
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: svc.test\r\nAuthorization: Bearer ${key}\r\n\r\n`;
/** On a connection of its own, which ends with it. */
const ping = async () =>
  (await sendBytes(service.url, get("/api/svc/ping").replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n"))).status;

/** Holds every request that reads posters until `release`. */
function hold(): void {
  heldStatements = 0;
  held = new Promise((resolve) => {
    release = () => {
      held = undefined;
      resolve();
    };
  });
}

describe("pipelined requests", () => {
  it("are handled a few at a time and answered in order", async () => {
    const client = open();
    hold();
    const paths = Array.from(
      { length: 10 },
      (_, n) => `/api/svc/${n % 2 ? "posters?limit=1" : `posters/not-a-uuid-${n}`}`,
    );
    client.socket.write(paths.map(get).join(""));
    await expect.poll(() => heldStatements).toBeGreaterThan(0);
    expect(await ping()).toBe(200);
    expect(heldStatements).toBeLessThanOrEqual(limits.requestsAtOnce);
    release();
    await expect.poll(client.statuses).toEqual(paths.map((path) => (path.includes("limit") ? 200 : 400)));
    client.socket.write(get("/api/svc/ping"));
    await expect.poll(() => client.statuses().length).toBe(11);
    client.socket.destroy();
  });

  it("beyond the limit end the connection", async () => {
    const client = open();
    hold();
    client.socket.write(get("/api/svc/posters").repeat(600));
    await expect.poll(client.isClosed).toBe(true);
    expect(heldStatements).toBeLessThanOrEqual(limits.requestsAtOnce);
    expect(await ping()).toBe(200);
    release();
    await sleep(50);
    expect(heldStatements).toBeLessThanOrEqual(limits.requestsAtOnce);
  });

  it("are not read any more while some wait", async () => {
    let received = 0;
    const count = () => {
      received += 1;
    };
    service.server.on("request", count);
    const client = open();
    hold();
    client.socket.write(get("/api/svc/posters").repeat(10));
    await expect.poll(() => heldStatements).toBeGreaterThan(0);
    // Each write is a chunk of its own: none of them is read.
    for (let n = 0; n < 40; n += 1) {
      client.socket.write(get("/api/svc/ping"));
      await sleep(2);
    }
    expect(received).toBe(10);
    release();
    await expect.poll(() => client.statuses().length).toBe(50);
    service.server.off("request", count);
    client.socket.destroy();
  });

  it("with bodies are answered in order", async () => {
    const poster = await make.poster(await make.event(await make.conference()));
    const patch = (body: string) =>
      `PATCH /api/svc/posters/${poster} HTTP/1.1\r\nHost: svc.test\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    const long = JSON.stringify({ posted_urls: { x: `https://x.example/${"a".repeat(60_000)}` } });
    const valid = JSON.stringify({ posted_urls: { x: "https://x.example/1" } });
    const client = open();
    client.socket.write([valid, long, valid, long, valid].map(patch).join("") + get("/api/svc/ping"));
    await expect.poll(client.statuses).toEqual([200, 400, 200, 400, 200, 200]);
    client.socket.destroy();
  });
});

describe("garbage after valid requests", () => {
  it("is a 400 after their responses", async () => {
    for (const count of [1, 2, 9]) {
      const client = open();
      client.socket.write(`${get("/api/svc/posters?limit=1").repeat(count)}garbage\r\n\r\n`);
      await expect.poll(client.isClosed).toBe(true);
      expect(client.statuses()).toEqual([...Array(count).fill(200), 400]);
      expect(client.text()).toMatch(
        /\{"error":"Not a valid HTTP request","code":"invalid_input","request_id":"[^"]+"\}$/,
      );
    }
  });

  it("in several writes is answered once", async () => {
    const client = open();
    hold();
    client.socket.write(`${get("/api/svc/posters?limit=1")}garbage\r\n\r\n`);
    await expect.poll(() => heldStatements).toBe(1);
    for (let n = 0; n < 5; n += 1) {
      client.socket.write("more garbage\r\n\r\n");
      await sleep(5);
    }
    release();
    await expect.poll(client.isClosed).toBe(true);
    expect(client.statuses()).toEqual([200, 400]);
  });
});

describe("connections without progress", () => {
  it("are closed when they send nothing, or half a request", async () => {
    const poster = await make.poster(await make.event(await make.conference()));
    const clients = [
      "",
      "GET /api/svc HTTP/1.1\r\nHost",
      `${get(`/api/svc/posters/${poster}`).replace("GET", "PATCH").trimEnd()}\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{`,
    ].map((text) => {
      const client = open();
      client.socket.write(text);
      return client;
    });
    await expect.poll(() => clients.map(({ isClosed }) => isClosed())).toEqual([true, true, true]);
  });

  it("are closed when they do not read, and their memory is freed", async () => {
    const bytes = Buffer.alloc(4 * 1024 * 1024, "x");
    const image = { hash: "0123456789abcdef".repeat(4), contentType: "image/png", bytes } as const;
    await imageStore(db).save([image]);
    const before = keptBytes();
    const clients = Array.from({ length: 20 }, () => {
      const client = open();
      client.socket.pause();
      client.socket.write(get(imagePath(image)).repeat(10));
      return client;
    });
    await sleep(limits.stalledMs / 2);
    expect(await ping()).toBe(200);
    await expect.poll(openConnections).toBe(0);
    for (const { socket } of clients) socket.destroy();
    await db.query(sql`delete from images where hash = ${image.hash}`);
    // The image itself stays in the cache.
    await expect.poll(() => keptBytes() - before).toBeLessThan(3 * bytes.length);
  });

  it("stay open while the service is at work", async () => {
    const client = open();
    hold();
    client.socket.write(get("/api/svc/posters?limit=1"));
    await sleep(2 * limits.stalledMs);
    expect(client.isClosed()).toBe(false);
    release();
    await expect.poll(client.statuses).toEqual([200]);
    client.socket.destroy();
  });

  it("stay open while they read slowly", async () => {
    const client = open();
    client.socket.pause();
    client.socket.write(get("/openapi.json").repeat(20));
    const expected = 20;
    while (client.statuses().length < expected && !client.isClosed()) {
      client.socket.resume();
      await sleep(1);
      client.socket.pause();
      await sleep(limits.stalledMs / 10);
    }
    expect(client.statuses()).toHaveLength(expected);
    client.socket.destroy();
  });
});

describe("the number of connections", () => {
  it("is MAX_CONNECTIONS", async () => {
    const { maxConnections } = loadConfig({ MAX_CONNECTIONS: "3" });
    const small = await startService({ maxConnections }, undefined, undefined, {
      oneProcess: "MAX_CONNECTIONS is per process",
    });
    const clients = Array.from({ length: 3 }, () => open(small.url));
    for (const { socket } of clients) socket.write(get("/livez"));
    await expect.poll(() => clients.map(({ statuses }) => statuses())).toEqual([[200], [200], [200]]);
    const refused = open(small.url);
    await expect.poll(refused.isClosed).toBe(true);
    for (const { socket } of clients) socket.destroy();
    await small.close();
  });

  it("is bounded, and idle ones make room", async () => {
    await expect.poll(openConnections).toBe(0);
    const clients = Array.from({ length: limits.connections }, () => open());
    await expect.poll(openConnections).toBe(limits.connections);
    await sleep(limits.spareIdleMs);
    const refused = open();
    await expect.poll(refused.isClosed).toBe(true);
    expect(refused.text()).toBe("");
    await expect.poll(() => clients.every(({ isClosed }) => isClosed())).toBe(true);
    expect(await ping()).toBe(200);
  });

  it("never costs a connection with a request in flight", async () => {
    hold();
    const clients = Array.from({ length: limits.connections }, () => {
      const client = open();
      client.socket.write(get("/api/svc/posters?limit=1"));
      return client;
    });
    await expect.poll(openConnections).toBe(limits.connections);
    await sleep(limits.spareIdleMs);
    const refused = open();
    await expect.poll(refused.isClosed).toBe(true);
    release();
    await expect.poll(() => clients.map(({ statuses }) => statuses())).toEqual(clients.map(() => [200]));
    for (const { socket } of clients) socket.destroy();
  });
});

function openConnections(): Promise<number> {
  return new Promise((resolve) => service.server.getConnections((_error, count) => resolve(count)));
}
