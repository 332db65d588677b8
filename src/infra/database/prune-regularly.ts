import { messageOf } from "../../../contract/errors.js";
import type { Log } from "../observability/log.js";
import { isObserved } from "./database-errors.js";

/** Deletes what is not needed any more from time to time; `what` is for the log. */
export function pruneRegularly(
  prune: () => Promise<void>,
  { everyMs, what, log }: { everyMs: number; what: string; log: Log },
): { close(): void } {
  const timer = setInterval(() => {
    prune().catch((error: unknown) => {
      // These are already logged, once.
      if (isObserved(error)) return;
      log.warn({ reason: messageOf(error) }, `could not delete ${what}; will retry`);
    });
  }, everyMs);
  timer.unref();
  return { close: () => clearInterval(timer) };
}
