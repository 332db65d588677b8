import { setTimeout as sleep } from "node:timers/promises";

export type FetchedResponse = { status: number; headers: Headers; bytes: Buffer };

export type RetryingFetch = (
  url: string,
  init?: RequestInit & { maxBytes?: number; timeoutMs?: number },
) => Promise<FetchedResponse>;

export type Waiter = { wait(waitMs: number, reason: string): Promise<void>; waitedMs(): number };

const maxAttempts = 5;
const maxRateLimitRetries = 10;
const initialBackoffMs = 500;
const maxWaitMs = 10 * 60_000;

/** Sleeps, reports why, and sums up the time waited. */
export function createWaiter(print: (text: string) => void): Waiter {
  let waitedMs = 0;
  return {
    async wait(waitMs, reason) {
      const sleepMs = Math.min(waitMs, maxWaitMs);
      print(`${reason}; waiting ${(sleepMs / 1000).toFixed(1)} s`);
      waitedMs += sleepMs;
      await sleep(sleepMs);
    },
    waitedMs: () => waitedMs,
  };
}

/**
 * A fetch for requests that are safe to repeat: reads, the PATCH, and uploads with a client token. It waits as long as a
 * 429 asks, and retries with exponential backoff after a 5xx or a connection error. Any other response is returned.
 */
export function createRetryingFetch(waiter: Waiter): RetryingFetch {
  return async (url, { maxBytes = 5_000_000, timeoutMs = 30_000, ...init } = {}) => {
    const { host } = new URL(url);
    let attempts = 0;
    let rateLimitRetries = 0;
    for (;;) {
      const attempt = await tryOnce(url, init, maxBytes, timeoutMs);
      if ("response" in attempt && attempt.response.status === 429 && rateLimitRetries < maxRateLimitRetries) {
        rateLimitRetries += 1;
        await waiter.wait(
          requestedWaitMs(attempt.response.headers) ?? backoffMs(rateLimitRetries),
          `${host}: too many requests`,
        );
        continue;
      }
      if ("response" in attempt && attempt.response.status < 500) return attempt.response;
      attempts += 1;
      const problem = "response" in attempt ? `${host} responded with ${attempt.response.status}` : attempt.problem;
      if (attempts === maxAttempts || ("final" in attempt && attempt.final)) throw new Error(problem);
      const requestedMs = "response" in attempt ? requestedWaitMs(attempt.response.headers) : undefined;
      await waiter.wait(requestedMs ?? backoffMs(attempts), `${problem} (attempt ${attempts} of ${maxAttempts})`);
    }
  };
}

type Attempt = { response: FetchedResponse } | { problem: string; final: boolean };

async function tryOnce(url: string, init: RequestInit, maxBytes: number, timeoutMs: number): Promise<Attempt> {
  try {
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(timeoutMs) });
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of response.body ?? []) {
      size += chunk.length;
      if (size > maxBytes) return { problem: `${url} is larger than ${maxBytes} bytes`, final: true };
      chunks.push(chunk);
    }
    return { response: { status: response.status, headers: response.headers, bytes: Buffer.concat(chunks) } };
  } catch (error) {
    return { problem: `cannot reach ${new URL(url).host}: ${reasonOf(error)}`, final: false };
  }
}

/** The wait that Retry-After requests, or else the time until the rate limit window resets. */
export function requestedWaitMs(headers: Headers): number | undefined {
  const retryAfter = headers.get("retry-after");
  if (retryAfter !== null && /^\d+$/.test(retryAfter)) return Number(retryAfter) * 1000;
  const date = Date.parse(retryAfter ?? "");
  return Number.isNaN(date) ? msUntilReset(headers) : Math.max(0, date - serverNow(headers));
}

export function msUntilReset(headers: Headers): number | undefined {
  const reset = Number(headers.get("x-ratelimit-reset"));
  return reset > 0 ? Math.max(0, reset * 1000 - serverNow(headers)) : undefined;
}

/** Timestamps in headers refer to the server's clock, which may differ from ours. */
function serverNow(headers: Headers): number {
  const date = Date.parse(headers.get("date") ?? "");
  return Number.isNaN(date) ? Date.now() : date;
}

/** Exponential backoff with jitter, so that many agents do not retry at the same moment. */
function backoffMs(count: number): number {
  return initialBackoffMs * 2 ** (count - 1) * (0.75 + Math.random() / 2);
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error && error.cause.message !== "" ? error.cause.message : error.message;
}
