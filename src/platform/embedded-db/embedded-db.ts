import { readlink, rename, rm, symlink } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { projectRoot } from "../project-root.js";
import { holdOpenName } from "./connection.js";
import { prepareDataDir } from "./data-dir.js";
import { acquireDataDirLock, type DataDirLock, findLiveHolder, type LockHolder } from "./data-dir-lock.js";
import { openSocketDir, type SocketDir, socketPath } from "./socket-dir.js";
import { startupPacket } from "./wire.js";
import type { WorkerOptions, WorkerOrder, WorkerReport } from "./worker.js";

export type EmbeddedDatabase = {
  connection: { host: string; port: number; user: string; database: string };
  /** False when another process has the database open and this one is its guest. */
  owned: boolean;
  /** Waits for the guests of other processes, then closes the database; of a guest, only says goodbye. */
  close(): Promise<void>;
};

export type EmbeddedDatabaseOptions = {
  dataDir: string;
  /**
   * "own": refuse when another process has the folder. "share": use the running owner's socket when there is one, else
   * own it.
   */
  mode: "own" | "share";
  /** Shown to whoever finds the folder taken. */
  command: string;
  /**
   * Called once when an open database breaks down: nothing works after it, and the process should end. Without it the
   * failure is an uncaught exception.
   */
  onFailure?: ((error: Error) => void) | undefined;
  /** How long a client may be idle in a transaction while others wait. */
  lingerMs?: number;
  /** How long closing waits for the guests. */
  drainMs?: number;
};

export async function openEmbeddedDatabase(options: EmbeddedDatabaseOptions): Promise<EmbeddedDatabase> {
  const dataDir = await prepareDataDir(options.dataDir);
  const socketDir = await openSocketDir(dataDir);
  try {
    for (;;) {
      const holder = await findLiveHolder(dataDir, socketDir.path);
      if (holder !== undefined && options.mode === "own") throw new Error(refusal(options.dataDir, holder));
      const database =
        holder === undefined ? await tryToOwn(options, dataDir, socketDir) : await tryToShare(holder, socketDir);
      if (database !== undefined) return database;
      await sleep(retryMs);
    }
  } catch (error) {
    await socketDir.dispose();
    throw error;
  }
}

const retryMs = 50;
const shareAnswerMs = 60_000;
const credentials = { user: "postgres", database: "postgres" };
/** The port that psql takes when it is told none. */
const usualPort = 5432;

function refusal(dataDir: string, holder: LockHolder): string {
  return `DATA_DIR ${dataDir} is in use by ${holder.command} (pid ${holder.pid}, since ${holder.started_at}): stop it, or set DATA_DIR to another folder`;
}

/** Undefined when the owner went away at that moment. */
async function tryToShare(holder: LockHolder, socketDir: SocketDir): Promise<EmbeddedDatabase | undefined> {
  const hold = await holdOpen(socketPath(socketDir.path, holder.port), holder);
  if (hold === undefined) return undefined;
  return {
    connection: { host: socketDir.path, port: holder.port, ...credentials },
    owned: false,
    async close() {
      hold.destroy();
      await socketDir.dispose();
    },
  };
}

function holdOpen(path: string, holder: LockHolder): Promise<Socket | undefined> {
  return new Promise((resolve, reject) => {
    const socket = connect(path);
    const timer = setTimeout(() => {
      socket.destroy();
      reject(new Error(`${holder.command} (pid ${holder.pid}) has the database open but does not answer`));
    }, shareAnswerMs);
    socket.on("error", () => {});
    socket.once("close", () => {
      clearTimeout(timer);
      resolve(undefined);
    });
    socket.once("data", (answer) => {
      clearTimeout(timer);
      socket.unref();
      if (answer.toString("latin1", 0, 1) === "R") resolve(socket);
      else socket.destroy();
    });
    socket.write(startupPacket({ ...credentials, application_name: holdOpenName }));
  });
}

/** Undefined when another process was faster. */
async function tryToOwn(
  options: EmbeddedDatabaseOptions,
  dataDir: string,
  socketDir: SocketDir,
): Promise<EmbeddedDatabase | undefined> {
  const thread = startThread({
    dataDir,
    socketDir: socketDir.path,
    lingerMs: options.lingerMs ?? 60_000,
    drainMs: options.drainMs ?? 60_000,
  });
  let lock: DataDirLock | undefined;
  let port: number | undefined;
  try {
    port = (await thread.next("listening")).port;
    lock = await acquireDataDirLock(dataDir, socketDir.path, {
      pid: process.pid,
      command: options.command,
      socket_dir: socketDir.path,
      port,
      started_at: new Date().toISOString(),
    });
    if (!lock.acquired) {
      await thread.stop();
      await rm(socketPath(dataDir, port), { force: true });
      return undefined;
    }
    await linkUsualPort(dataDir, port);
    thread.order("open");
    await thread.next("ready");
  } catch (error) {
    await cleanUp(dataDir, port, lock, thread);
    throw error;
  }
  return ownedDatabase(options, { dataDir, socketDir, port, lock, thread });
}

