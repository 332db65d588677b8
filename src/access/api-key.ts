import { hash } from "node:crypto";
import sql, { type Sql } from "sql-template-tag";
import { errorTable, ServiceError } from "../../contract/errors.js";
import { mostNoticeDays } from "../../contract/nouns.js";
import type { Role } from "../../contract/roles.js";
import type { Scope } from "../../contract/scopes.js";
import { randomToken } from "../infra/ids.js";
import { keyPrefix, tokenPrefix } from "../infra/secrets.js";
import type { KeyCaller } from "./caller.js";

export const keyPattern = /^svc_mk_[0-9A-Za-z]{43}$/;
const tokenPattern = new RegExp(`^${tokenPrefix}[0-9A-Za-z]{43}$`);
const bearerPattern = /^Bearer +(\S+) *$/i;

/**
 * A SHA-256 as the text of a bytea: it is compared, sent and used as the name of a key, and costs a third of a Buffer.
 */
export type SecretHash = string;

/** Where connected apps may use their tokens, clients learn from a refusal where to get one. */
export type TokenRules = { resourceMetadataUrl: string };

/**
 * What `find` returns for the key in this Authorization header, or for the token where tokens are accepted. It is called for
 * every request: revocations and role changes take effect with the next one.
 */
export async function authenticate<Found>(
  authorization: string | undefined,
  find: (hash: SecretHash, isToken: boolean) => Promise<Found | undefined>,
  tokens?: TokenRules,
): Promise<Found> {
  const secret = bearerPattern.exec(authorization ?? "")?.[1];
  if (secret === undefined) throw unauthorized(false, tokens);
  const isToken = tokenPattern.test(secret);
  if (isToken && tokens === undefined) throw unauthorized(true, tokens, "tokens_not_accepted");
  if (!isToken && !keyPattern.test(secret)) throw unauthorized(true, tokens);
  const found = await find(hashOf(secret), isToken);
  if (found === undefined) throw unauthorized(true, tokens, isToken ? "ended_token" : "invalid");
  return found;
}

const unauthorizedTexts = {
  invalid: errorTable.unauthorized.text,
  ended_token: "Invalid or expired token: connect the app again",
  tokens_not_accepted:
    "This is the token of a connected app, which the MCP endpoint accepts. This endpoint accepts API keys only",
};

function unauthorized(
  isSent: boolean,
  tokens: TokenRules | undefined,
  text: keyof typeof unauthorizedTexts = "invalid",
): ServiceError {
  const problem = isSent ? ', error="invalid_token"' : "";
  const metadata = tokens === undefined ? "" : `, resource_metadata="${tokens.resourceMetadataUrl}"`;
  return new ServiceError("unauthorized", unauthorizedTexts[text], {
    headers: { "www-authenticate": `Bearer realm="svc"${problem}${metadata}` },
  });
}

/** Generates a raw key. Only its hash and its first characters are stored. */
export function generateKey(): { key: string; hash: SecretHash; prefix: string } {
  const key = keyPrefix + randomToken();
  return { key, hash: hashOf(key), prefix: key.slice(0, 12) };
}

export function hashOf(secret: string): SecretHash {
  return `\\x${hash("sha256", secret, "hex")}`;
}

/** The active key with this hash. The limit makes it one index look-up, for any number of keys in a batch. */
export function keyOf(keyHash: Sql): Sql {
  return sql`(select * from ${activeKeys} k where k.key_hash = ${keyHash} limit 1)`;
}

/**
 * All keys with their state and the role of the key's user in its organization. Only an active key authenticates; one
 * is inactive when its user has left the organization.
 */
export const keysWithState = sql`(
  select k.*, m.role,
    case when k.revoked_at is not null then 'revoked'
         when k.expires_at <= now() then 'expired'
         when k.organization_id is not null and m.role is null then 'inactive' else 'active' end as state
  from api_keys k
  left join members m on m.organization_id = k.organization_id and m.user_id = k.created_by)`;

export const activeKeys = sql`(select * from ${keysWithState} k where k.state = 'active')`;

/** As `noticeDaysOf` of the contract computes it. */
const noticeDays = sql`
  least(${mostNoticeDays}, floor(round(extract(epoch from k.expires_at - k.created_at) / 86400) / 2))`;

/** Whether a row k of `keysWithState` stops working within its notice period, and was not replaced. */
export const expiresSoon = sql`
  (k.state = 'active' and k.replaced_at is null and k.expires_at < now() + ${noticeDays} * interval '1 day')`;

/** A row k of `activeKeys` as one value: the driver spends more on nine columns than on their JSON. */
export const activeKeyJson = sql`
  json_build_object(
    'keyId', k.id, 'keyName', k.name, 'userId', k.created_by, 'expiresAt', k.expires_at, 'lastUsedAt', k.last_used_at,
    'conferenceId', k.conference_id, 'organizationId', k.organization_id, 'scopes', k.scopes, 'role', k.role)`;

export type ActiveKey = {
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

export function callerOf(key: ActiveKey): KeyCaller {
  const { userId, conferenceId, organizationId, role, scopes } = key;
  const via = {
    kind: "key" as const,
    keyId: key.keyId,
    keyName: key.keyName,
    expiresAt: dateOf(key.expiresAt),
    lastUsedAt: dateOf(key.lastUsedAt),
  };
  if (conferenceId !== null) return { via, tier: "conference", conferenceId, userId };
  if (organizationId === null) return { via, tier: "super-admin", userId };
  if (role === null || userId === null) throw new Error(`organization key ${key.keyId} is active without a member`);
  return { via, tier: "organization", organizationId, userId, scopes: scopes ?? [], role };
}

function dateOf(text: string | null): Date | null {
  return text === null ? null : new Date(text);
}
