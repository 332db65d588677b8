import { hash } from "node:crypto";
import sql, { type Sql } from "sql-template-tag";
import { gather } from "../platform/batch-loader.js";
import type { Queryable } from "../platform/db.js";
import { ServiceError } from "../platform/errors.js";
import { randomToken } from "../platform/ids.js";
import type { Caller } from "./caller.js";
import type { Role } from "./roles.js";
import type { Scope } from "./scopes.js";

export const keyPrefix = "svc_mk_";
export const organizationKeyDays = 90;

const keyPattern = /^svc_mk_[0-9A-Za-z]{43}$/;
const bearerPattern = /^Bearer +(\S+) *$/i;

/**
 * What `find` knows of the key in this Authorization header. It is asked at every request: revocation and roles take
 * effect with the next one.
 */
export async function authenticate<Found>(
  authorization: string | undefined,
  find: (keyHash: Buffer) => Promise<Found | undefined>,
): Promise<Found> {
  const key = bearerPattern.exec(authorization ?? "")?.[1];
  const found = key !== undefined && keyPattern.test(key) ? await find(hashOf(key)) : undefined;
  if (found === undefined) {
    const problem = key === undefined ? "" : ', error="invalid_token"';
    throw new ServiceError("unauthorized", "Invalid or expired API key", {
      headers: { "www-authenticate": `Bearer realm="svc"${problem}` },
    });
  }
  return found;
}

/** Makes the raw key. It is shown once; only its hash and its first characters are stored. */
export function generateKey(): { key: string; hash: Buffer; prefix: string } {
  const key = keyPrefix + randomToken();
  return { key, hash: hashOf(key), prefix: key.slice(0, 12) };
}

function hashOf(key: string): Buffer {
  return hash("sha256", key, "buffer");
}

export type FindCaller = (keyHash: Buffer) => Promise<Caller | undefined>;

export function callerFinder(db: Queryable): FindCaller {
  return gather(nameOfHash, async (keyHashes) => {
    const rows = await db.query<{ place: number; caller: KeyFacts }>(selectCallers(keyHashes), "find callers");
    const callers: (Caller | undefined)[] = [];
    for (const { place, caller } of rows) callers[place - 1] = callerOf(caller);
    return callers;
  });
}

export function selectCallers(keyHashes: Buffer[]): Sql {
  return sql`
    select asked.place, ${keyFacts} as caller
    from unnest(${keyHashes}::bytea[]) with ordinality asked (key_hash, place)
    join ${liveKeys} k on k.key_hash = asked.key_hash`;
}

export function nameOfHash(keyHash: Buffer): string {
  return keyHash.toString("latin1");
}

/** The keys that open doors at this moment, with the role that an organization gives to the maker of its key. */
export const liveKeys = sql`(
  select k.*, m.role from api_keys k
  left join members m on m.organization_id = k.organization_id and m.user_id = k.created_by
  where k.revoked_at is null and (k.expires_at is null or k.expires_at > now()))`;

/** Of a row k of `liveKeys`. One value instead of nine columns: a client spends more on each column than on its text. */
export const keyFacts = sql`
  json_build_object(
    'keyId', k.id, 'keyName', k.name, 'userId', k.created_by, 'expiresAt', k.expires_at, 'lastUsedAt', k.last_used_at,
    'conferenceId', k.conference_id, 'organizationId', k.organization_id, 'scopes', k.scopes, 'role', k.role)`;

export type KeyFacts = {
  keyId: string;
  keyName: string;
  userId: string | null;
  expiresAt: string | null;
  lastUsedAt: string | null;
  conferenceId: string | null;
  organizationId: string | null;
  scopes: Scope[] | null;
  role: Role | null;
};

/** Undefined for an organization's key whose maker has left it. */
export function callerOf(facts: KeyFacts): Caller | undefined {
  const { userId, conferenceId, organizationId, role, scopes } = facts;
  // Spread last: before other fields, it costs this runtime fifty times as much.
  const common = {
    keyId: facts.keyId,
    keyName: facts.keyName,
    expiresAt: dateOf(facts.expiresAt),
    lastUsedAt: dateOf(facts.lastUsedAt),
  };
  if (conferenceId !== null) return { tier: "conference", conferenceId, userId, ...common };
  if (organizationId === null) return { tier: "super-admin", userId, ...common };
  if (role === null || userId === null) return undefined;
  return { tier: "organization", organizationId, userId, scopes: scopes ?? [], role, ...common };
}

function dateOf(text: string | null): Date | null {
  return text === null ? null : new Date(text);
}
