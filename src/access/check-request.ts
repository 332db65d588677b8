import sql, { type Sql } from "sql-template-tag";
import { ServiceError } from "../../contract/errors.js";
import { type Role, roleAtLeast } from "../../contract/roles.js";
import { hasScope, type RequiredScope, scopeText } from "../../contract/scopes.js";
import { createBatchLoader, placesIn } from "../infra/database/batch-loader.js";
import type { Queryable } from "../infra/database/db.js";
import { type ReadPoint, readPointColumns } from "../infra/database/read-point.js";
import { type Observation, observe } from "../infra/observability/observation.js";
import { type RateLimiter, type RateLimitResult, windowSeconds } from "../infra/rate-limit.js";
import { type ActiveKey, activeKeyJson, authenticate, callerOf, keyOf, type SecretHash } from "./api-key.js";
import type { BearerCaller, Caller, KeyCaller } from "./caller.js";
import { type PastRead, selectUnchanged } from "./changes.js";
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

export type KeyLookups = {
  findCaller(keyHash: SecretHash): Promise<KeyCaller | undefined>;
  /** The read point of the look-up if an earlier read would give the same there; undefined if that may have changed. */
  findUnchanged(read: PastRead): Promise<ReadPoint | undefined>;
};

/** Looks up keys, and whether earlier reads are still valid, in one statement for a whole event-loop turn. */
export function createKeyLookups(db: Queryable): KeyLookups {
  const load = createBatchLoader(
    (subject) => subject,
    async (subjects: Subject[]): Promise<Found[]> => {
      const keyHashes: SecretHash[] = [];
      const reads: PastRead[] = [];
      for (const subject of subjects) typeof subject === "string" ? keyHashes.push(subject) : reads.push(subject);
      const servers = reads.map(({ readAt }) => readAt.server);
      const [row] = await db.query<LookupRow>(selectLookups(keyHashes, reads), "look up keys");
      if (row === undefined) throw new Error("looking up keys returned no row");
      const readAt = { server: row.server, snapshot: row.snapshot };
      const callers: (KeyCaller | undefined)[] = [];
      for (const [place, key] of row.keys ?? []) callers[place - 1] = callerOf(key);
      const unchanged: (ReadPoint | undefined)[] = [];
      for (const place of row.unchanged ?? []) {
        if (readAt.server !== null && servers[place - 1] === readAt.server) unchanged[place - 1] = readAt;
      }
      let keyIndex = 0;
      let readIndex = 0;
      return subjects.map((subject) => (typeof subject === "string" ? callers[keyIndex++] : unchanged[readIndex++]));
    },
  );
  // Hashes load callers, and earlier reads load read points.
  return {
    findCaller: load as KeyLookups["findCaller"],
    findUnchanged: load as KeyLookups["findUnchanged"],
  };
}

/** The hash of a key, or an earlier read. */
type Subject = SecretHash | PastRead;

type Found = KeyCaller | ReadPoint | undefined;

type LookupRow = { keys: [place: number, key: ActiveKey][] | null; unchanged: number[] | null } & ReadPoint;

/** One row, and JSON instead of arrays: the driver spends more on rows and arrays than the database on JSON. */
export function selectLookups(keyHashes: SecretHash[], reads: PastRead[]): Sql {
  return sql`
    select (
      select json_agg(json_build_array(place, ${activeKeyJson}))
      from (select ${keyHashes}::bytea[] as key_hashes) given, ${placesIn(sql`given.key_hashes`)} place
      join lateral ${keyOf(sql`given.key_hashes[place]`)} k on true) as keys,
      (select json_agg(place) from ${selectUnchanged(reads)}) as unchanged,
      ${readPointColumns}`;
}
