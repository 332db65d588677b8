import { within } from "../within.js";

export type SharedReadLimits = { timeoutMs: number; sharedMs: number };

/**
 * One read answers everybody who asks until `sharedMs` after its end, and nobody waits for it longer than `timeoutMs`: then
 * the result is `late()`. However often it is asked, the database gets one statement at a time. `read` never rejects.
 */
export function shareReads<Value>(
  read: () => Promise<Value>,
  late: () => Value,
  { timeoutMs, sharedMs }: SharedReadLimits,
): () => Promise<Value> {
  let shared: { until: number; result: Promise<Value> } | undefined;
  return () => {
    if (shared === undefined || performance.now() >= shared.until) {
      shared = { until: Number.POSITIVE_INFINITY, result: read() };
      const current = shared;
      // A statement that hangs is not repeated: its result is shared until it ends.
      void current.result.finally(() => {
        current.until = performance.now() + sharedMs;
      });
    }
    return within(timeoutMs, shared.result, late);
  };
}

/** The same for a number of metrics: what was read last is kept during an outage, which is logged elsewhere. */
export function shareLastRead<Value>(
  read: () => Promise<Value>,
  limits: SharedReadLimits = { timeoutMs: 1_000, sharedMs: 1_000 },
): () => Promise<Value | undefined> {
  let last: Value | undefined;
  async function readOrKeep(): Promise<Value | undefined> {
    try {
      last = await read();
    } catch {
      // An outage is logged by the observer of the database.
    }
    return last;
  }
  return shareReads(readOrKeep, () => last, limits);
}
