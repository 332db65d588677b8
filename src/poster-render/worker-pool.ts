import { Worker } from "node:worker_threads";

export type WorkerPoolLimits = {
  threads: number;
  /** For one job, from the moment a thread takes it. */
  timeoutMs: number;
  /** Jobs that wait for a thread; one more is refused. */
  queueLimit: number;
  /** How long a thread without work is kept. */
  idleMs: number;
  heapMb: number;
};
export type WorkerPool<Input, Output> = { run(input: Input): Promise<Output>; close(): Promise<void> };
export type WorkerFailure = "timeout" | "queue_full" | "closed" | "failed";

/** What a worker script answers to each `{ id, input }`. */
export type WorkerAnswer<Output> = { id: number; output: Output } | { id: number; failure: string };

type Job<Input, Output> = { id: number; input: Input; resolve(output: Output): void; reject(error: Error): void };
type Thread<Input, Output> = { worker: Worker; job: Job<Input, Output> | undefined; timer: NodeJS.Timeout | undefined };
type Pool<Input, Output> = {
  script: URL;
  limits: WorkerPoolLimits;
  threads: Set<Thread<Input, Output>>;
  queue: Job<Input, Output>[];
  lastId: number;
  closed: boolean;
};

/** Threads start with the first jobs, end when idle, and never keep the process alive without a job. */
export function createWorkerPool<Input, Output>(script: URL, limits: WorkerPoolLimits): WorkerPool<Input, Output> {
  const pool: Pool<Input, Output> = { script, limits, threads: new Set(), queue: [], lastId: 0, closed: false };
  return {
    async run(input) {
      if (pool.closed) throw workerError("closed", "it is closed");
      const free = pool.threads.size < limits.threads || [...pool.threads].some(({ job }) => !job);
      if (!free && pool.queue.length >= limits.queueLimit) {
        throw workerError("queue_full", `${limits.queueLimit} jobs are waiting already`);
      }
      pool.lastId += 1;
      const id = pool.lastId;
      return new Promise<Output>((resolve, reject) => {
        pool.queue.push({ id, input, resolve, reject });
        pump(pool);
      });
    },
    async close() {
      pool.closed = true;
      const error = workerError("closed", "it was closed");
      for (const job of pool.queue.splice(0)) job.reject(error);
      await Promise.all([...pool.threads].map((thread) => discard(pool, thread, error)));
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

function pump<Input, Output>(pool: Pool<Input, Output>): void {
  while (pool.queue.length > 0 && !pool.closed) {
    const idle = [...pool.threads].find(({ job }) => !job);
    const thread = idle ?? (pool.threads.size < pool.limits.threads ? startThread(pool) : undefined);
    const job = thread && pool.queue.shift();
    if (!thread || !job) return;
    assign(pool, thread, job);
  }
}

function startThread<Input, Output>(pool: Pool<Input, Output>): Thread<Input, Output> {
  const worker = new Worker(pool.script, {
    env: {},
    // Flags of the process, such as those of a test runner, are not for this script.
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: pool.limits.heapMb, maxYoungGenerationSizeMb: 64 },
  });
  const thread: Thread<Input, Output> = { worker, job: undefined, timer: undefined };
  pool.threads.add(thread);
  worker.on("message", (answer: WorkerAnswer<Output>) => finish(pool, thread, answer));
  worker.on("error", (error) => void discard(pool, thread, workerError("failed", error.message)));
  worker.on("exit", () => void discard(pool, thread, workerError("failed", "the thread ended")));
  return thread;
}

function assign<Input, Output>(
  pool: Pool<Input, Output>,
  thread: Thread<Input, Output>,
  job: Job<Input, Output>,
): void {
  clearTimeout(thread.timer);
  thread.job = job;
  thread.worker.ref();
  thread.timer = setTimeout(() => {
    void discard(pool, thread, workerError("timeout", `it took longer than ${pool.limits.timeoutMs} ms`));
  }, pool.limits.timeoutMs);
  try {
    thread.worker.postMessage({ id: job.id, input: job.input });
  } catch (error) {
    finish(pool, thread, { id: job.id, failure: String(error) });
  }
}

function finish<Input, Output>(
  pool: Pool<Input, Output>,
  thread: Thread<Input, Output>,
  answer: WorkerAnswer<Output>,
): void {
  const { job } = thread;
  if (job?.id !== answer.id) return;
  clearTimeout(thread.timer);
  thread.job = undefined;
  thread.worker.unref();
  thread.timer = setTimeout(() => void discard(pool, thread), pool.limits.idleMs).unref();
  if ("output" in answer) job.resolve(answer.output);
  else job.reject(workerError("failed", answer.failure));
  pump(pool);
}

/** A thread is never used again after an error or a timeout: its state is unknown, and its memory is given back. */
async function discard<Input, Output>(
  pool: Pool<Input, Output>,
  thread: Thread<Input, Output>,
  error?: Error,
): Promise<void> {
  if (!pool.threads.delete(thread)) return;
  clearTimeout(thread.timer);
  const { job } = thread;
  thread.job = undefined;
  if (job && error) job.reject(error);
  pump(pool);
  await thread.worker.terminate();
}
