import { randomInt } from "node:crypto";
import { chmodSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";
import type { PGlite } from "@electric-sql/pglite";
import { messageOf } from "../../../contract/errors.js";
import { createBackend } from "./backend.js";
import { prepareDatabaseDir } from "./data-dir.js";
import type { LockOwner } from "./lock-owner.js";
import { createSessionQueue } from "./session-queue.js";
import { socketPath } from "./socket-dir.js";
import { createWireServer } from "./wire-server.js";

/**
 * The thread of the embedded database: PGlite and the Unix socket that clients connect to. It listens first, because
 * the lock of DATA_DIR depends on that, and opens the database on command; clients that connect earlier wait.
 */
export type WorkerOptions = {
  dataDir: string;
  socketDir: string;
  idleInTransactionTimeoutMs: number;
  drainTimeoutMs: number;
};
export type WorkerCommand = { kind: "open"; owner: LockOwner } | { kind: "close" };
export type WorkerEvent =
  | { kind: "listening"; port: number }
  | { kind: "ready" }
  | { kind: "closed" }
  /** The last command failed; if the thread exits afterwards, the database is lost. */
  | { kind: "failed"; reason: string };

const options: WorkerOptions = workerData;
const queue = createSessionQueue(options);
const backend = createBackend({ onFatal: exitWithFailure });
/** Set while this process may use the files of the database. */
let owner: LockOwner | undefined;
const wireServer = createWireServer({ backend, queue, owner: () => owner });

const server = createServer((socket) => void wireServer.serve(socket));
const port = await listen(server);
parentPort?.on("message", (command: WorkerCommand) => {
  const work = command.kind === "open" ? open(command.owner) : close();
  work.catch((error: unknown) => emit({ kind: "failed", reason: messageOf(error) }));
});
emit({ kind: "listening", port });

async function open(claimed: LockOwner): Promise<void> {
  owner = claimed;
  await backend.start(await openDatabase());
  emit({ kind: "ready" });
}

async function openDatabase(): Promise<PGlite> {
  const dataDir = await prepareDatabaseDir(options.dataDir);
  const { PGlite } = await import("@electric-sql/pglite");
  let lastError = "";
  try {
    return await PGlite.create({
      dataDir,
      onStderr: (line) => {
        if (/\b(FATAL|PANIC|ERROR):/.test(line)) lastError = line.trim();
        return false;
      },
    });
  } catch (error) {
    throw new Error(`the database in ${dataDir} cannot be opened: ${lastError || messageOf(error)}`);
  }
}

/** The socket listens until the thread ends, because the lock must hold for as long as the directory is in use. */
async function close(): Promise<void> {
  const deadline = performance.now() + options.drainTimeoutMs;
  while ((wireServer.isHeldOpen() || queue.isBusy()) && performance.now() < deadline) await sleep(20);
  await wireServer.close();
  await backend.close();
  owner = undefined;
  emit({ kind: "closed" });
}

async function listen(server: Server): Promise<number> {
  for (;;) {
    const port = randomInt(10_000, 65_536);
    const path = socketPath(options.socketDir, port);
    try {
      await new Promise<void>((resolve, reject) => {
        server.once("error", reject);
        server.listen(path, resolve);
      });
      chmodSync(path, 0o600);
      return port;
    } catch (error) {
      if (error instanceof Error && "code" in error && error.code === "EADDRINUSE") continue;
      throw error;
    }
  }
}

function emit(event: WorkerEvent): void {
  parentPort?.postMessage(event);
}

function exitWithFailure(reason: string): never {
  emit({ kind: "failed", reason });
  process.exit(1);
}
