import { ServiceError } from "../platform/errors.js";
import { type Observation, observe } from "../platform/observability/observation.js";
import { type RateLimiter, windowSeconds } from "../platform/rate-limit.js";
import { authenticate, type FindCaller } from "./api-key.js";
import type { Caller, KeyCaller } from "./caller.js";
import type { LastUsed } from "./last-used.js";
import { type Role, roleAtLeast } from "./roles.js";
import type { Scope } from "./scopes.js";

/** What checking a key needs, on every endpoint. */
export type KeyChecks = { findCaller: FindCaller; lastUsed: LastUsed };

/** The part of a reply that rate-limit headers are written to, and what is noted about its request. */
type ObservedReply = { header(name: string, value: number): unknown; request: { observation: Observation } };

/** Key, then rate limit: every authenticated endpoint starts with these two, in this order. */
export async function checkKeyAndLimit(
  checks: KeyChecks,
  limiter: RateLimiter,
  authorization: string | undefined,
  reply: ObservedReply,
): Promise<KeyCaller> {
  const { observation } = reply.request;
  const caller = await authenticate(authorization, (keyHash) =>
    observe(observation, "database", "find callers", () => checks.findCaller(keyHash)),
  );
  await countRequest(checks, limiter, caller, caller.via.keyId, reply);
  return caller;
}

/** Counts the request against the window of `countedAs`, which is the key except where an endpoint counts otherwise. */
export async function countRequest(
  checks: KeyChecks,
  limiter: RateLimiter,
  caller: KeyCaller,
  countedAs: string,
  reply: ObservedReply,
): Promise<void> {
  const { observation } = reply.request;
  observation.keyId = caller.via.keyId;
  if (caller.tier === "organization") observation.organizationId = caller.organizationId;
  checks.lastUsed.note(caller.via.keyId, caller.via.lastUsedAt);
  const verdict = await limiter.consume(countedAs);
  reply.header("x-ratelimit-limit", verdict.limit);
  reply.header("x-ratelimit-remaining", verdict.remaining);
  reply.header("x-ratelimit-reset", verdict.resetAtSeconds);
  if (!verdict.allowed) {
    observation.rateLimited = true;
    throw new ServiceError(
      "rate_limited",
      `Rate limit exceeded: ${verdict.limit} requests in ${windowSeconds} seconds. Try again in ${verdict.retryAfterSeconds} s`,
      { retryAfterSeconds: verdict.retryAfterSeconds },
    );
  }
}

/** The live role of the key's user: it changes what the key may do with the next request. Other tiers have no role. */
export function requireRole(caller: Caller, role: Role): void {
  if (caller.tier !== "organization" || roleAtLeast(caller.role, role)) return;
  throw new ServiceError(
    "forbidden",
    `This requires the role ${role}, and the user of this key has the role ${caller.role} in the organization`,
  );
}

export function requireScope(caller: Caller, scope: Scope | null): void {
  if (scope === null || caller.tier !== "organization" || caller.scopes.includes(scope)) return;
  throw new ServiceError("forbidden", `This key lacks the scope ${scope}. Create a key that has it`);
}
