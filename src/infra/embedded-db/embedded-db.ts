import { readlink, rename, rm, symlink } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { projectRoot } from "../project-root.js";
import { prepareDataDir } from "./data-dir.js";
import { acquireDataDirLock, type DataDirLock, findLiveOwner } from "./data-dir-lock.js";
import type { LockOwner } from "./lock-owner.js";
import { openSocketDir, type SocketDir, socketPath } from "./socket-dir.js";
import { holdOpenName, startupMessage } from "./wire-protocol.js";
import type { WorkerCommand, WorkerEvent, WorkerOptions } from "./worker.js";

export type EmbeddedDatabase = {
  connection: { host: string; port: number; user: string; database: string };
  /** False when another process has the database open and this one is connected to it. */
  owned: boolean;
  /** As the owner, waits for connected processes and closes the database; otherwise only disconnects. */
  close(): Promise<void>;
};

export type EmbeddedDatabaseOptions = {
  dataDir: string;
  /** "own" fails if another process owns the directory; "share" then connects to that process, and otherwise owns it. */
  mode: "own" | "share";
  /** Named in the error message of a process that finds the directory in use. */
  command: string;
  /**
   * Called once if the open database crashes: no query works afterwards, and the process should exit. Without it the
   * failure is an uncaught exception.
   */
  onFailure?: ((error: Error) => void) | undefined;
  /** Called when this process owns the directory and another thread opens the database, which takes a second. */
  onOpening?: (() => void) | undefined;
  /** How long a client may be idle in a transaction while others wait. */
  idleInTransactionTimeoutMs?: number;
  /** How long `close` waits for connected processes. */
  drainTimeoutMs?: number;
};

export async function openEmbeddedDatabase(options: EmbeddedDatabaseOptions): Promise<EmbeddedDatabase> {
  const dataDir = await prepareDataDir(options.dataDir);
  const socketDir = await openSocketDir(dataDir);
  try {
    for (;;) {
      const owner = await findLiveOwner(dataDir, socketDir.path);
      if (owner !== undefined && options.mode === "own") throw new Error(inUse(options.dataDir, owner));
      const database =
        owner === undefined ? await tryToOwn(options, dataDir, socketDir) : await tryToShare(owner, socketDir);
      if (database !== undefined) return database;
      await sleep(retryMs);
    }
  } catch (error) {
    await socketDir.dispose();
    throw error;
  }
}

export const defaultIdleInTransactionTimeoutMs = 10_000;

const retryMs = 50;
const shareTimeoutMs = 60_000;
const credentials = { user: "postgres", database: "postgres" };
/** The port that psql uses by default. */
const defaultPort = 5432;

function inUse(dataDir: string, owner: LockOwner): string {
  return `DATA_DIR ${dataDir} is in use by ${owner.command} (pid ${owner.pid}, since ${owner.started_at}): stop it, or set DATA_DIR to another directory`;
}

/** Undefined if the owner is closing or has just exited. */
async function tryToShare(owner: LockOwner, socketDir: SocketDir): Promise<EmbeddedDatabase | undefined> {
  const holdOpenSocket = await holdOpen(socketPath(socketDir.path, owner.port), owner);
  if (holdOpenSocket === undefined) return undefined;
  return {
    connection: { host: socketDir.path, port: owner.port, ...credentials },
    owned: false,
    async close() {
      holdOpenSocket.destroy();
      await socketDir.dispose();
    },
  };
}

function holdOpen(path: string, owner: LockOwner): Promise<Socket | undefined> {
  return new Promise((resolve, reject) => {
    const fail = (problem: string) =>
      reject(new Error(`${owner.command} (pid ${owner.pid}) has the database open but ${problem}`));
    const socket = connect(path);
    const timer = setTimeout(() => {
      fail("does not respond");
      socket.destroy();
    }, shareTimeoutMs);
    socket.on("error", (error: NodeJS.ErrnoException) => {
      // Retrying cannot help; any other error means that the owner is busy, closing or gone.
      if (error.code === "EACCES" || error.code === "EPERM") fail(`this user may not connect to it: ${error.message}`);
    });
    socket.once("close", () => {
      clearTimeout(timer);
      resolve(undefined);
    });
    socket.once("data", (response) => {
      clearTimeout(timer);
      socket.unref();
      if (response.toString("latin1", 0, 1) === "R") resolve(socket);
      else socket.destroy();
    });
    socket.write(startupMessage({ ...credentials, application_name: holdOpenName }));
  });
}

