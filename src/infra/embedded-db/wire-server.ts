import type { Socket } from "node:net";
import { messageOf } from "../../../contract/errors.js";
import type { Backend } from "./backend.js";
import type { LockOwner } from "./lock-owner.js";
import type { SessionClient, SessionQueue } from "./session-queue.js";
import {
  copyFailMessage,
  createFrontendParser,
  type FrontendMessage,
  type FrontendType,
  fatalErrorMessage,
  holdOpenName,
  ownerProbeName,
  queryMessage,
  startupResponse,
  syncMessage,
} from "./wire-protocol.js";

/**
 * Serves PostgreSQL clients from the single backend session. The messages of a client up to its Sync run as one batch,
 * and the client keeps the session until its transaction is over, so clients never see each other's uncommitted work.
 *
 * Because all clients share the session, these are not supported: named prepared statements, an unnamed statement used
 * after the Sync that follows its Parse, settings (SET), temporary tables and session-level advisory locks. Everything
 * scoped to a transaction (SET LOCAL, pg_advisory_xact_lock) works as usual. Notifications go to every client. Settings
 * are reset when a client disconnects.
 */
export type WireServer = {
  /** Resolves when the connection has ended and its transaction, if any, is rolled back. */
  serve(socket: Socket): Promise<void>;
  /** Whether another process relies on the database staying open. */
  isHeldOpen(): boolean;
  /** Disconnects all clients and refuses new ones. */
  close(): Promise<void>;
};

const maxBatchBytes = 256 * 1024 * 1024;

const copyRejected = copyFailMessage("the embedded database does not support COPY FROM STDIN; use INSERT instead");

type Client = SessionClient & {
  socket: Socket;
  /** Messages received since the last one that asked for a response. */
  batch: Buffer[];
  batchBytes: number;
  stage: "new" | "started" | "holding";
  hasRun: boolean;
};

type Dependencies = { backend: Backend; queue: SessionQueue; owner: () => LockOwner | undefined };

type ServerState = Dependencies & { clients: Set<Client>; isClosing: () => boolean };

export function createWireServer(dependencies: Dependencies): WireServer {
  const clients = new Set<Client>();
  const serving = new Set<Promise<void>>();
  let closing = false;
  const server: ServerState = { ...dependencies, clients, isClosing: () => closing };

  return {
    async serve(socket) {
      const done = serveClient(server, socket);
      serving.add(done);
      await done;
      serving.delete(done);
    },
    isHeldOpen: () => [...clients].some((client) => client.stage === "holding"),
    async close() {
      closing = true;
      for (const client of clients) disconnect(client, "57P01", "the embedded database is closing");
      await Promise.all(serving);
    },
  };
}

async function serveClient(server: ServerState, socket: Socket): Promise<void> {
  const client: Client = {
    socket,
    batch: [],
    batchBytes: 0,
    stage: "new",
    hasRun: false,
    evict: () => disconnect(client, "25P03", "idle-in-transaction timeout while other connections wait"),
  };
  // A lost connection ends the loop below; without a listener the error would end the thread.
  socket.on("error", () => {});
  server.clients.add(client);
  for await (const message of readMessages(socket)) {
    if (socket.destroyed || (await handleMessage(server, client, message)) === "end") break;
  }
  server.clients.delete(client);
  if (client.hasRun) await resetSession(server, client);
  socket.destroySoon();
}

async function* readMessages(socket: Socket): AsyncGenerator<FrontendMessage> {
  const parser = createFrontendParser({ maxMessageBytes: maxBatchBytes });
  try {
    for await (const chunk of socket.iterator({ destroyOnReturn: false })) yield* parser.push(chunk);
  } catch (error) {
    // Has no effect if the connection is lost.
    socket.end(fatalErrorMessage("08P01", messageOf(error)));
  }
}

type Next = "continue" | "end";

