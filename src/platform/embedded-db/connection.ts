import type { Socket } from "node:net";
import type { Backend } from "./backend.js";
import type { Guest, Turns } from "./session-queue.js";
import {
  copyFail,
  createFrontendSplitter,
  type FrontendMessage,
  type FrontendType,
  fatalError,
  query,
  startupAnswer,
  sync,
} from "./wire.js";

/**
 * Lets PostgreSQL clients talk to the one backend session. A client's messages run as one batch when it asks for the
 * answer, and it keeps the turn until its transaction is over, so clients never see each other's half-done work.
 *
 * They do share the session itself, so these are not supported: named prepared statements, an unnamed one that is used
 * after the Sync that follows its Parse, settings (SET), temporary tables, session-level advisory locks. What belongs
 * to a transaction (SET LOCAL, pg_advisory_xact_lock) works as usual. A notification goes to every client. When a
 * client leaves, the settings are reset, so that a forgotten SET does not stay.
 */
export type Door = {
  serve(socket: Socket): Promise<void>;
  /** Whether a process counts on this database to stay open. */
  isHeldOpen(): boolean;
  /** Sends everybody away and refuses newcomers. */
  close(): Promise<void>;
};

/** The application name of a connection that runs nothing: while it is there, the database stays open. */
export const holdOpenName = "svc-hold-open";

const maxBatchBytes = 256 * 1024 * 1024;

const noCopy = copyFail("the embedded database cannot copy from the client; insert the rows instead");

type Client = Guest & {
  socket: Socket;
  /** Messages that wait for the one that asks for their answer. */
  batch: Buffer[];
  batchBytes: number;
  stage: "new" | "started" | "holding";
  hasRun: boolean;
};

type Service = { backend: Backend; turns: Turns; clients: Set<Client>; isClosing: () => boolean };

export function createDoor({ backend, turns }: { backend: Backend; turns: Turns }): Door {
  const clients = new Set<Client>();
  const serving = new Set<Promise<void>>();
  let closing = false;
  const service: Service = { backend, turns, clients, isClosing: () => closing };

  return {
    async serve(socket) {
      const done = serveClient(service, socket);
      serving.add(done);
      await done;
      serving.delete(done);
    },
    isHeldOpen: () => [...clients].some((client) => client.stage === "holding"),
    async close() {
      closing = true;
      for (const client of clients) dismiss(client, "57P01", "the embedded database is closing");
      await Promise.all(serving);
    },
  };
}

async function serveClient(service: Service, socket: Socket): Promise<void> {
  const client: Client = {
    socket,
    batch: [],
    batchBytes: 0,
    stage: "new",
    hasRun: false,
    sendAway: () => dismiss(client, "25P03", "idle in a transaction for too long while other connections wait"),
  };
  // A broken connection ends the loop below; without a listener it would end the thread.
  socket.on("error", () => {});
  service.clients.add(client);
  for await (const message of messagesOf(socket)) {
    if (socket.destroyed || (await receive(service, client, message)) === "end") break;
  }
  service.clients.delete(client);
  if (client.hasRun) await cleanUpAfter(service, client);
  socket.destroySoon();
}

async function* messagesOf(socket: Socket): AsyncGenerator<FrontendMessage> {
  const splitter = createFrontendSplitter({ maxMessageBytes: maxBatchBytes });
  try {
    for await (const chunk of socket.iterator({ destroyOnReturn: false })) yield* splitter.push(chunk);
  } catch (error) {
    // After a broken connection this is written to nobody.
    socket.end(fatalError("08P01", error instanceof Error ? error.message : String(error)));
  }
}

async function receive(service: Service, client: Client, message: FrontendMessage): Promise<"go on" | "end"> {
  switch (message.kind) {
    case "encryption_request":
      client.socket.write("N");
      return "go on";
    case "cancel_request":
      return "end";
    case "startup":
      return start(service, client, message);
    case "message":
      return collect(service, client, message.type, message.bytes);
  }
}

async function start(
  service: Service,
  client: Client,
  startup: Extract<FrontendMessage, { kind: "startup" }>,
): Promise<"go on" | "end"> {
  const settings = await service.backend.ready;
  if (service.isClosing()) {
    dismiss(client, "57P03", "the embedded database is closing");
    return "end";
  }
  client.stage = startup.parameters.get("application_name") === holdOpenName ? "holding" : "started";
  client.socket.write(startupAnswer(startup, { settings, processId: process.pid }));
  return "go on";
}

async function collect(service: Service, client: Client, type: FrontendType, bytes: Buffer): Promise<"go on" | "end"> {
  if (type === "X") return "end";
  // Rows of a copy that was refused already.
  if (type === "d" || type === "c" || type === "f") return "go on";
  client.batch.push(bytes);
  client.batchBytes += bytes.length;
  if (client.batchBytes > maxBatchBytes) {
    dismiss(client, "54000", `more than ${maxBatchBytes} bytes without a Sync`);
    return "end";
  }
  // A copy reads on where its message ends and would wait for ever; elsewhere the backend ignores this message.
  if (type === "Q" || type === "E") client.batch.push(noCopy);
  if (type === "Q" || type === "F" || type === "S") await runBatch(service, client, "until ready");
  if (type === "H") await runBatch(service, client, "so far");
  return "go on";
}

async function runBatch(
  { backend, turns, clients }: Service,
  client: Client,
  extent: "until ready" | "so far",
): Promise<void> {
  const { socket, batch } = client;
  await turns.enter(client);
  client.hasRun = true;
  if (socket.destroyed) return;
  client.batch = [];
  client.batchBytes = 0;
  const answer = await backend.run(batch);
  if (extent === "until ready" && answer.status === undefined) throw new Error("the embedded database gave no answer");
  socket.write(answer.reply);
  notify(clients, answer.notifications);
  // After a Flush there is no status: the client is amid its messages and keeps the turn.
  if (answer.status === "idle") {
    await backend.checkpointWhenDue();
    turns.leave(client);
  } else {
    turns.linger(client);
  }
  await drained(socket);
}

/** Ends what the client left open, so that the next one finds the session as if it were its own. */
async function cleanUpAfter({ backend, turns, clients }: Service, client: Client): Promise<void> {
  await turns.enter(client);
  const answer = await backend.run([sync, query("ROLLBACK"), query("RESET ALL")]);
  notify(clients, answer.notifications);
  turns.leave(client);
}

function notify(clients: Set<Client>, notifications: Buffer): void {
  if (notifications.length === 0) return;
  for (const { stage, socket } of clients) if (stage === "started") socket.write(notifications);
}

/** Does not wait for a client that reads nothing. */
function dismiss({ socket }: Client, code: string, reason: string): void {
  socket.write(fatalError(code, reason));
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
