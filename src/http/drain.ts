import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import type { FastifyInstance } from "fastify";
import type { Readiness } from "../infra/observability/readiness.js";
import type { OpenConnection, OpenConnections } from "./connections.js";

export type DrainOptions = {
  /** How long requests are accepted after the process has become unready. */
  graceMs: number;
  /** How long a connection without a request is kept after that: its request may already be on its way. */
  quietMs?: number;
};

export type Drain = (options: DrainOptions) => Promise<void>;

const defaultQuietMs = 500;
const sweepMs = 25;

/**
 * Returns a function that stops the app without resetting a request: unready at once; for the grace period requests are
 * served, with `Connection: close`; then the listener closes, and each connection when it has been quiet for a while.
 */
export function createDrain(app: FastifyInstance, readiness: Readiness, onListenerClosed = () => {}): Drain {
  const { server, openConnections } = app;
  // Before Fastify's listener, because a response may be sent at once.
  server.prependListener("request", ({ socket }: IncomingMessage, response: ServerResponse) => {
    const connection = openConnections.get(socket);
    if (readiness.isDraining() && connection !== undefined) closeAfter(response, connection);
  });
  return async ({ graceMs, quietMs = defaultQuietMs }) => {
    readiness.startDraining();
    for (const connection of openConnections.values()) {
      const last = connection.unfinished.at(-1);
      if (last !== undefined) closeAfter(last.response, connection);
    }
    await delay(graceMs);
    // Node and Fastify would destroy connections without a request, also those whose request was not read yet.
    server.closeIdleConnections = () => {};
    let listens = true;
    const sweep = setInterval(() => {
      closeQuiet(openConnections, quietMs);
      if (listens && !server.listening) onListenerClosed();
      listens = server.listening;
    }, sweepMs);
    try {
      await app.close();
    } finally {
      clearInterval(sweep);
    }
  };
}

/** Closes the connection with this response, the last of those in progress: the ones before it must not close it. */
function closeAfter(last: ServerResponse, { unfinished }: OpenConnection): void {
  for (const { response } of unfinished) response.shouldKeepAlive = true;
  last.shouldKeepAlive = false;
}

function closeQuiet(connections: OpenConnections, quietMs: number): void {
  for (const [socket, { unfinished, idleSince, bytesReadBefore }] of connections) {
    const isQuiet = unfinished.length === 0 && performance.now() - idleSince >= quietMs;
    // Once bytes have arrived, a request is on its way.
    if (isQuiet && socket.bytesRead === bytesReadBefore) socket.destroy();
  }
}
