import type { FastifyReply } from "fastify";
import { authenticate, type FindCaller } from "../access/api-key.js";
import type { Caller } from "../access/caller.js";
import type { LastUsed } from "../access/last-used.js";
import type { Scope } from "../access/scopes.js";
import { ServiceError } from "../platform/errors.js";
import { type RateLimiter, windowSeconds } from "../platform/rate-limit.js";

/** Key, then rate limit: the checks that every door with a key begins with, in this order. */
export type Gate = {
  findCaller: FindCaller;
  lastUsed: LastUsed;
};

export async function enter(
  gate: Gate,
  limiter: RateLimiter,
  authorization: string | undefined,
  reply: FastifyReply,
): Promise<Caller> {
  const caller = await authenticate(authorization, gate.findCaller);
  await admit(gate, limiter, caller, caller.keyId, reply);
  return caller;
}

/** The second half of `enter`, for a door that counts by something else than keys. */
export async function admit(
  gate: Gate,
  limiter: RateLimiter,
  caller: Caller,
  countedAs: string,
  reply: FastifyReply,
): Promise<void> {
  gate.lastUsed.note(caller.keyId, caller.lastUsedAt);
  const verdict = await limiter.consume(countedAs);
  reply.header("x-ratelimit-limit", verdict.limit);
  reply.header("x-ratelimit-remaining", verdict.remaining);
  reply.header("x-ratelimit-reset", verdict.resetAtSeconds);
  if (!verdict.allowed) {
    throw new ServiceError(
      "rate_limited",
      `Rate limit exceeded: ${verdict.limit} requests in ${windowSeconds} seconds. Try again in ${verdict.retryAfterSeconds} s`,
      {
        headers: { "retry-after": String(verdict.retryAfterSeconds) },
        details: { retry_after_seconds: verdict.retryAfterSeconds },
      },
    );
  }
}

export function requireScope(caller: Caller, scope: Scope | null): void {
  if (scope === null || caller.tier !== "organization" || caller.scopes.includes(scope)) return;
  throw new ServiceError("forbidden", `This key lacks the scope ${scope}. Make a key that has it`);
}
