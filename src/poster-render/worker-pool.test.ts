import { describe, expect, test } from "vitest";
import { createWorkerPool, workerFailureOf } from "./worker-pool.js";

const limits = { threads: 1, timeoutMs: 20_000, queueLimit: 2, idleMs: 20_000, heapMb: 32 };
const script = moduleUrl(`
  import { parentPort, threadId } from "node:worker_threads";
  parentPort.on("message", (input) => {
    if (input === "hang") for (;;) {}
    if (input === "wait") return;
    if (input === "slow") return setTimeout(() => parentPort.postMessage({ output: threadId }), 400);
    if (input === "throw") throw new Error("broken");
    if (input === "exit") process.exit(3);
    if (input === "grow") { const kept = []; for (;;) kept.push(new Array(10000).fill(0)); }
    parentPort.postMessage(input === "report" ? { error: "reported" } : { output: threadId });
  });`);

describe("worker pool", () => {
  test("times a job out from its start, not from its queueing, and replaces the worker", async () => {
    const pool = createWorkerPool<string, number>(script, { ...limits, timeoutMs: 2_000 });
    const before = await pool.run("respond");
    const [failure, after] = await Promise.all([failureOf(pool.run("hang")), pool.run("respond")]);
    expect(failure).toBe("timeout");
    expect(after).not.toBe(before);
    await pool.close();
  });

  test.each(["throw", "exit", "grow"])("fails only the job during which a worker dies (%s)", async (input) => {
    const pool = createWorkerPool<string, number>(script, limits);
    const [failure, output] = await Promise.all([failureOf(pool.run(input)), pool.run("respond")]);
    expect(failure).toBe("failed");
    expect(output).toBeGreaterThan(0);
    await pool.close();
  });

  test("keeps the worker after an error that the script reports", async () => {
    const pool = createWorkerPool<string, number>(script, limits);
    const before = await pool.run("respond");
    await expect(pool.run("report")).rejects.toThrow("reported");
    expect(await pool.run("respond")).toBe(before);
    await pool.close();
  });

  test("fails jobs promptly when the script cannot be loaded", async () => {
    const pool = createWorkerPool<string, number>(moduleUrl("throw new Error('not loadable')"), limits);
    await expect(pool.run("respond")).rejects.toThrow("not loadable");
    expect(await failureOf(pool.run("respond"))).toBe("failed");
    await pool.close();
  });

  test("refuses jobs beyond the queue limit and rejects queued jobs on close", async () => {
    const pool = createWorkerPool<string, number>(script, limits);
    const accepted = ["wait", "respond", "respond"].map((input) => failureOf(pool.run(input)));
    expect(await failureOf(pool.run("respond"))).toBe("queue_full");
    await pool.close();
    expect(await Promise.all(accepted)).toEqual(["closed", "closed", "closed"]);
    expect(await failureOf(pool.run("respond"))).toBe("closed");
  });

  test("does not stop a worker that starts on a job before its idle time is over", async () => {
    const pool = createWorkerPool<string, number>(script, { ...limits, idleMs: 200 });
    await pool.run("respond");
    expect(await pool.run("slow")).toBeGreaterThan(0);
    await pool.close();
  });

  test("stops an idle worker and starts another for the next job", async () => {
    const pool = createWorkerPool<string, number>(script, { ...limits, idleMs: 0 });
    const first = await pool.run("respond");
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(await pool.run("respond")).not.toBe(first);
    await pool.close();
  });
});

function moduleUrl(source: string): URL {
  return new URL(`data:text/javascript,${encodeURIComponent(source)}`);
}

async function failureOf(promise: Promise<unknown>): Promise<string | undefined> {
  return promise.then(
    () => undefined,
    (error: unknown) => workerFailureOf(error),
  );
}
