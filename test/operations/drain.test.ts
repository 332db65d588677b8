import { EventEmitter, once } from "node:events";
import { Agent, get, type IncomingMessage } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { FastifyInstance } from "fastify";
import { expect, it } from "vitest";
import { createDrain, type Drain } from "../../src/http/drain.js";
import { createServer } from "../../src/http/server.js";
import type { Database } from "../../src/infra/database/db.js";
import { createLog } from "../../src/infra/observability/log.js";
import { createOperations } from "../../src/infra/observability/operations.js";

type Running = {
  app: FastifyInstance;
  port: number;
  drain: Drain;
  accepted: Set<number>;
  /** Lets a request to /held/:name respond. */
  release(name: string): void;
  /** Requests that were read and not responded to. */
  unfinished(): number;
  bytesRead(): number;
};

/** The server with two routes: one responds after `ms`, one when it is told to. */
async function start(): Promise<Running> {
  const operations = createOperations(createLog("silent"), {
    lookups: { query: async () => [] },
    checkWritable: async () => true,
  } as unknown as Database);
  const app = createServer({
    operations,
    baseUrl: "https://svc.test",
    corsOrigins: [],
    connectionLimits: { connections: 100 },
  });
  app.get<{ Params: { ms: string } }>("/after/:ms", async (request) => {
    await sleep(Number(request.params.ms));
    return "{}";
  });
  const held = new EventEmitter();
  app.get<{ Params: { name: string } }>("/held/:name", async (request) => {
    await once(held, request.params.name);
    return "{}";
  });
  const drain = createDrain(app, operations.readiness);
  const accepted = new Set<number>();
  app.server.on("connection", ({ remotePort }) => accepted.add(remotePort ?? 0));
  await app.listen({ port: 0, host: "127.0.0.1" });
  const connections = () => [...app.openConnections];
  return {
    app,
    port: (app.server.address() as AddressInfo).port,
    drain,
    accepted,
    release: (name) => void held.emit(name),
    unfinished: () => connections().reduce((sum, [, { unfinished }]) => sum + unfinished.length, 0),
    bytesRead: () => connections().reduce((sum, [{ bytesRead }]) => sum + bytesRead, 0),
  };
}

type Outcome = { status: number; connection: string | undefined } | { code: string; localPort: number | undefined };

function request(port: number, path: string, agent?: Agent): Promise<Outcome> {
  return new Promise((resolve) => {
    let socket: Socket | undefined;
    let localPort: number | undefined;
    const outgoing = get({ port, host: "127.0.0.1", path, ...(agent === undefined ? {} : { agent }) });
    outgoing.on("socket", (used) => {
      socket = used;
      localPort = used.localPort;
      used.once("connect", () => {
        localPort = socket?.localPort;
      });
    });
    outgoing.on("response", (response: IncomingMessage) => {
      response.resume();
      response.on("end", () => resolve({ status: response.statusCode ?? 0, connection: response.headers.connection }));
      response.on("error", (error: NodeJS.ErrnoException) => resolve({ code: error.code ?? "", localPort }));
    });
    outgoing.on("error", (error: NodeJS.ErrnoException) => resolve({ code: error.code ?? "", localPort }));
  });
}

it("resets no request of an accepted connection, in 8 rounds under load", async () => {
  let served = 0;
  for (let round = 0; round < 8; round++) {
    const { port, drain, accepted } = await start();
    const resets: Outcome[] = [];
    let refused = false;
    const agent = new Agent({ keepAlive: true, maxSockets: 50 });
    // Half of the clients reuse connections, the others open one per request.
    const client = async (index: number) => {
      while (!refused) {
        const outcome = await request(port, `/after/${index % 3}`, index % 2 === 0 ? agent : undefined);
        if ("status" in outcome) served += 1;
        else if (outcome.code === "ECONNREFUSED") refused = true;
        else if (accepted.has(outcome.localPort ?? 0)) resets.push(outcome);
      }
    };
    const clients = Array.from({ length: 16 }, (_, index) => client(index));
    while (served < (round + 1) * 32) await sleep(5);
    await drain({ graceMs: round % 2 === 0 ? 30 : 0, quietMs: 200 });
    refused = true;
    await Promise.all(clients);
    agent.destroy();
    expect(resets, `round ${round}`).toEqual([]);
  }
});

