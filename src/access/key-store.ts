import sql, { type Sql } from "sql-template-tag";
import { ServiceError } from "../../contract/errors.js";
import { type KeyState, organizationKeyDays, type PlatformKeyTier } from "../../contract/nouns.js";
import type { Scope } from "../../contract/scopes.js";
import type { Queryable } from "../infra/database/db.js";
import { keyPrefix } from "../infra/secrets.js";
import { expiresSoon, generateKey, hashOf, keyPattern, keysWithState } from "./api-key.js";
import type { Tier } from "./caller.js";

/** Organization keys live at most 90 days; keys of the other tiers do not expire unless a lifetime is given. */
export function keyLifetimeDays(tier: Tier, requested: number | undefined): number | null {
  if (tier !== "organization") return requested ?? null;
  if (requested !== undefined && requested > organizationKeyDays) {
    throw new ServiceError("invalid_input", `an organization key lives at most ${organizationKeyDays} days`);
  }
  return requested ?? organizationKeyDays;
}

export type NewKey = { id?: string; name: string; lifetimeDays: number | null; createdBy: string | null } & (
  | { tier: "super-admin" }
  | { tier: "conference"; conferenceId: string }
  | { tier: "organization"; organizationId: string; scopes: Scope[]; createdBy: string }
);

export type CreatedKey = {
  id: string;
  key: string;
  name: string;
  tier: Tier;
  scopes: Scope[] | null;
  conference_id: string | null;
  organization_id: string | null;
  expires_at: string | null;
};

/** Stores the key's hash and returns the raw key, which is not shown again. */
export async function createKey(db: Queryable, key: NewKey): Promise<CreatedKey> {
  const secret = generateKey();
  const conferenceId = key.tier === "conference" ? key.conferenceId : null;
  const organizationId = key.tier === "organization" ? key.organizationId : null;
  const scopes = key.tier === "organization" ? key.scopes : null;
  const [row] = await db.query<{ id: string; expires_at: string | null }>(sql`
    insert into api_keys
      (id, name, key_hash, key_prefix, conference_id, organization_id, scopes, created_by, created_at, expires_at)
    values (
      coalesce(${key.id ?? null}::uuid, gen_random_uuid()), ${key.name}, ${secret.hash}, ${secret.prefix}, ${conferenceId}, ${organizationId}, ${scopes}, ${key.createdBy},
      now(), now() + ${key.lifetimeDays}::int * interval '1 day')
    returning id, iso8601(expires_at) as expires_at`);
  if (row === undefined) throw new Error("inserting a key returned no row");
  return {
    id: row.id,
    key: secret.key,
    name: key.name,
    tier: key.tier,
    scopes,
    conference_id: conferenceId,
    organization_id: organizationId,
    expires_at: row.expires_at,
  };
}

export type ListedKey = {
  id: string;
  prefix: string;
  name: string;
  tier: Tier;
  scopes: Scope[] | null;
  conference_id: string | null;
  conference: string | null;
  organization_id: string | null;
  organization: string | null;
  created_by: string | null;
  created_at: string;
  expires_at: string | null;
  revoked_at: string | null;
  last_used_at: string | null;
  state: KeyState;
};

/** All keys, newest first. */
export async function listKeys(db: Queryable): Promise<ListedKey[]> {
  return db.query<ListedKey>(sql`
    select k.id, k.key_prefix as prefix, k.name,
      case when k.conference_id is not null then 'conference'
           when k.organization_id is not null then 'organization' else 'super-admin' end as tier,
      k.scopes, k.conference_id, c.slug as conference, k.organization_id, o.slug as organization,
      u.email as created_by, iso8601(k.created_at) as created_at, iso8601(k.expires_at) as expires_at,
      iso8601(k.revoked_at) as revoked_at, iso8601(k.last_used_at) as last_used_at, k.state
    from ${keysWithState} k
    left join conferences c on c.id = k.conference_id
    left join organizations o on o.id = k.organization_id
    left join users u on u.id = k.created_by
    order by k.created_at desc, k.id`);
}

export type PlatformKey = Pick<
  ListedKey,
  "id" | "prefix" | "name" | "conference_id" | "conference" | "created_at" | "expires_at" | "last_used_at" | "state"
> & { tier: PlatformKeyTier };

/** The keys of no organization for which the condition on k holds, as a relation; `conference` is the conference's name. */
const platformKeysWhere = (condition: Sql) => sql`(
  select k.id, k.key_prefix as prefix, k.name, case when c.id is null then 'super-admin' else 'conference' end as tier,
    k.conference_id, c.name as conference, iso8601(k.created_at) as created_at, iso8601(k.expires_at) as expires_at,
    iso8601(k.last_used_at) as last_used_at, k.state
  from ${keysWithState} k left join conferences c on c.id = k.conference_id
  where k.organization_id is null and ${condition})`;

export const platformKeys = platformKeysWhere(sql`true`);

export const activePlatformKeys = platformKeysWhere(sql`k.state = 'active'`);

export const expiringPlatformKeys = platformKeysWhere(expiresSoon);

export async function findPlatformKey(db: Queryable, id: string): Promise<PlatformKey | undefined> {
  const [row] = await db.query<PlatformKey>(sql`select k.* from ${platformKeys} k where k.id = ${id}`);
  return row;
}

/**
 * The id of a key, given by its id, by the whole key, or by its first characters if no other key that works begins with
 * them.
 */
export async function findKeyId(db: Queryable, given: string): Promise<string> {
  if (!given.startsWith(keyPrefix)) return given;
  const shown = given.replace(/…$/, "");
  const matches = keyPattern.test(shown)
    ? sql`k.key_hash = ${hashOf(shown)}`
    : sql`starts_with(k.key_prefix, ${shown}) and k.state = 'active'`;
  const found = await db.query<{ id: string; name: string }>(
    sql`select k.id, k.name from ${keysWithState} k where ${matches} order by k.created_at desc limit 6`,
  );
  const [key] = found;
  if (key === undefined) throw new ServiceError("not_found", "no key that works begins with these characters");
  if (found.length === 1) return key.id;
  const candidates = found.map(({ id, name }) => `${id} (${name})`).join(", ");
  throw new ServiceError("conflict", `several keys begin with these characters; use an id instead: ${candidates}`);
}

export type Revocation = {
  id: string;
  name: string;
  organization_id: string | null;
  revoked_at: string;
  /** When it had been revoked before. */
  was_revoked_at: string | null;
};

/** Revokes a key. Revoking it again keeps the first timestamp. */
export async function revokeKey(db: Queryable, id: string): Promise<Revocation> {
  const [row] = await db.query<Revocation>(sql`
    update api_keys k set revoked_at = coalesce(k.revoked_at, now())
    from (select id, revoked_at from api_keys where id = ${id} for update) before where k.id = before.id
    returning k.id, k.name, k.organization_id, iso8601(k.revoked_at) as revoked_at,
      iso8601(before.revoked_at) as was_revoked_at`);
  if (row === undefined) throw new ServiceError("not_found", `no key has the id ${id}`);
  return row;
}
