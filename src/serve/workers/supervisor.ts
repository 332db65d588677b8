import type { OpenedLog } from "../../infra/observability/log.js";
import type { StopRequest } from "../life-cycle.js";
import type { Answers, Question } from "./messages.js";
import { restartDelayMs, stableMs } from "./restart-delay.js";
import { type Ending, startWorker, type WorkerEvents, type WorkerProcess } from "./worker-process.js";

export type Supervisor = {
  /** Resolves when all workers listen; rejects with the reason if one cannot. */
  start(): Promise<void>;
  listening(): number;
  restarts(): number;
  /** Asks the workers that listen; the answer of one that does not give it in time, or ends, is undefined. */
  askAll<Asked extends Question>(question: Asked, timeoutMs: number): Promise<Answered<Asked>[]>;
  /** Calls `listener` with the process id of each worker that has ended. */
  onEnded(listener: (pid: number) => void): void;
  /** Drains all workers and resolves when they have ended; rejects if one had to abort requests. */
  stop(request: StopRequest): Promise<void>;
  kill(): void;
};

export type Answered<Asked extends Question> = { pid: number; answer: Answers[Asked] | undefined };

export type SupervisorOptions = {
  count: number;
  /** Environment variables of the workers, in addition to those of this process. */
  env: Record<string, string>;
  opening: OpenedLog;
};

/** Starts workers, starts another one for each that ends, and stops all of them together. */
export function createSupervisor({ count, env, opening: { log, destination } }: SupervisorOptions): Supervisor {
  const workers = new Set<WorkerProcess>();
  const listeners = () => [...workers].filter((worker) => worker.isListening());
  const endListeners: ((pid: number) => void)[] = [];
  let restarts = 0;
  let stopping = false;

  function start({ onListening, onEnded }: Omit<WorkerEvents, "onLine">): void {
    const worker = startWorker(env, {
      onLine: destination.write,
      onListening,
      onEnded(ending) {
        workers.delete(worker);
        for (const listener of endListeners) listener(ending.pid);
        onEnded(ending);
      },
    });
    workers.add(worker);
  }

  /** `earlierEndings`: how many workers before this one have ended in a row without becoming stable. */
  function replace({ pid, listenedMs, ...ending }: Ending, earlierEndings: number): void {
    if (stopping) return;
    const endings = listenedMs >= stableMs ? 0 : earlierEndings;
    const delayMs = restartDelayMs(endings);
    log.error({ worker: pid, ...ending, restart_ms: delayMs }, "a worker ended unexpectedly: another one is started");
    const timer = setTimeout(() => {
      if (stopping) return;
      restarts += 1;
      start({
        onListening: () => log.info("the new worker listens"),
        onEnded: (next) => replace(next, endings + 1),
      });
    }, delayMs);
    timer.unref();
  }

  function startFirst(): Promise<void> {
    return new Promise((resolve, reject) => {
      let listened = false;
      start({
        onListening() {
          listened = true;
          resolve();
        },
        onEnded(ending) {
          if (listened) replace(ending, 0);
          else reject(new Error(ending.reason ?? `a worker ended with ${howEnded(ending)} before it listened`));
        },
      });
    });
  }

  return {
    start: async () => void (await Promise.all(Array.from({ length: count }, startFirst))),
    listening: () => listeners().length,
    restarts: () => restarts,
    askAll: (question, timeoutMs) =>
      Promise.all(
        listeners().map(async (worker) => ({ pid: worker.pid, answer: await worker.ask(question, timeoutMs) })),
      ),
    onEnded: (listener) => void endListeners.push(listener),
    async stop(request) {
      stopping = true;
      const draining = [...workers];
      const ended = Promise.all(draining.map((worker) => worker.drain(request)));
      // Before the last listener is closed, Node offers a connection that one worker refuses to another one.
      void Promise.all(draining.map((worker) => worker.listenerClosed)).then(() => {
        for (const worker of draining) worker.closeUnaccepted();
      });
      await ended;
    },
    kill() {
      stopping = true;
      for (const worker of workers) worker.kill();
    },
  };
}

function howEnded({ code, signal }: Ending): string {
  return signal ?? `exit code ${code}`;
}
