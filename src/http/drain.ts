import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import type { FastifyInstance } from "fastify";
import type { Readiness } from "../platform/observability/readiness.js";

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
export function createDrain(app: FastifyInstance, readiness: Readiness): Drain {
  const { server } = app;
  const { responses, closeQuiet } = watchConnections(server);
  // Before Fastify's listener, because a response may be sent at once.
  server.prependListener("request", (_request: IncomingMessage, response: ServerResponse) => {
    if (readiness.isDraining()) response.shouldKeepAlive = false;
  });
  return async ({ graceMs, quietMs = defaultQuietMs }) => {
    readiness.startDraining();
    for (const response of responses) response.shouldKeepAlive = false;
    await delay(graceMs);
    // Node and Fastify would destroy connections without a request, also those whose request was not read yet.
    server.closeIdleConnections = () => {};
    const sweep = setInterval(() => closeQuiet(quietMs), sweepMs);
    try {
      await app.close();
    } finally {
      clearInterval(sweep);
    }
  };
}

type Quiet = { since: number; bytesRead: number };

/** The responses in progress, and a function that closes connections without a request for at least `quietMs`. */
function watchConnections(server: Server) {
  const responses = new Set<ServerResponse>();
  const quiet = new Map<Socket, Quiet>();
  const setQuiet = (socket: Socket) => quiet.set(socket, { since: performance.now(), bytesRead: socket.bytesRead });
  server.on("connection", (socket) => {
    setQuiet(socket);
    socket.once("close", () => quiet.delete(socket));
  });
  server.on("request", ({ socket }: IncomingMessage, response: ServerResponse) => {
    quiet.delete(socket);
    responses.add(response);
    response.once("close", () => {
      responses.delete(response);
      if (!socket.destroyed) setQuiet(socket);
    });
  });
  function closeQuiet(quietMs: number): void {
    for (const [socket, { since, bytesRead }] of quiet) {
      // Once bytes have arrived, a request is on its way.
      if (socket.bytesRead === bytesRead && performance.now() - since >= quietMs) socket.destroy();
    }
  }
  return { responses, closeQuiet };
}
