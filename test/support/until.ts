import { setTimeout as sleep } from "node:timers/promises";

type Found<Value> = Value | undefined | false;

/** Polls until the check returns something, and returns that. */
export async function until<Value>(
  check: () => Found<Value> | Promise<Found<Value>>,
  timeoutMs = 30_000,
): Promise<Value> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const found = await check();
    if (found !== undefined && found !== false) return found;
    if (performance.now() > deadline) throw new Error("timed out waiting for a condition");
    await sleep(10);
  }
}
