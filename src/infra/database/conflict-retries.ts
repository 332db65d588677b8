import { setTimeout as sleep } from "node:timers/promises";
import { lockNotAvailable, sqlState, unavailable } from "./database-errors.js";

/** How long a change is tried again while another one holds a lock that it needs. */
const lockWaitMs = 1_500;
const longestDelayMs = 400;

/** Serialization failure and deadlock. */
const conflicts = new Set(["40001", "40P01"]);

/**
 * Runs a change again that the database has undone because of a concurrent one: after a deadlock or a serialization
 * failure up to `attempts` times, and while the other one holds a lock for as long as `lockWaitMs`, without a connection in
 * between. With one attempt it runs once, whatever happens.
 */
export async function retryConflicts<Result>(change: () => Promise<Result>, attempts = 3): Promise<Result> {
  const giveUpAt = performance.now() + lockWaitMs;
  for (let attempt = 1, delayMs = 25; ; ) {
    try {
      return await change();
    } catch (error) {
      const state = sqlState(error) ?? "";
      const isLocked = state === lockNotAvailable;
      if (attempts === 1 || !(isLocked || conflicts.has(state))) throw error;
      if (isLocked ? performance.now() + delayMs > giveUpAt : attempt === attempts) {
        throw unavailable("concurrent changes conflict with this one", error);
      }
      if (isLocked) {
        await sleep(delayMs * (0.5 + Math.random()));
        delayMs = Math.min(delayMs * 2, longestDelayMs);
      } else attempt += 1;
    }
  }
}
