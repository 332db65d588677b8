import { randomInt } from "node:crypto";
import { chmodSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";
import type { PGlite } from "@electric-sql/pglite";
import { createBackend } from "./backend.js";
import { createDoor } from "./connection.js";
import { prepareDatabaseDir } from "./data-dir.js";
import { createTurns } from "./session-queue.js";
import { socketPath } from "./socket-dir.js";

/**
 * The thread of the embedded database: PGlite and the socket that clients reach it by. It listens first, because the
 * lock of DATA_DIR rests on that, and opens the database when it is told to; clients that come early wait.
 */
export type WorkerOptions = { dataDir: string; socketDir: string; lingerMs: number; drainMs: number };
export type WorkerOrder = "open" | "close";
export type WorkerReport =
  | { kind: "listening"; port: number }
  | { kind: "ready" }
  | { kind: "closed" }
  /** Of the last order; or, when the thread ends after it, of everything. */
  | { kind: "failed"; reason: string };

const options: WorkerOptions = workerData;
const turns = createTurns({ lingerMs: options.lingerMs });
const backend = createBackend({ onBroken: endBroken });
const door = createDoor({ backend, turns });

const server = createServer((socket) => void door.serve(socket));
const port = await listen(server);
parentPort?.on("message", (order: WorkerOrder) => {
  const work = order === "open" ? open() : close();
  work.catch((error: unknown) => report({ kind: "failed", reason: reasonOf(error) }));
});
report({ kind: "listening", port });

async function open(): Promise<void> {
  await backend.start(await openDatabase());
  report({ kind: "ready" });
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
    throw new Error(`the database in ${dataDir} cannot be opened: ${lastError || reasonOf(error)}`);
  }
}

/** The socket goes on listening to the end: as long as the folder is in use, the lock must hold. */
async function close(): Promise<void> {
  const deadline = Date.now() + options.drainMs;
  while ((door.isHeldOpen() || turns.isBusy()) && Date.now() < deadline) await sleep(20);
  await door.close();
  await backend.close();
  report({ kind: "closed" });
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

function report(message: WorkerReport): void {
  parentPort?.postMessage(message);
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function endBroken(reason: string): never {
  report({ kind: "failed", reason });
  process.exit(1);
}
