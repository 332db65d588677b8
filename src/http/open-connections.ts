import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";

export type Exchange = { request: IncomingMessage; response: ServerResponse };

export type OpenConnection = {
  /** Requests without a complete response, in the order of arrival: a client may send several at once. */
  unfinished: Set<Exchange>;
  /** When the last response was complete, and how much had arrived by then. */
  idleSince: number;
  bytesReadBefore: number;
};

export type OpenConnections = ReadonlyMap<Socket, OpenConnection>;

/** The connections of a server, with the requests that are in progress on each. */
export function trackConnections(server: Server): OpenConnections {
  const connections = new Map<Socket, OpenConnection>();
  server.on("connection", (socket) => {
    const unfinished = new Set<Exchange>();
    connections.set(socket, { unfinished, idleSince: performance.now(), bytesReadBefore: 0 });
    socket.once("close", () => {
      connections.delete(socket);
      // Node tells only the response whose turn it is; the work for those behind it must end too.
      for (const { response } of unfinished) if (response.socket === null) response.emit("close");
    });
  });
  // Before the listener of Fastify, so that its hooks find the request.
  server.prependListener("request", (request, response) => {
    const { socket } = request;
    const connection = connections.get(socket);
    if (connection === undefined) return;
    const exchange = { request, response };
    connection.unfinished.add(exchange);
    response.once("close", () => {
      connection.unfinished.delete(exchange);
      connection.idleSince = performance.now();
      connection.bytesReadBefore = socket.bytesRead;
    });
  });
  return connections;
}
