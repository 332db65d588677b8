import { Redis } from "ioredis";
import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from "rate-limiter-flexible";
import type { Log } from "./log.js";
import { messageOf } from "./errors.js";

export const windowSeconds = 60;

export type Verdict = {
  allowed: boolean;
  limit: number;
  remaining: number;
  /** Unix time in seconds, rounded up: at that moment the window is over. */
  resetAtSeconds: number;
  retryAfterSeconds: number;
};

export type RateLimiter = { consume(who: string): Promise<Verdict> };

export type RateLimits = {
  /** A fixed window of 60 s for each caller that starts with the caller's first request. */
  limiter(name: string, limit: number): RateLimiter;
  close(): Promise<void>;
};

/**
 * With Redis, all processes share a window. While Redis is away each process counts by itself: requests are served, the
 * log says so once, and counting goes back to Redis when it answers again.
 */
export function createRateLimits(redisUrl: string | null, log: Log): RateLimits {
  const redis = redisUrl === null ? undefined : connectRedis(redisUrl, log);
  return {
    limiter(name, limit) {
      const memory = new RateLimiterMemory({ keyPrefix: name, points: limit, duration: windowSeconds });
      const limiter =
        redis === undefined
          ? memory
          : new RateLimiterRedis({
              storeClient: redis,
              keyPrefix: `svc:limit:${name}`,
              points: limit,
              duration: windowSeconds,
              rejectIfRedisNotReady: true,
              insuranceLimiter: memory,
            });
      return { consume: (who) => consume(limiter, who, limit) };
    },
    async close() {
      redis?.disconnect();
    },
  };
}

async function consume(limiter: RateLimiterAbstract, who: string, limit: number): Promise<Verdict> {
  const [allowed, state] = await limiter.consume(who).then(
    (result) => [true, result] as const,
    (refusal: unknown) => {
      if (refusal instanceof RateLimiterRes) return [false, refusal] as const;
      throw refusal;
    },
  );
  return {
    allowed,
    limit,
    remaining: Math.max(0, state.remainingPoints),
    resetAtSeconds: Math.ceil((Date.now() + state.msBeforeNext) / 1000),
    retryAfterSeconds: Math.max(1, Math.ceil(state.msBeforeNext / 1000)),
  };
}

function connectRedis(url: string, log: Log): Redis {
  const redis = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    connectTimeout: 2_000,
    commandTimeout: 500,
    retryStrategy: (attempt) => Math.min(attempt * 100, 1_000),
  });
  let away = false;
  redis.on("error", (error) => {
    if (away) return;
    away = true;
    log.warn({ reason: messageOf(error) }, "Redis is away: each process counts requests by itself until it is back");
  });
  redis.on("ready", () => {
    if (away) log.info("Redis is back: rate limits are shared again");
    away = false;
  });
  return redis;
}
