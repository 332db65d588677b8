import { describe, expect, test } from "vitest";
import { createWorkerPool, workerFailureOf } from "./worker-pool.js";

describe("worker pool", () => {
  const poolLimits = { threads: 1, timeoutMs: 20_000, queueLimit: 2, idleMs: 20_000, heapMb: 32 };
  const script = new URL(
    `data:text/javascript,${encodeURIComponent(`
      import { parentPort, threadId } from "node:worker_threads";
      parentPort.on("message", ({ id, input }) => {
        if (input === "hang") for (;;) {}
        if (input === "wait") return;
        if (input === "throw") throw new Error("broken");
        if (input === "grow") { const kept = []; for (;;) kept.push(new Array(10000).fill(id)); }
        parentPort.postMessage({ id, output: threadId });
      });`)}`,
  );

  test("a job past its time is rejected and its thread replaced", async () => {
    const pool = createWorkerPool<string, number>(script, { ...poolLimits, timeoutMs: 4000 });
    const before = await pool.run("answer");
    expect(await failureOf(pool.run("hang"))).toBe("timeout");
    expect(await pool.run("answer")).not.toBe(before);
    await pool.close();
  });

  test.each(["throw", "grow"])("a thread that dies (%s) fails its job only", async (input) => {
    const pool = createWorkerPool<string, number>(script, poolLimits);
    const [failure, answer] = await Promise.all([failureOf(pool.run(input)), pool.run("answer")]);
    expect(failure).toBe("failed");
    expect(answer).toBeGreaterThan(0);
    await pool.close();
  });

  test("more than the queue holds is refused at once; closing rejects what waits", async () => {
    const pool = createWorkerPool<string, number>(script, poolLimits);
    const waiting = ["wait", "answer", "answer"].map((input) => failureOf(pool.run(input)));
    expect(await failureOf(pool.run("answer"))).toBe("queue_full");
    await pool.close();
    expect(await Promise.all(waiting)).toEqual(["closed", "closed", "closed"]);
    expect(await failureOf(pool.run("answer"))).toBe("closed");
  });

  test("an idle thread ends and a new one takes over", async () => {
    const pool = createWorkerPool<string, number>(script, { ...poolLimits, idleMs: 0 });
    const first = await pool.run("answer");
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(await pool.run("answer")).not.toBe(first);
    await pool.close();
  });
});

async function failureOf(promise: Promise<unknown>): Promise<string | undefined> {
  return promise.then(
    () => undefined,
    (error: unknown) => workerFailureOf(error),
  );
}
