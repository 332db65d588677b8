import type { ChildProcess } from "node:child_process";
import cluster from "node:cluster";
import { fileURLToPath } from "node:url";
import { projectRoot } from "../../infra/project-root.js";
import type { StopRequest } from "../life-cycle.js";
import { forwardLines } from "./forward-lines.js";
import type { Answers, MessageToPrimary, MessageToWorker, Question } from "./messages.js";

export type WorkerProcess = {
  pid: number;
  isListening(): boolean;
  /** Undefined if the worker does not answer in time, or ends. */
  ask<Asked extends Question>(question: Asked, timeoutMs: number): Promise<Answers[Asked] | undefined>;
  /** Resolves when the worker has ended; rejects if it had to abort requests. */
  drain(request: StopRequest): Promise<void>;
  /** Resolves when the worker takes no more connections. */
  listenerClosed: Promise<void>;
  /** Closes the connection that the worker was given last and has not accepted, if there is one. */
  closeUnaccepted(): void;
  kill(): void;
};

export type Ending = {
  pid: number;
  code: number | null;
  signal: NodeJS.Signals | null;
  /** Why it could not start, if it has said so. */
  reason: string | undefined;
  /** How long it has listened; 0 if it never did. */
  listenedMs: number;
};

export type WorkerEvents = {
  onLine: (line: string) => void;
  onListening: () => void;
  /** Called when the process has ended and all that it has written was read. */
  onEnded: (ending: Ending) => void;
};

const script = fileURLToPath(new URL("dist/src/serve/workers/worker-main.js", projectRoot));

/** Starts a worker, with `env` added to the environment of this process. */
export function startWorker(env: Record<string, string>, events: WorkerEvents): WorkerProcess {
  cluster.setupPrimary({ exec: script, args: [], stdio: ["ignore", "inherit", "pipe", "ipc"] });
  const worker = cluster.fork(env);
  const { pid = 0, stderr } = worker.process;
  const closeUnaccepted = trackHandedOver(worker.process);
  const waiting = new Map<number, (answer: Answers[Question] | undefined) => void>();
  const ended = new Promise<Ending>((resolve) => {
    worker.process.once("close", (code: number | null, signal: NodeJS.Signals | null) => {
      const listenedMs = listeningSince === undefined ? 0 : performance.now() - listeningSince;
      listeningSince = undefined;
      resolve({ pid, code, signal, reason, listenedMs });
    });
  });
  let listeningSince: number | undefined;
  let reason: string | undefined;
  let lastId = 0;
  if (stderr !== null) forwardLines(stderr, events.onLine);
  const listenerClosed = new Promise<void>((resolve) => {
    worker.on("message", (message: MessageToPrimary) => {
      if (message.kind === "answer") waiting.get(message.id)?.(message.answer);
      else if (message.kind === "failed") reason = message.reason;
      else if (message.kind === "listener-closed") resolve();
      else {
        listeningSince = performance.now();
        events.onListening();
      }
    });
    void ended.then(() => resolve());
  });
  void ended.then((ending) => {
    closeUnaccepted();
    for (const respond of [...waiting.values()]) respond(undefined);
    events.onEnded(ending);
  });
  /** A worker that has just ended does not get the message. */
  const tell = (message: MessageToWorker) => worker.isConnected() && worker.send(message, () => {});
  return {
    pid,
    isListening: () => listeningSince !== undefined,
    ask<Asked extends Question>(question: Asked, timeoutMs: number) {
      lastId += 1;
      const id = lastId;
      return new Promise<Answers[Asked] | undefined>((resolve) => {
        const timer = setTimeout(() => respond(undefined), timeoutMs);
        const respond = (answer: Answers[Question] | undefined) => {
          clearTimeout(timer);
          waiting.delete(id);
          resolve(answer as Answers[Asked] | undefined);
        };
        waiting.set(id, respond);
        tell({ kind: "question", id, question });
      });
    },
    async drain(request) {
      tell({ kind: "drain", ...request });
      const { code, signal } = await ended;
      if (code !== 0) throw new Error(`worker ${pid} ended with ${signal ?? code}`);
    },
    listenerClosed,
    closeUnaccepted,
    kill: () => void worker.process.kill("SIGKILL"),
  };
}

/**
 * Node hands a connection to a worker with `send`, one at a time, and forgets it if the worker ends before it accepts, or
 * refuses it because all listeners are closed: the client would wait until the primary ends. The returned function closes
 * the last one, which is harmless if it was accepted.
 */
function trackHandedOver(child: ChildProcess): () => void {
  const { send } = child;
  let last: { close?: () => void } | undefined;
  child.send = (...args: [unknown, unknown?, ...unknown[]]): boolean => {
    const [, handle] = args;
    if (typeof handle === "object" && handle !== null) last = handle;
    return Reflect.apply(send, child, args);
  };
  return () => last?.close?.();
}
