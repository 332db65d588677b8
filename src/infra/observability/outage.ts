import { messageOf, ServiceError } from "../../../contract/errors.js";
import type { Log } from "./log.js";

export type Outage = {
  failed(error: unknown): void;
  succeeded(): void;
  /** Whether the dependency is available, as far as the last requests have shown. */
  available(): boolean;
};

/** A dependency that fails now and then has one long outage, not one per failure. */
const quietMs = 5_000;

/**
 * Logs one line when a dependency stops working and one when it works again, with the duration and the number of
 * failures. An outage has ended when a request succeeds `quietMs` after the last failure.
 */
export function createOutage(
  log: Log,
  dependency: string,
  options: { started?: string; ended?: string; quietMs?: number; now?: () => number } = {},
): Outage {
  const now = options.now ?? performance.now.bind(performance);
  const quiet = options.quietMs ?? quietMs;
  let current: { since: number; lastFailure: number; failures: number } | undefined;
  return {
    failed(error) {
      if (current === undefined) {
        current = { since: now(), lastFailure: now(), failures: 0 };
        log.warn({ dependency, reason: reasonOf(error) }, options.started ?? `the ${dependency} is unavailable`);
      }
      current.lastFailure = now();
      current.failures += 1;
    },
    succeeded() {
      if (current === undefined || now() - current.lastFailure < quiet) return;
      const { since, failures } = current;
      current = undefined;
      log.info(
        { dependency, duration_ms: Math.round(now() - since), failures },
        options.ended ?? `the ${dependency} is available again`,
      );
    },
    available: () => current === undefined,
  };
}

/** What failed in the end, behind the text for callers. */
function reasonOf(error: unknown): string {
  return messageOf(error instanceof ServiceError && error.cause !== undefined ? error.cause : error);
}
