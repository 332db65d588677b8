import { Redis } from "ioredis";
import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from "rate-limiter-flexible";
import { messageOf } from "./errors.js";
import type { Log } from "./log.js";

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
  const redis = redisUrl === null ? undefined : watchRedis(redisUrl, log);
  return {
    limiter(name, limit) {
      const window = { points: limit, duration: windowSeconds };
      const own = new RateLimiterMemory({ keyPrefix: name, ...window });
      if (redis === undefined) return { consume: (who) => consume(own, who, limit) };
      const shared = new RateLimiterRedis({
        storeClient: redis.client,
        keyPrefix: `svc:limit:${name}`,
        rejectIfRedisNotReady: true,
        ...window,
      });
      return {
        consume: (who) =>
          redis.use(
            () => consume(shared, who, limit),
            () => consume(own, who, limit),
          ),
      };
    },
    close: async () => redis?.close(),
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

const commandTimeoutMs = 500;
const probeEveryMs = 500;

type WatchedRedis = {
  client: Redis;
  /** Runs the first with Redis; runs the second when that fails, and at once while Redis is away. */
  use<Result>(shared: () => Promise<Result>, alone: () => Promise<Result>): Promise<Result>;
  close(): void;
};

/**
 * One failure or timeout marks Redis as away for all: a Redis that accepts connections but does not answer costs the
 * requests of that moment half a second and no other. From then on only the probe asks it.
 */
function watchRedis(url: string, log: Log): WatchedRedis {
  const client = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    connectTimeout: 2_000,
    commandTimeout: commandTimeoutMs,
    retryStrategy: (attempt) => Math.min(attempt * 100, 1_000),
  });
  let probe: NodeJS.Timeout | undefined;

  function markAway(error: unknown): void {
    if (probe !== undefined) return;
    log.warn({ reason: messageOf(error) }, "Redis is away: each process counts requests by itself until it is back");
    // A write, as counting is one: a Redis that is full or read-only answers a ping.
    const ask = () => client.set("svc:limit:probe", "", "EX", windowSeconds).then(markBack, () => undefined);
    probe = setInterval(ask, probeEveryMs);
    probe.unref();
  }

  function markBack(): void {
    if (probe === undefined) return;
    clearInterval(probe);
    probe = undefined;
    log.info("Redis is back: rate limits are shared again");
  }

  const opened = new Promise<void>((resolve) => {
    client.once("ready", resolve);
    setTimeout(resolve, commandTimeoutMs).unref();
    client.on("error", (error) => {
      markAway(error);
      resolve();
    });
  });
  return {
    client,
    async use(shared, alone) {
      await opened;
      if (probe !== undefined) return alone();
      try {
        return await shared();
      } catch (error) {
        markAway(error);
        return alone();
      }
    },
    close() {
      clearInterval(probe);
      client.disconnect();
    },
  };
}
