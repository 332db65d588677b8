import { hash } from "node:crypto";
import sql from "sql-template-tag";
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

/** Who sends this Authorization header. One look-up per request: revocation and roles take effect with the next one. */
export async function authenticate(db: Queryable, authorization: string | undefined): Promise<Caller> {
  const key = bearerPattern.exec(authorization ?? "")?.[1];
  const caller = key !== undefined && keyPattern.test(key) ? await findCaller(db, hashOf(key)) : undefined;
  if (caller === undefined) {
    const problem = key === undefined ? "" : ', error="invalid_token"';
    throw new ServiceError("unauthorized", "Invalid or expired API key", {
      headers: { "www-authenticate": `Bearer realm="svc"${problem}` },
    });
  }
  return caller;
}

/** Makes the raw key. It is shown once; only its hash and its first characters are stored. */
export function generateKey(): { key: string; hash: Buffer; prefix: string } {
  const key = keyPrefix + randomToken();
  return { key, hash: hashOf(key), prefix: key.slice(0, 12) };
}

function hashOf(key: string): Buffer {
  return hash("sha256", key, "buffer");
}

type KeyRow = {
  id: string;
  name: string;
  conference_id: string | null;
  organization_id: string | null;
  scopes: Scope[] | null;
  created_by: string | null;
  expires_at: Date | null;
  last_used_at: Date | null;
  role: Role | null;
};

async function findCaller(db: Queryable, keyHash: Buffer): Promise<Caller | undefined> {
  const [row] = await db.query<KeyRow>(
    sql`
    select k.id, k.name, k.conference_id, k.organization_id, k.scopes, k.created_by, k.expires_at, k.last_used_at, m.role
    from api_keys k
    left join members m on m.organization_id = k.organization_id and m.user_id = k.created_by
    where k.key_hash = ${keyHash} and k.revoked_at is null and (k.expires_at is null or k.expires_at > now())`,
    "find caller",
  );
  return row === undefined ? undefined : callerOf(row);
}

function callerOf(row: KeyRow): Caller | undefined {
  const facts = {
    keyId: row.id,
    keyName: row.name,
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
