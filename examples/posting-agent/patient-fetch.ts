import { setTimeout as sleep } from "node:timers/promises";

export type Reply = { status: number; headers: Headers; bytes: Buffer };

export type PatientFetch = (
  url: string,
  init?: RequestInit & { maximumBytes?: number; timeoutMs?: number },
) => Promise<Reply>;

export type Waiting = { wait(waitMs: number, why: string): Promise<void>; waitedMs(): number };

const maximumTries = 5;
const maximumRefusals = 10;
const firstPauseMs = 500;
const longestWaitMs = 10 * 60_000;

/** Sleeps, says why, and adds up how long the run has waited. */
export function createWaiting(say: (text: string) => void): Waiting {
  let waitedMs = 0;
  return {
    async wait(waitMs, why) {
      const pauseMs = Math.min(waitMs, longestWaitMs);
      say(`${why}; waiting ${(pauseMs / 1000).toFixed(1)} s`);
      waitedMs += pauseMs;
      await sleep(pauseMs);
    },
    waitedMs: () => waitedMs,
  };
}

/**
 * A fetch for requests that may be repeated: reads, the PATCH, and uploads that carry a client token. It waits as long as
 * a 429 asks for, and tries again with growing pauses when the other side fails or cannot be reached. Any other answer,
 * also a refusal, is the caller's to judge.
 */
export function createPatientFetch(waiting: Waiting): PatientFetch {
  return async (url, { maximumBytes = 5_000_000, timeoutMs = 30_000, ...init } = {}) => {
    const { host } = new URL(url);
    let tries = 0;
    let refusals = 0;
    for (;;) {
      const attempt = await tryOnce(url, init, maximumBytes, timeoutMs);
      if ("reply" in attempt && attempt.reply.status === 429 && refusals < maximumRefusals) {
        refusals += 1;
        await waiting.wait(askedWaitMs(attempt.reply.headers) ?? pauseMs(refusals), `${host} says: too many requests`);
        continue;
      }
      if ("reply" in attempt && attempt.reply.status < 500) return attempt.reply;
      tries += 1;
      const problem = "reply" in attempt ? `${host} answered ${attempt.reply.status}` : attempt.problem;
      if (tries === maximumTries || ("final" in attempt && attempt.final)) throw new Error(problem);
      const asked = "reply" in attempt ? askedWaitMs(attempt.reply.headers) : undefined;
      await waiting.wait(asked ?? pauseMs(tries), `${problem} (try ${tries} of ${maximumTries})`);
    }
  };
}

type Attempt = { reply: Reply } | { problem: string; final: boolean };

async function tryOnce(url: string, init: RequestInit, maximumBytes: number, timeoutMs: number): Promise<Attempt> {
  try {
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(timeoutMs) });
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of response.body ?? []) {
      size += chunk.length;
      if (size > maximumBytes) return { problem: `${url} holds more than ${maximumBytes} bytes`, final: true };
      chunks.push(chunk);
    }
    return { reply: { status: response.status, headers: response.headers, bytes: Buffer.concat(chunks) } };
  } catch (error) {
    return { problem: `cannot reach ${new URL(url).host}: ${reasonOf(error)}`, final: false };
  }
}

/** How long Retry-After, or else the rate limit's window, asks to wait. */
export function askedWaitMs(headers: Headers): number | undefined {
  const retryAfter = headers.get("retry-after");
  if (retryAfter !== null && /^\d+$/.test(retryAfter)) return Number(retryAfter) * 1000;
  const date = Date.parse(retryAfter ?? "");
  return Number.isNaN(date) ? msUntilReset(headers) : Math.max(0, date - otherSidesNow(headers));
}

export function msUntilReset(headers: Headers): number | undefined {
  const reset = Number(headers.get("x-ratelimit-reset"));
  return reset > 0 ? Math.max(0, reset * 1000 - otherSidesNow(headers)) : undefined;
}

/** The moments in the headers are of the other side's clock, which may differ from ours. */
function otherSidesNow(headers: Headers): number {
  const date = Date.parse(headers.get("date") ?? "");
  return Number.isNaN(date) ? Date.now() : date;
}

/** Doubles each time; the random part keeps many agents from coming back at the same moment. */
function pauseMs(count: number): number {
  return firstPauseMs * 2 ** (count - 1) * (0.75 + Math.random() / 2);
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error && error.cause.message !== "" ? error.cause.message : error.message;
}