/** Undefined if another process has acquired the lock first. */
async function tryToOwn(
  options: EmbeddedDatabaseOptions,
  dataDir: string,
  socketDir: SocketDir,
): Promise<EmbeddedDatabase | undefined> {
  const worker = startWorker({
    dataDir,
    socketDir: socketDir.path,
    idleInTransactionTimeoutMs: options.idleInTransactionTimeoutMs ?? defaultIdleInTransactionTimeoutMs,
    drainTimeoutMs: options.drainTimeoutMs ?? 60_000,
  });
  let lock: DataDirLock | undefined;
  let port: number | undefined;
  try {
    port = (await worker.next("listening")).port;
    lock = await acquireDataDirLock(dataDir, socketDir.path, {
      pid: process.pid,
      command: options.command,
      socket_dir: socketDir.path,
      port,
      started_at: new Date().toISOString(),
    });
    if (!lock.acquired) {
      await worker.stop();
      await rm(socketPath(dataDir, port), { force: true });
      return undefined;
    }
    await linkDefaultPort(dataDir, port);
    worker.send({ kind: "open", owner: lock.owner });
    options.onOpening?.();
    await worker.next("ready");
  } catch (error) {
    await cleanUp(dataDir, port, lock, worker);
    throw error;
  }
  return ownedDatabase(options, { dataDir, socketDir, port, lock, worker });
}

type Ownership = { dataDir: string; socketDir: SocketDir; port: number; lock: DataDirLock; worker: DatabaseWorker };

function ownedDatabase(
  options: EmbeddedDatabaseOptions,
  { dataDir, socketDir, port, lock, worker }: Ownership,
): EmbeddedDatabase {
  let closing: Promise<void> | undefined;
  worker.failure.then((error) => {
    if (closing !== undefined) return;
    if (options.onFailure !== undefined) return options.onFailure(error);
    setImmediate(() => {
      throw error;
    });
  });
  async function close(): Promise<void> {
    try {
      if (worker.isAlive()) {
        worker.send({ kind: "close" });
        await worker.next("closed");
      }
    } finally {
      await cleanUp(dataDir, port, lock, worker);
      await socketDir.dispose();
    }
  }
  return {
    connection: { host: socketDir.path, port, ...credentials },
    owned: true,
    close() {
      closing ??= close();
      return closing;
    },
  };
}

/** Removes the lock while the socket still listens: a lock whose socket refuses connections may be taken over. */
async function cleanUp(
  dataDir: string,
  port: number | undefined,
  lock: DataDirLock | undefined,
  worker: DatabaseWorker,
): Promise<void> {
  if (port !== undefined) await unlinkDefaultPort(dataDir, port);
  if (lock?.acquired && worker.isAlive()) await lock.release();
  await worker.stop();
  if (port !== undefined) await rm(socketPath(dataDir, port), { force: true });
}

async function linkDefaultPort(dataDir: string, port: number): Promise<void> {
  const draft = `${socketPath(dataDir, port)}.link`;
  await rm(draft, { force: true });
  await symlink(`.s.PGSQL.${port}`, draft);
  await rename(draft, socketPath(dataDir, defaultPort));
}

async function unlinkDefaultPort(dataDir: string, port: number): Promise<void> {
  const path = socketPath(dataDir, defaultPort);
  const target = await readlink(path).catch(() => undefined);
  if (target === `.s.PGSQL.${port}`) await rm(path, { force: true });
}

type DatabaseWorker = {
  send(command: WorkerCommand): void;
  /** Resolves with the next event of this kind; rejects if the thread reports a failure or exits first. */
  next<Kind extends WorkerEvent["kind"]>(kind: Kind): Promise<Extract<WorkerEvent, { kind: Kind }>>;
  /** Resolves if the thread exits without being stopped. */
  failure: Promise<Error>;
  isAlive(): boolean;
  stop(): Promise<void>;
};

/** The compiled file, so that this module also works from source in tests. */
const workerUrl = new URL("dist/src/infra/embedded-db/worker.js", projectRoot);

function startWorker(workerData: WorkerOptions): DatabaseWorker {
  // PostgreSQL must reach its own recursion limit (2 MB) before the thread runs out of stack.
  const thread = new Worker(workerUrl, { workerData, resourceLimits: { stackSizeMb: 16 } });
  let alive = true;
  let stopped = false;
  let reason: Error | undefined;
  thread.on("message", (event: WorkerEvent) => {
    if (event.kind === "failed") reason = new Error(event.reason);
  });
  const failure = new Promise<Error>((resolve) => {
    thread.on("error", (error) => {
      reason = error instanceof Error ? error : new Error(String(error));
    });
    thread.once("exit", () => {
      alive = false;
      if (!stopped) resolve(reason ?? new Error("the thread of the embedded database exited"));
    });
  });
  return {
    send: (command) => thread.postMessage(command),
    next: (kind) =>
      new Promise((resolve, reject) => {
        const receive = (event: WorkerEvent) => {
          if (isKind(event, kind)) resolve(event);
          else if (event.kind === "failed") reject(new Error(event.reason));
          else return;
          thread.off("message", receive);
        };
        thread.on("message", receive);
        failure.then(reject);
      }),
    failure,
    isAlive: () => alive,
    async stop() {
      stopped = true;
      await thread.terminate();
    },
  };
}

function isKind<Kind extends WorkerEvent["kind"]>(
  event: WorkerEvent,
  kind: Kind,
): event is Extract<WorkerEvent, { kind: Kind }> {
  return event.kind === kind;
}
