import { hash } from "node:crypto";
import sql from "sql-template-tag";
import type { Queryable } from "../platform/db.js";
import { ServiceError } from "../platform/errors.js";
import { gather } from "../platform/gather.js";
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
    const rows = await db.query<CallerRow & { place: number }>(
      sql`
      select asked.place, ${callerColumns}
      from unnest(${keyHashes}::bytea[]) with ordinality asked (key_hash, place)
      join ${liveKeys} caller on caller.key_hash = asked.key_hash`,
      "find callers",
    );
    const callers: (Caller | undefined)[] = [];
    for (const row of rows) callers[row.place - 1] = callerOf(row);
    return callers;
  });
}

export function nameOfHash(keyHash: Buffer): string {
  return keyHash.toString("latin1");
}

/** The keys that open doors at this moment, with the role that an organization gives to the maker of its key. */
export const liveKeys = sql`(
  select k.*, m.role from api_keys k
  left join members m on m.organization_id = k.organization_id and m.user_id = k.created_by
  where k.revoked_at is null and (k.expires_at is null or k.expires_at > now()))`;

/** What `callerOf` reads, from `liveKeys` by the name of caller. */
export const callerColumns = sql`
  caller.id as key_id, caller.name as key_name, caller.created_by, caller.expires_at, caller.last_used_at,
  caller.conference_id, caller.organization_id, caller.scopes, caller.role`;

export type CallerRow = {
  key_id: string;
  key_name: string;
  created_by: string | null;
  expires_at: Date | null;
  last_used_at: Date | null;
  conference_id: string | null;
  organization_id: string | null;
  scopes: Scope[] | null;
  role: Role | null;
};

/** Undefined for an organization's key whose maker has left it. */
export function callerOf(row: CallerRow): Caller | undefined {
  const facts = {
    keyId: row.key_id,
    keyName: row.key_name,
    userId: row.created_by,
    expiresAt: row.expires_at,
    lastUsedAt: row.last_used_at,
  };
  if (row.conference_id !== null) return { ...facts, tier: "conference", conferenceId: row.conference_id };
  if (row.organization_id === null) return { ...facts, tier: "super-admin" };
  if (row.role === null || row.created_by === null) return undefined;
  return {
    ...facts,
    tier: "organization",
    organizationId: row.organization_id,
    userId: row.created_by,
    scopes: row.scopes ?? [],
    role: row.role,
  };
}
