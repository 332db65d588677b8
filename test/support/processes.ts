import { randomUUID } from "node:crypto";
import { once } from "node:events";
import type { Server } from "node:http";
import { type AddressInfo, createServer, type Socket } from "node:net";
import type { FastifyInstance } from "fastify";
import type { Connection } from "../../src/infra/database/db.js";

/**
 * With TEST_PROCESSES=4, a service that a test starts in its own process is four apps on one port, each with its own
 * connections, caches and limits, as with `svc serve --workers 4`. Connections are spread over them in turn.
 */
const configured = Number(process.env.TEST_PROCESSES || 1);

/**
 * How many apps make up a service. `oneProcess` says why a test needs exactly one: it looks at what a process keeps for
 * itself. The embedded database serves one process only.
 */
export function processCount(connection: Connection, oneProcess?: string): number {
  return oneProcess === undefined && "connectionString" in connection ? configured : 1;
}

/** Whether requests should come on connections of their own, so that they reach different apps. */
export const spreadsRequests = configured > 1;

/** Redis for the apps of one service, whose counts are not those of other tests; null for a single app. */
export function redisOf(count: number): string | null {
  if (count === 1) return null;
  const { REDIS_URL } = process.env;
  if (!REDIS_URL) throw new Error("TEST_PROCESSES needs REDIS_URL, because processes share their limits through Redis");
  return `${REDIS_URL}?keyPrefix=test-${randomUUID()}:`;
}

export type Listening = { server: Server; port: number; close(): Promise<void> };

/** Starts apps on one port. */
export async function listenTogether(apps: FastifyInstance[], port = 0): Promise<Listening> {
  const [first] = apps;
  if (first === undefined) throw new Error("expected at least one app");
  const alone = apps.length === 1;
  // Each also listens on a port of its own: Node watches the timeouts of a server only then.
  for (const app of apps) await app.listen({ port: alone ? port : 0, host: "127.0.0.1" });
  const closeApps = async () => {
    // Node waits for connections on which no request has arrived yet, and clients open some for later.
    for (const { openConnections, server } of apps) {
      server.on("connection", (socket) => socket.destroy());
      for (const [socket, { unfinished }] of openConnections) if (unfinished.length === 0) socket.destroy();
    }
    await Promise.all(apps.map((app) => app.close()));
  };
  if (alone) return { server: first.server, port: portOf(first.server), close: closeApps };
  const sockets = new Set<Socket>();
  let turn = 0;
  // What Node's HTTP server sets for connections that it accepts itself.
  const front = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
    turn += 1;
    apps[turn % apps.length]?.server.emit("connection", socket);
  });
  await once(front.listen(port, "127.0.0.1"), "listening");
  return {
    server: first.server,
    port: portOf(front),
    async close() {
      front.close();
      await closeApps();
      for (const socket of sockets) socket.destroy();
    },
  };
}

function portOf(server: { address(): AddressInfo | string | null }): number {
  return (server.address() as AddressInfo).port;
}
