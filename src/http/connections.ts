import { randomUUID } from "node:crypto";
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { FastifyInstance } from "fastify";
import { errorBodyOf, ServiceError, statusOf } from "../../contract/errors.js";
import { onClosed } from "../infra/response-closed.js";

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

/** Without the number of connections, which the operator decides. */
export const connectionLimits: Omit<ConnectionLimits, "connections"> = {
  stalledMs: 30_000,
  requestsAtOnce: 4,
  waitingRequests: 100,
  spareIdleMs: 1_000,
};

declare module "fastify" {
  interface FastifyInstance {
    openConnections: OpenConnections;
  }
}

/** Bounds what one client can hold: Node itself starts every pipelined request at once and waits forever for readers. */
type Connections = {
  /** Responds to what is not valid HTTP or arrives too late, after the valid requests that were received before it. */
  respondToMalformedRequest(error: Error & { code?: string }, socket: Socket): void;
  /** Also adds `app.openConnections`. Call before any other hook is added. */
  limit(app: FastifyInstance): void;
};

export function createConnections(limits: ConnectionLimits): Connections {
  let connections: OpenConnections = new Map();
  const malformed = new WeakSet<Socket>();
  return {
    respondToMalformedRequest(error, socket) {
      if (!socket.writable || error.code === "ECONNRESET") socket.destroy();
      // Every further chunk of the same connection is an error again.
      if (socket.destroyed || malformed.has(socket)) return;
      malformed.add(socket);
      respondToMalformedRequest(error, socket, connections.get(socket));
    },
    limit(app) {
      connections = trackConnections(app.server);
      app.decorate("openConnections", connections);
      app.addHook("onRequest", (request, _reply, done) => {
        const { socket } = request.raw;
        const connection = connections.get(socket);
        // A request that is injected has no connection.
        if (connection === undefined) return done();
        // Without `done` the request is dropped: the client is gone.
        if (!socket.destroyed) startOrWait(connection, socket, limits, done);
      });
      app.server.setTimeout(limits.stalledMs, (socket) => closeIfStalled(socket, connections.get(socket)));
      dropFurtherConnections(app.server, connections, limits);
      closeSpareConnections(app.server, connections, limits);
    },
  };
}

function startOrWait(connection: OpenConnection, socket: Socket, limits: ConnectionLimits, start: () => void): void {
  // Hooks run as soon as a request arrives, so that this is its exchange.
  const exchange = connection.latest;
  const run = () => {
    if (exchange !== undefined) exchange.running = true;
    connection.running += 1;
    start();
  };
  if (connection.running < limits.requestsAtOnce) run();
  else if (connection.waiting.push(run) > limits.waitingRequests) socket.destroy();
  // Later, because Node resumes the socket after each complete message.
  else setImmediate(() => connection.waiting.length > 0 && socket.pause());
}

/**
 * A connection is not stalled while the service itself is at work and has nothing to send yet. Node notices any progress of
 * a socket, even of a part of a chunk. A response may shorten the time with `setTimeout`; the next request has the usual.
 */
function closeIfStalled(socket: Socket, connection: OpenConnection | undefined): void {
  const isAtWork = connection?.unfinished.some(({ request }) => request.complete) ?? false;
  if (isAtWork && socket.writableLength === 0) socket.setTimeout(socket.timeout ?? 0);
  else socket.destroy();
}

/**
 * Instead of `maxConnections`, with which a worker would refuse the connection, and Node's primary process would offer it to
 * the workers again and again as long as all are full.
 */
function dropFurtherConnections(server: Server, connections: OpenConnections, limits: ConnectionLimits): void {
  server.on("connection", (socket) => {
    if (connections.size <= limits.connections) return;
    socket.destroy();
    server.emit("drop");
  });
}

/** When the limit is reached, idle connections make room: otherwise a client that only connects could keep everyone out. */
function closeSpareConnections(server: Server, connections: OpenConnections, limits: ConnectionLimits): void {
  let closedAt = Number.NEGATIVE_INFINITY;
  server.on("drop", () => {
    const now = performance.now();
    if (now - closedAt < limits.spareIdleMs) return;
    closedAt = now;
    for (const [socket, { unfinished, idleSince }] of connections) {
      if (unfinished.length === 0 && now - idleSince >= limits.spareIdleMs) socket.destroy();
    }
  });
}

function respondToMalformedRequest(
  error: Error & { code?: string },
  socket: Socket,
  connection: OpenConnection | undefined,
): void {
  const last = connection?.unfinished.findLast(({ request }) => request.complete);
  if (last === undefined) endWithError(error, socket);
  else onClosed(last.response, () => endWithError(error, socket));
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

type Exchange = {
  request: IncomingMessage;
  response: ServerResponse;
  /** Whether it was started, and not only received. */
  running: boolean;
};

export type OpenConnection = {
  /** Requests without a complete response, in the order of arrival: a client may send several at once. */
  unfinished: Exchange[];
  /** The one that arrived last. */
  latest: Exchange | undefined;
  /** How many are being handled. The others wait for a response of these. */
  running: number;
  waiting: (() => void)[];
  /** When the last response was complete, and how much had arrived by then. */
  idleSince: number;
  bytesReadBefore: number;
};

export type OpenConnections = ReadonlyMap<Socket, OpenConnection>;

/** The connections of a server, with the requests that are in progress on each. */
function trackConnections(server: Server): OpenConnections {
  const connections = new Map<Socket, OpenConnection>();
  server.on("connection", (socket) => {
    const unfinished: Exchange[] = [];
    const idleSince = performance.now();
    connections.set(socket, {
      unfinished,
      latest: undefined,
      running: 0,
      waiting: [],
      idleSince,
      bytesReadBefore: 0,
    });
    socket.once("close", () => {
      connections.delete(socket);
      // Node tells only the response whose turn it is; the work for those behind it must end too.
      for (const { response } of [...unfinished]) if (response.socket === null) response.emit("close");
    });
  });
  // Before the listener of Fastify, so that its hooks find the request.
  server.prependListener("request", (request, response) => {
    const { socket } = request;
    const connection = connections.get(socket);
    if (connection === undefined) return;
    const exchange: Exchange = { request, response, running: false };
    connection.latest = exchange;
    connection.unfinished.push(exchange);
    onClosed(response, () => {
      connection.unfinished.splice(connection.unfinished.indexOf(exchange), 1);
      connection.idleSince = performance.now();
      connection.bytesReadBefore = socket.bytesRead;
      if (exchange.running) startNext(connection, socket);
    });
  });
  return connections;
}

function startNext(connection: OpenConnection, socket: Socket): void {
  connection.running -= 1;
  const next = connection.waiting.shift();
  if (next === undefined || socket.destroyed) return;
  if (connection.waiting.length === 0) socket.resume();
  next();
}