it("is unready at once, serves during the grace period with Connection: close, then refuses", async () => {
  const { port, drain, release, unfinished } = await start();
  const agent = new Agent({ keepAlive: true });
  expect(await request(port, "/after/0", agent)).toMatchObject({ status: 200, connection: "keep-alive" });
  const started = request(port, "/held/a", agent);
  await expect.poll(unfinished).toBe(1);
  const drained = drain({ graceMs: 2_000, quietMs: 20 });
  expect(await request(port, "/readyz", agent)).toEqual({ status: 503, connection: "close" });
  expect(await request(port, "/livez", agent)).toEqual({ status: 200, connection: "close" });
  expect(await request(port, "/after/0", agent)).toEqual({ status: 200, connection: "close" });
  release("a");
  expect(await started).toEqual({ status: 200, connection: "close" });
  await drained;
  expect(await request(port, "/livez")).toMatchObject({ code: "ECONNREFUSED" });
  agent.destroy();
});

it("finishes a request that arrives slowly, and closes connections that send nothing", async () => {
  const { port, drain, app, bytesRead } = await start();
  const [silent, slow] = [connect(port, "127.0.0.1"), connect(port, "127.0.0.1")];
  await Promise.all([once(silent, "connect"), once(slow, "connect")]);
  slow.write("GET /after/1 HTTP/1.1\r\n");
  await expect.poll(bytesRead).toBeGreaterThan(0);
  const drained = drain({ graceMs: 0, quietMs: 50 });
  await once(silent.resume(), "close");
  expect(app.server.listening).toBe(false);
  slow.write("Host: svc.test\r\n\r\n");
  const [response] = (await once(slow, "data")) as [Buffer];
  expect(String(response)).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  await drained;
});

it("answers a request that arrives on an idle connection after the listener has closed", async () => {
  const { port, drain, app } = await start();
  const idle = connect(port, "127.0.0.1");
  await once(idle, "connect");
  const drained = drain({ graceMs: 0, quietMs: 10_000 });
  await expect.poll(() => app.server.listening).toBe(false);
  // Several times the interval at which quiet connections are closed.
  await sleep(200);
  idle.write("GET /after/1 HTTP/1.1\r\nHost: svc.test\r\n\r\n");
  const [response] = (await once(idle, "data")) as [Buffer];
  expect(String(response)).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  await drained;
});

it("keeps an idle connection for half a second by default", async () => {
  const { port, drain } = await start();
  const idle = connect(port, "127.0.0.1");
  await once(idle, "connect");
  const startedAt = performance.now();
  await Promise.all([drain({ graceMs: 0 }), once(idle.resume(), "close")]);
  expect(performance.now() - startedAt).toBeGreaterThan(400);
});

it.each([
  ["all in progress", []],
  ["the first already complete", ["a"]],
])("finishes requests that one connection has sent at once: %s", async (_what, complete) => {
  const { port, drain, release, unfinished } = await start();
  const socket = connect(port, "127.0.0.1");
  let received = "";
  socket.setEncoding("utf8").on("data", (text: string) => {
    received += text;
  });
  const names = ["a", "b", "c"];
  socket.write(names.map((name) => `GET /held/${name} HTTP/1.1\r\nHost: svc.test\r\n\r\n`).join(""));
  await expect.poll(unfinished).toBe(3);
  complete.forEach(release);
  await expect.poll(unfinished).toBe(3 - complete.length);
  const drained = drain({ graceMs: 0, quietMs: 20 });
  for (const name of names.toReversed()) release(name);
  await Promise.all([drained, once(socket, "close")]);
  const responses = received.split("HTTP/1.1 200 OK").slice(1);
  expect(responses.map((text) => /^connection: close/im.test(text))).toEqual([false, false, true]);
});
