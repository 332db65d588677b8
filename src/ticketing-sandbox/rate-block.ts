/** The platform's rate limit: exceeding it blocks the key for a minute. */
export type RateBlock = {
  /** Seconds to wait, or null if the request is allowed. */
  consume(nowMs: number): number | null;
};

const windowMs = 60_000;
const blockMs = 60_000;

export function createRateBlock(requestsPerMinute: number): RateBlock {
  let windowEndsAt = 0;
  let blockedUntil = 0;
  let used = 0;
  return {
    consume(nowMs) {
      if (nowMs >= blockedUntil && nowMs >= windowEndsAt) {
        windowEndsAt = nowMs + windowMs;
        used = 0;
      }
      if (nowMs >= blockedUntil) {
        used += 1;
        if (used <= requestsPerMinute) return null;
        blockedUntil = nowMs + blockMs;
        windowEndsAt = 0;
      }
      return Math.ceil((blockedUntil - nowMs) / 1000);
    },
  };
}
