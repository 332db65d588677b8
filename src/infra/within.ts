import { setTimeout as sleep } from "node:timers/promises";

/** The result of the work, or what `late` returns or throws if that takes longer. */
export async function within<Result>(limitMs: number, work: Promise<Result>, late: () => Result): Promise<Result> {
  const ended = new AbortController();
  const timeout = sleep(limitMs, undefined, { signal: ended.signal }).then(late);
  timeout.catch(() => {});
  try {
    return await Promise.race([work, timeout]);
  } finally {
    ended.abort();
  }
}
