import { randomUUID } from "node:crypto";
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { FastifyInstance } from "fastify";
import { errorBodyOf, ServiceError, statusOf } from "../platform/errors.js";

export type ConnectionLimits = {
  /** Further connections are closed at once, and so are idle ones, to make room. */
  connections: number;
  /** How long a connection may neither send nor receive anything while the service waits for it. */
  stalledMs: number;
  /** Requests of one connection that are handled at the same time; the others wait, and reading pauses. */
  requestsAtOnce: number;
  /** Requests of one connection that wait. A client that sends more without reading responses is disconnected. */
  waitingRequests: number;
  /** How long a connection is idle before it is closed to make room. */
  spareIdleMs: number;
};

export const connectionLimits: ConnectionLimits = {
  connections: 5_000,
  stalledMs: 30_000,
  requestsAtOnce: 4,
  waitingRequests: 100,
  spareIdleMs: 1_000,
};

type Exchange = { request: IncomingMessage; response: ServerResponse };

type Connection = {
  /** Requests without a complete response, in the order of arrival. */
  unfinished: Set<Exchange>;
  running: number;
  waiting: (() => void)[];
  idleSince: number;
  isMalformed: boolean;
};

/** Bounds what one client can hold: Node itself starts every pipelined request at once and waits forever for readers. */
export type Connections = {
  /** Responds to what is not valid HTTP or arrives too late, after the valid requests that were received before it. */
  respondToMalformedRequest(error: Error & { code?: string }, socket: Socket): void;
  /** Call before any other hook is added. */
  limit(app: FastifyInstance): void;
};

export function createConnections(limits: ConnectionLimits): Connections {
  const connections = new Map<Socket, Connection>();
  return {
    respondToMalformedRequest: (error, socket) => respondToMalformedRequest(error, socket, connections.get(socket)),
    limit(app) {
      track(app.server, connections);
      app.addHook("onRequest", (request, reply, done) => {
        const { socket } = request.raw;
        const connection = connections.get(socket);
        // A request that is injected has no connection.
        if (connection === undefined) done();
        // Not calling `done` drops a request that nobody can read the response of.
        else if (!socket.destroyed) startOrWait(connection, { socket, response: reply.raw }, limits, done);
      });
      app.server.setTimeout(limits.stalledMs, (socket) => closeIfStalled(socket, connections.get(socket), limits));
      app.server.maxConnections = limits.connections;
      closeSpareConnections(app.server, connections, limits);
    },
  };
}

function track(server: Server, connections: Map<Socket, Connection>): void {
  server.on("connection", (socket) => {
    connections.set(socket, {
      unfinished: new Set(),
      running: 0,
      waiting: [],
      idleSince: Date.now(),
      isMalformed: false,
    });
    socket.once("close", () => connections.delete(socket));
  });
  // Before the listener of Fastify, so that its hooks find the request.
  server.prependListener("request", (request, response) => {
    const connection = connections.get(request.socket);
    if (connection === undefined) return;
    const exchange = { request, response };
    connection.unfinished.add(exchange);
    response.once("close", () => {
      connection.unfinished.delete(exchange);
      connection.idleSince = Date.now();
    });
  });
}

function startOrWait(
  connection: Connection,
  { socket, response }: { socket: Socket; response: ServerResponse },
  limits: ConnectionLimits,
  start: () => void,
): void {
  const run = () => {
    connection.running += 1;
    response.once("close", () => {
      connection.running -= 1;
      const next = connection.waiting.shift();
      if (next === undefined || socket.destroyed) return;
      if (connection.waiting.length === 0) socket.resume();
      next();
    });
    start();
  };
  if (connection.running < limits.requestsAtOnce) run();
  else if (connection.waiting.push(run) > limits.waitingRequests) socket.destroy();
  // Later, because Node resumes the socket after each complete message.
  else setImmediate(() => connection.waiting.length > 0 && socket.pause());
}

/** A connection is not stalled while the service itself is at work and has nothing to send yet. */
function closeIfStalled(socket: Socket, connection: Connection | undefined, limits: ConnectionLimits): void {
  const isAtWork = [...(connection?.unfinished ?? [])].some(({ request }) => request.complete);
  if (isAtWork && socket.writableLength === 0) socket.setTimeout(limits.stalledMs);
  else socket.destroy();
}

/** When the limit is reached, idle connections make room: otherwise a client that only connects could keep everyone out. */
function closeSpareConnections(server: Server, connections: Map<Socket, Connection>, limits: ConnectionLimits): void {
  let closedAt = 0;
  server.on("drop", () => {
    const now = Date.now();
    if (now - closedAt < limits.spareIdleMs) return;
    closedAt = now;
    for (const [socket, { unfinished, idleSince }] of connections) {
      if (unfinished.size === 0 && now - idleSince >= limits.spareIdleMs) socket.destroy();
    }
  });
}

function respondToMalformedRequest(
  error: Error & { code?: string },
  socket: Socket,
  connection: Connection | undefined,
): void {
  if (!socket.writable || error.code === "ECONNRESET") {
    socket.destroy();
    return;
  }
  // Every further chunk of the same connection is an error again.
  if (connection?.isMalformed) return;
  if (connection !== undefined) connection.isMalformed = true;
  const last = [...(connection?.unfinished ?? [])].findLast(({ request }) => request.complete);
  if (last === undefined) endWithError(error, socket);
  else last.response.once("close", () => endWithError(error, socket));
}

function endWithError(error: Error & { code?: string }, socket: Socket): void {
  if (!socket.writable) return;
  const known = malformedRequests[error.code ?? ""] ?? new ServiceError("invalid_input", "Not a valid HTTP request");
  const requestId = randomUUID();
  const status = statusOf(known.code);
  const body = JSON.stringify(errorBodyOf(known, requestId));
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\ncontent-type: application/json; charset=utf-8\r\nx-request-id: ${requestId}\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`,
  );
}

const malformedRequests: Record<string, ServiceError | undefined> = {
  HPE_HEADER_OVERFLOW: new ServiceError("headers_too_large", "Request headers are too large"),
  ERR_HTTP_REQUEST_TIMEOUT: new ServiceError("request_timeout", "The request did not arrive in time"),
};
