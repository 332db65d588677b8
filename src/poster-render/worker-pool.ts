import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import pLimit from "p-limit";

export type WorkerPoolLimits = {
  threads: number;
  /** Per job, from the moment a worker starts on it. */
  timeoutMs: number;
  /** Jobs that may wait for a worker; further jobs are refused. */
  queueLimit: number;
  /** How long a worker without a job is kept. */
  idleMs: number;
  heapMb: number;
};
export type WorkerPool<Input, Output> = { run(input: Input): Promise<Output>; close(): Promise<void> };
export type WorkerFailure = "timeout" | "queue_full" | "closed" | "failed";

/** What a worker script posts back for each input. */
export type WorkerResponse<Output> = { output: Output } | { error: string };

/** Workers start on demand, stop when idle, and keep the process alive only while they run a job. */
export function createWorkerPool<Input, Output>(script: URL, limits: WorkerPoolLimits): WorkerPool<Input, Output> {
  const slots = pLimit(limits.threads);
  const workers = new Set<Worker>();
  const idleTimers = new Map<Worker, NodeJS.Timeout>();
  let closed = false;

  const start = () => {
    const worker = new Worker(script, {
      env: {},
      // The worker must not inherit flags of the process, such as those of a test runner.
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: limits.heapMb, maxYoungGenerationSizeMb: 64 },
    });
    workers.add(worker);
    // An error without a listener would end the process.
    worker.on("error", () => void discard(worker));
    worker.on("exit", () => void discard(worker));
    return worker;
  };
  const takeIdle = () => {
    const [worker] = idleTimers.keys();
    if (worker === undefined) return undefined;
    clearTimeout(idleTimers.get(worker));
    idleTimers.delete(worker);
    worker.ref();
    return worker;
  };
  const keepIdle = (worker: Worker) => {
    worker.unref();
    idleTimers.set(worker, setTimeout(() => void discard(worker), limits.idleMs).unref());
  };
  const discard = async (worker: Worker) => {
    clearTimeout(idleTimers.get(worker));
    idleTimers.delete(worker);
    workers.delete(worker);
    await worker.terminate();
  };
  const runJob = async (input: Input): Promise<Output> => {
    if (closed) throw workerError("closed", "the pool is closed");
    const worker = takeIdle() ?? start();
    const response = await exchange<Output>(worker, input, limits.timeoutMs).catch((error: unknown) => {
      // After a crash or a timeout the worker's state is unknown.
      void discard(worker);
      throw closed ? workerError("closed", "the pool was closed") : error;
    });
    keepIdle(worker);
    if ("output" in response) return response.output;
    throw workerError("failed", response.error);
  };

  return {
    async run(input) {
      const isFull = slots.activeCount + slots.pendingCount >= limits.threads + limits.queueLimit;
      if (!closed && isFull) throw workerError("queue_full", `${limits.queueLimit} jobs are already waiting`);
      return slots(() => runJob(input));
    },
    async close() {
      closed = true;
      await Promise.all([...workers].map(discard));
    },
  };
}

export function workerFailureOf(error: unknown): WorkerFailure | undefined {
  const failure = error instanceof Error && "workerFailure" in error ? error.workerFailure : undefined;
  return failure as WorkerFailure | undefined;
}

function workerError(workerFailure: WorkerFailure, message: string): Error {
  return Object.assign(new Error(message), { workerFailure });
}

/** Posts one input and waits for its response, an error, the worker's exit or the timeout, whichever comes first. */
async function exchange<Output>(worker: Worker, input: unknown, timeoutMs: number): Promise<WorkerResponse<Output>> {
  const settled = new AbortController();
  const { signal } = settled;
  const response = once(worker, "message", { signal });
  const exit = once(worker, "exit", { signal }).then(() => {
    throw workerError("failed", "the worker exited");
  });
  const timeout = delay(timeoutMs, undefined, { signal }).then(() => {
    throw workerError("timeout", `it took longer than ${timeoutMs} ms`);
  });
  const outcome = Promise.race([response, exit, timeout]);
  try {
    worker.postMessage(input);
    const [message] = await outcome;
    return message;
  } catch (error) {
    // `once` rejects with the worker's own error.
    throw workerFailureOf(error)
      ? error
      : workerError("failed", error instanceof Error ? error.message : String(error));
  } finally {
    settled.abort();
  }
}