type Ownership = { dataDir: string; socketDir: SocketDir; port: number; lock: DataDirLock; thread: Thread };

function ownedDatabase(
  options: EmbeddedDatabaseOptions,
  { dataDir, socketDir, port, lock, thread }: Ownership,
): EmbeddedDatabase {
  let closing: Promise<void> | undefined;
  thread.failure.then((error) => {
    if (closing !== undefined) return;
    if (options.onFailure !== undefined) return options.onFailure(error);
    setImmediate(() => {
      throw error;
    });
  });
  async function close(): Promise<void> {
    try {
      if (thread.isAlive()) {
        thread.order("close");
        await thread.next("closed");
      }
    } finally {
      await cleanUp(dataDir, port, lock, thread);
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

/** The lock goes first, while the socket still listens: a lock whose socket is silent is anybody's to take. */
async function cleanUp(
  dataDir: string,
  port: number | undefined,
  lock: DataDirLock | undefined,
  thread: Thread,
): Promise<void> {
  if (port !== undefined) await unlinkUsualPort(dataDir, port);
  if (lock?.acquired && thread.isAlive()) await lock.release();
  await thread.stop();
  if (port !== undefined) await rm(socketPath(dataDir, port), { force: true });
}

async function linkUsualPort(dataDir: string, port: number): Promise<void> {
  const draft = `${socketPath(dataDir, port)}.link`;
  await rm(draft, { force: true });
  await symlink(`.s.PGSQL.${port}`, draft);
  await rename(draft, socketPath(dataDir, usualPort));
}

async function unlinkUsualPort(dataDir: string, port: number): Promise<void> {
  const path = socketPath(dataDir, usualPort);
  const target = await readlink(path).catch(() => undefined);
  if (target === `.s.PGSQL.${port}`) await rm(path, { force: true });
}

type Thread = {
  order(order: WorkerOrder): void;
  /** The next report of this kind; rejects when the thread reports a failure, or ends, first. */
  next<Kind extends WorkerReport["kind"]>(kind: Kind): Promise<Extract<WorkerReport, { kind: Kind }>>;
  /** Resolves when the thread has ended without being stopped. */
  failure: Promise<Error>;
  isAlive(): boolean;
  stop(): Promise<void>;
};

/** The compiled thread is named from the root of the package, so that this module also works from its source, in tests. */
const threadUrl = new URL("dist/src/platform/embedded-db/worker.js", projectRoot);

function startThread(workerData: WorkerOptions): Thread {
  // PostgreSQL's own limit on recursion (2 MB) has to be met before that of the thread.
  const worker = new Worker(threadUrl, { workerData, resourceLimits: { stackSizeMb: 16 } });
  let alive = true;
  let stopped = false;
  let reason: Error | undefined;
  worker.on("message", (report: WorkerReport) => {
    if (report.kind === "failed") reason = new Error(report.reason);
  });
  const failure = new Promise<Error>((resolve) => {
    worker.on("error", (error) => {
      reason = error instanceof Error ? error : new Error(String(error));
    });
    worker.once("exit", () => {
      alive = false;
      if (!stopped) resolve(reason ?? new Error("the thread of the embedded database ended"));
    });
  });
  return {
    order: (order) => worker.postMessage(order),
    next: (kind) =>
      new Promise((resolve, reject) => {
        const receive = (report: WorkerReport) => {
          if (isKind(report, kind)) resolve(report);
          else if (report.kind === "failed") reject(new Error(report.reason));
          else return;
          worker.off("message", receive);
        };
        worker.on("message", receive);
        failure.then(reject);
      }),
    failure,
    isAlive: () => alive,
    async stop() {
      stopped = true;
      await worker.terminate();
    },
  };
}

function isKind<Kind extends WorkerReport["kind"]>(
  report: WorkerReport,
  kind: Kind,
): report is Extract<WorkerReport, { kind: Kind }> {
  return report.kind === kind;
}
