const firstDelayMs = 100;
const longestDelayMs = 30_000;

/** A worker that has listened for this long did not end because of its start. */
export const stableMs = 10_000;

/** How long to wait before restarting a worker, after `endings` exits in a row without becoming stable. */
export function restartDelayMs(endings: number): number {
  return Math.min(firstDelayMs * 2 ** Math.min(endings, 20), longestDelayMs);
}
