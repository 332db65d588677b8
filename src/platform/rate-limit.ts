import { Redis } from "ioredis";
import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from "rate-limiter-flexible";
import type { Log } from "./observability/log.js";
import { createOutage } from "./observability/outage.js";

export const windowSeconds = 60;

export type RateLimitResult = {
  allowed: boolean;
  limit: number;
  remaining: number;
  /** Unix time in seconds, rounded up so that the window is over by then. */
  resetAtSeconds: number;
  /** Rounded up, at least 1. */
  retryAfterSeconds: number;
};

export type RateLimiter = {
  consume(key: string): Promise<RateLimitResult>;
  /** Takes back what one `consume` counted, for limits that count failures only. */
  refund(key: string): Promise<void>;
};

export type RateLimits = {
  /** Fixed windows per key, by default of 60 s, that start with the first request of the key. Names must be unique. */
  limiter(name: string, limit: number, seconds?: number): RateLimiter;
  /** False while each process counts locally because Redis is unavailable. */
  available(): boolean;
  close(): Promise<void>;
};

/**
 * With Redis, all processes share a window. While Redis is unavailable, requests are served and each process counts
 * locally; one warning is logged, and counting returns to Redis when it responds again.
 */
export function createRateLimits(redisUrl: string | null, log: Log): RateLimits {
  const redis = redisUrl === null ? undefined : monitorRedis(redisUrl, log);
  return {
    limiter(name, limit, seconds = windowSeconds) {
      const window = { points: limit, duration: seconds };
      const local = new RateLimiterMemory({ keyPrefix: name, ...window });
      const refundLocally = async (key: string) => void (await local.reward(key));
      if (redis === undefined) return { consume: (key) => consume(local, key, window), refund: refundLocally };
      const shared = new RateLimiterRedis({
        storeClient: redis.client,
        keyPrefix: `svc:limit:${name}`,
        rejectIfRedisNotReady: true,
        ...window,
      });
      return {
        consume: (key) =>
          redis.use(
            () => consume(shared, key, window),
            () => consume(local, key, window),
          ),
        refund: (key) =>
          redis.use(
            async () => void (await shared.reward(key)),
            () => refundLocally(key),
          ),
      };
    },
    available: () => redis?.available() ?? true,
    close: async () => redis?.close(),
  };
}

async function consume(
  limiter: RateLimiterAbstract,
  key: string,
  window: { points: number; duration: number },
): Promise<RateLimitResult> {
  const [allowed, state] = await limiter.consume(key).then(
    (result) => [true, result] as const,
    (rejection: unknown) => {
      if (rejection instanceof RateLimiterRes) return [false, rejection] as const;
      throw rejection;
    },
  );
  // A window in memory ends by a timer, but a clock that was set back makes its end look further away than it is.
  const msBeforeNext = Math.min(state.msBeforeNext, window.duration * 1000);
  return {
    allowed,
    limit: window.points,
    remaining: Math.max(0, state.remainingPoints),
    resetAtSeconds: Math.ceil((Date.now() + msBeforeNext) / 1000),
    retryAfterSeconds: Math.max(1, Math.ceil(msBeforeNext / 1000)),
  };
}

const commandTimeoutMs = 500;
const probeIntervalMs = 500;

type MonitoredRedis = {
  client: Redis;
  /** Runs `shared`; if it fails, or while Redis is unavailable, runs `local` instead. */
  available(): boolean;
  use<Result>(shared: () => Promise<Result>, local: () => Promise<Result>): Promise<Result>;
  close(): void;
};

/**
 * One failure or timeout marks Redis as unavailable for all requests, so a Redis that accepts connections but does not
 * respond delays only the requests in flight. Until it responds again, only the probe uses it.
 */
function monitorRedis(url: string, log: Log): MonitoredRedis {
  const client = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    connectTimeout: 2_000,
    commandTimeout: commandTimeoutMs,
    retryStrategy: (attempt) => Math.min(attempt * 100, 1_000),
  });
  // The probe has already seen Redis respond, so the outage ends at once.
  const outage = createOutage(log, "Redis", {
    started: "Redis is unavailable: each process counts requests locally until it responds",
    ended: "Redis is available again: rate limits are shared",
    settleMs: 0,
  });
  let probe: NodeJS.Timeout | undefined;

  function markUnavailable(error: unknown): void {
    outage.failed(error);
    if (probe !== undefined) return;
    // A write, because counting writes: a full or read-only Redis still responds to PING.
    const sendProbe = () => client.set("svc:limit:probe", "", "EX", windowSeconds).then(markAvailable, () => undefined);
    probe = setInterval(sendProbe, probeIntervalMs);
    probe.unref();
  }

  function markAvailable(): void {
    if (probe === undefined) return;
    clearInterval(probe);
    probe = undefined;
    outage.succeeded();
  }

  const opened = new Promise<void>((resolve) => {
    client.once("ready", resolve);
    setTimeout(resolve, commandTimeoutMs).unref();
    client.on("error", (error) => {
      markUnavailable(error);
      resolve();
    });
  });
  return {
    client,
    available: outage.available,
    async use(shared, local) {
      await opened;
      if (probe !== undefined) return local();
      try {
        return await shared();
      } catch (error) {
        markUnavailable(error);
        return local();
      }
    },
    close() {
      clearInterval(probe);
      client.disconnect();
    },
  };
}
