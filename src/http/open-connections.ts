import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { onClosed } from "../infra/response-closed.js";

export type Exchange = {
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
export function trackConnections(server: Server): OpenConnections {
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
