import type { Redis } from "ioredis";
import type { RateLimiterRedis, RateLimiterRes } from "rate-limiter-flexible";
import { createLocalFairWindow, createSharedFairWindow, type FairLimits, type FairWindow } from "./fair-window.js";
import { loadOnDemand } from "./load-on-demand.js";
import { createLocalWindows } from "./local-windows.js";
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
  /** At once where the process counts for itself. */
  consume(key: string): RateLimitResult | Promise<RateLimitResult>;
  /** Takes back what one `consume` counted, for limits that count failures only. */
  refund(key: string): Promise<void>;
};

export type RateLimits = {
  /** Fixed windows per key, by default of 60 s, that start with the first request of the key. Names must be unique. */
  limiter(name: string, limit: number, seconds?: number): RateLimiter;
  /** A sliding window that members share. Names must be unique. */
  fairWindow(name: string, limits: FairLimits): FairWindow;
  /** Resolves when Redis can be used, or after a short time: until then a process would count for itself. */
  opened(): Promise<void>;
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
      const local = createLocalWindows(seconds);
      const consumeLocally = (key: string) => {
        const { count, msLeft } = local.count(key);
        return resultOf(limit, count, msLeft);
      };
      const refundLocally = async (key: string) => local.refund(key);
      if (redis === undefined) return { consume: consumeLocally, refund: refundLocally };
      const { RateLimiterRedis }: typeof import("rate-limiter-flexible") = loadOnDemand("rate-limiter-flexible");
      const shared = new RateLimiterRedis({
        storeClient: redis.client,
        keyPrefix: `svc:limit:${name}`,
        rejectIfRedisNotReady: true,
        points: limit,
        duration: seconds,
      });
      return {
        consume: (key) =>
          redis.use(
            () => consume(shared, key, limit),
            async () => consumeLocally(key),
          ),
        refund: (key) =>
          redis.use(
            async () => void (await shared.reward(key)),
            () => refundLocally(key),
          ),
      };
    },
    fairWindow(name, fairLimits) {
      const local = createLocalFairWindow(fairLimits);
      if (redis === undefined) return local;
      const shared = createSharedFairWindow(redis.client, `svc:limit:${name}`, fairLimits);
      return {
        take: (member) =>
          redis.use(
            () => shared.take(member),
            () => local.take(member),
          ),
      };
    },
    opened: async () => redis?.opened(),
    available: () => redis?.available() ?? true,
    close: async () => redis?.close(),
  };
}

async function consume(limiter: RateLimiterRedis, key: string, limit: number): Promise<RateLimitResult> {
  const state = await limiter.consume(key).catch((rejection: unknown) => {
    // Unlike a failure, a limit that is reached has counted the request.
    if (rejection instanceof Error) throw rejection;
    return rejection as RateLimiterRes;
  });
  return resultOf(limit, state.consumedPoints, state.msBeforeNext);
}

function resultOf(limit: number, count: number, msLeft: number): RateLimitResult {
  return {
    allowed: count <= limit,
    limit,
    remaining: Math.max(0, limit - count),
    resetAtSeconds: Math.ceil((Date.now() + msLeft) / 1000),
    retryAfterSeconds: Math.max(1, Math.ceil(msLeft / 1000)),
  };
}

const commandTimeoutMs = 500;
const probeIntervalMs = 500;

type MonitoredRedis = {
  client: Redis;
  opened(): Promise<void>;
  available(): boolean;
  /** Runs `shared`; if it fails, or while Redis is unavailable, runs `local` instead. */
  use<Result>(shared: () => Promise<Result>, local: () => Promise<Result>): Promise<Result>;
  close(): void;
};

/**
 * One failure or timeout marks Redis as unavailable for all requests, so a Redis that accepts connections but does not
 * respond delays only the requests in flight. Until it responds again, only the probe uses it.
 */
function monitorRedis(url: string, log: Log): MonitoredRedis {
  const { Redis }: typeof import("ioredis") = loadOnDemand("ioredis");
  const client = new Redis(url, {
    lazyConnect: true,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    connectTimeout: 2_000,
    commandTimeout: commandTimeoutMs,
    // The commands of one event-loop turn share a write and a read.
    enableAutoPipelining: true,
    retryStrategy: (attempt) => Math.min(attempt * 100, 1_000),
  });
  // The probe has already seen Redis respond, so the outage ends at once.
  const outage = createOutage(log, "Redis", {
    started: "Redis is unavailable: each process counts requests locally until it responds",
    ended: "Redis is available again: rate limits are shared",
    quietMs: 0,
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

  client.on("error", markUnavailable);
  let opening: Promise<void> | undefined;
  /** Connects with the first call: building the service can block the event loop for longer than Redis may take. */
  function opened(): Promise<void> {
    opening ??= new Promise<void>((resolve) => {
      // A failure is an event, too, and connecting goes on.
      client.connect().then(resolve, () => resolve());
      setTimeout(resolve, commandTimeoutMs).unref();
    });
    return opening;
  }
  return {
    client,
    opened,
    available: outage.available,
    async use(shared, local) {
      await opened();
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