async function handleMessage(server: ServerState, client: Client, message: FrontendMessage): Promise<Next> {
  switch (message.kind) {
    case "encryption_request":
      client.socket.write("N");
      return "continue";
    case "cancel_request":
      return "end";
    case "startup":
      return handleStartup(server, client, message);
    case "message":
      return handleQueryMessage(server, client, message.type, message.bytes);
  }
}

async function handleStartup(
  server: ServerState,
  client: Client,
  startup: Extract<FrontendMessage, { kind: "startup" }>,
): Promise<Next> {
  const applicationName = startup.parameters.get("application_name");
  // Before the database is open: opening it may take long.
  if (applicationName === ownerProbeName) {
    client.socket.end(JSON.stringify(server.owner() ?? null));
    return "end";
  }
  const settings = await server.backend.ready;
  if (server.isClosing()) {
    disconnect(client, "57P03", "the embedded database is closing");
    return "end";
  }
  client.stage = applicationName === holdOpenName ? "holding" : "started";
  client.socket.write(startupResponse(startup, { settings, processId: process.pid }));
  return "continue";
}

async function handleQueryMessage(
  server: ServerState,
  client: Client,
  type: FrontendType,
  bytes: Buffer,
): Promise<Next> {
  if (type === "X") return "end";
  // Rows of a COPY that is already rejected.
  if (type === "d" || type === "c" || type === "f") return "continue";
  client.batch.push(bytes);
  client.batchBytes += bytes.length;
  if (client.batchBytes > maxBatchBytes) {
    disconnect(client, "54000", `more than ${maxBatchBytes} bytes without a Sync`);
    return "end";
  }
  // COPY FROM STDIN would wait for input forever; after any other statement the backend ignores this message.
  if (type === "Q" || type === "E") client.batch.push(copyRejected);
  if (type === "Q" || type === "F" || type === "S") return runBatch(server, client, "until ready");
  return type === "H" ? runBatch(server, client, "flush") : "continue";
}

async function runBatch(
  { backend, queue, clients }: ServerState,
  client: Client,
  extent: "until ready" | "flush",
): Promise<Next> {
  const { socket, batch } = client;
  await queue.acquire(client);
  client.hasRun = true;
  if (socket.destroyed) return "end";
  client.batch = [];
  client.batchBytes = 0;
  const { reply, notifications, status } = await backend.run(batch);
  socket.write(reply);
  broadcast(clients, notifications);
  // PostgreSQL ignores messages after a failed one until Sync, and would wait for it.
  if (extent === "until ready" && status === undefined) {
    disconnect(client, "08P01", "expected Sync after the message that failed");
    return "end";
  }
  // After a Flush there is no status: the client is between messages of one batch and keeps the session.
  if (status === "idle") {
    await backend.checkpointIfDue();
    queue.release(client);
  } else {
    queue.markIdle(client);
  }
  await drained(socket);
  return "continue";
}

/** Ends what the client left open, so that the next client finds a clean session. */
async function resetSession({ backend, queue, clients }: ServerState, client: Client): Promise<void> {
  await queue.acquire(client);
  const { notifications } = await backend.run([syncMessage, queryMessage("ROLLBACK"), queryMessage("RESET ALL")]);
  broadcast(clients, notifications);
  queue.release(client);
}

function broadcast(clients: Set<Client>, notifications: Buffer): void {
  if (notifications.length === 0) return;
  for (const { stage, socket } of clients) if (stage === "started") socket.write(notifications);
}

/** Destroys the socket at once, so that a client that does not read cannot delay it. */
function disconnect({ socket }: Client, code: string, reason: string): void {
  socket.write(fatalErrorMessage(code, reason));
  socket.destroy();
}

function drained(socket: Socket): Promise<void> {
  if (!socket.writableNeedDrain || socket.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    const done = () => {
      socket.off("drain", done).off("close", done);
      resolve();
    };
    socket.on("drain", done).on("close", done);
  });
}
