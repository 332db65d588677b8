import { ServiceError } from "../../contract/errors.js";
import { type Role, roleAtLeast } from "../../contract/roles.js";
import { hasScope, type RequiredScope, scopeText } from "../../contract/scopes.js";
import { type Observation, observe } from "../infra/observability/observation.js";
import { type RateLimiter, type RateLimitResult, windowSeconds } from "../infra/rate-limit.js";
import { authenticate, type SecretHash } from "./api-key.js";
import type { BearerCaller, Caller, KeyCaller } from "./caller.js";
import type { KeyLookups } from "./key-lookups.js";
import type { LastUsed } from "./last-used.js";

/** What checking a key needs, on every endpoint. */
export type KeyChecks = { lookups: KeyLookups; lastUsed: LastUsed };

/** The part of a reply that rate-limit headers are written to, and what is noted about its request. */
type ObservedReply = { header(name: string, value: number): unknown; request: { observation: Observation } };

/**
 * Key, then rate limit: every authenticated endpoint starts with these two, in this order. `onKey` is called with the hash of
 * the key before it is looked up.
 */
export async function checkKeyAndLimit(
  checks: KeyChecks,
  limiter: RateLimiter,
  authorization: string | undefined,
  reply: ObservedReply,
  onKey?: (keyHash: SecretHash) => void,
): Promise<KeyCaller> {
  const { observation } = reply.request;
  const caller = await authenticate(authorization, (keyHash) => {
    onKey?.(keyHash);
    return observe(observation, "database", "look up keys", () => checks.lookups.findCaller(keyHash));
  });
  const counting = countRequest(checks, limiter, caller, caller.via.keyId, reply);
  if (counting !== undefined) await counting;
  return caller;
}

/** The id of the key or connected app. */
export function credentialId({ via }: BearerCaller): string {
  return via.kind === "key" ? via.keyId : via.appId;
}

/**
 * Counts the request against the window of `countedAs`, which is the key or app except where an endpoint counts otherwise. Without a
 * promise where nothing has to be waited for: this runs for every request.
 */
export function countRequest(
  checks: KeyChecks,
  limiter: RateLimiter,
  caller: BearerCaller,
  countedAs: string,
  reply: ObservedReply,
): Promise<void> | undefined {
  const { observation } = reply.request;
  const id = credentialId(caller);
  if (caller.via.kind === "key") observation.keyId = id;
  else observation.appId = id;
  if (caller.tier === "organization") observation.organizationId = caller.organizationId;
  checks.lastUsed.note(id, caller.via.lastUsedAt);
  const verdict = limiter.consume(countedAs);
  if (verdict instanceof Promise) return verdict.then((later) => applyLimit(later, reply));
  applyLimit(verdict, reply);
  return undefined;
}

function applyLimit(verdict: RateLimitResult, reply: ObservedReply): void {
  reply.header("x-ratelimit-limit", verdict.limit);
  reply.header("x-ratelimit-remaining", verdict.remaining);
  reply.header("x-ratelimit-reset", verdict.resetAtSeconds);
  if (verdict.allowed) return;
  reply.request.observation.rateLimited = true;
  throw new ServiceError(
    "rate_limited",
    `Rate limit exceeded: ${verdict.limit} requests in ${windowSeconds} seconds. Try again in ${verdict.retryAfterSeconds} s`,
    { retryAfterSeconds: verdict.retryAfterSeconds },
  );
}

/** The live role of the key's user: it changes what the key may do with the next request. Other tiers have no role. */
export function requireRole(caller: Caller, role: Role): void {
  if (caller.tier !== "organization" || roleAtLeast(caller.role, role)) return;
  throw new ServiceError(
    "forbidden",
    `This requires the role ${role}, and the user of this key has the role ${caller.role} in the organization`,
  );
}

export function requireScope(caller: Caller, required: RequiredScope | null): void {
  if (required === null || caller.tier !== "organization" || hasScope(required, caller.scopes)) return;
  throw new ServiceError("forbidden", `This key lacks the scope ${scopeText(required)}. Create a key that has it`);
}
