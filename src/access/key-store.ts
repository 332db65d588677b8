import sql from "sql-template-tag";
import type { Queryable } from "../platform/db.js";
import { ServiceError } from "../platform/errors.js";
import { generateKey } from "./api-key.js";
import type { Tier } from "./caller.js";
import type { Scope } from "./scopes.js";

export type NewKey = { name: string; lifetimeDays: number | null; createdBy: string | null } & (
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

/** Stores the key's hash and returns the raw key, which cannot be had again. */
export async function createKey(db: Queryable, key: NewKey): Promise<CreatedKey> {
  const secret = generateKey();
  const conferenceId = key.tier === "conference" ? key.conferenceId : null;
  const organizationId = key.tier === "organization" ? key.organizationId : null;
  const scopes = key.tier === "organization" ? key.scopes : null;
  const [row] = await db.query<{ id: string; expires_at: string | null }>(sql`
    insert into api_keys
      (name, key_hash, key_prefix, conference_id, organization_id, scopes, created_by, created_at, expires_at)
    values (
      ${key.name}, ${secret.hash}, ${secret.prefix}, ${conferenceId}, ${organizationId}, ${scopes}, ${key.createdBy},
      now(), now() + ${key.lifetimeDays}::int * interval '1 day')
    returning id, iso8601(expires_at) as expires_at`);
  if (row === undefined) throw new Error("the key was not stored");
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
  state: "active" | "expired" | "revoked" | "inactive";
};

/** All keys, the newest first. A key is inactive when its user has left the organization. */
export async function listKeys(db: Queryable): Promise<ListedKey[]> {
  return db.query<ListedKey>(sql`
    select k.id, k.key_prefix as prefix, k.name,
      case when k.conference_id is not null then 'conference'
           when k.organization_id is not null then 'organization' else 'super-admin' end as tier,
      k.scopes, k.conference_id, c.slug as conference, k.organization_id, o.slug as organization,
      u.email as created_by, iso8601(k.created_at) as created_at, iso8601(k.expires_at) as expires_at,
      iso8601(k.revoked_at) as revoked_at, iso8601(k.last_used_at) as last_used_at,
      case when k.revoked_at is not null then 'revoked'
           when k.expires_at <= now() then 'expired'
           when k.organization_id is not null and m.role is null then 'inactive' else 'active' end as state
    from api_keys k
    left join conferences c on c.id = k.conference_id
    left join organizations o on o.id = k.organization_id
    left join users u on u.id = k.created_by
    left join members m on m.organization_id = k.organization_id and m.user_id = k.created_by
    order by k.created_at desc, k.id`);
}

/** Revoking twice keeps the first moment. */
export async function revokeKey(db: Queryable, id: string): Promise<{ id: string; name: string; revoked_at: string }> {
  const [row] = await db.query<{ id: string; name: string; revoked_at: string }>(sql`
    update api_keys set revoked_at = coalesce(revoked_at, now()) where id = ${id}
    returning id, name, iso8601(revoked_at) as revoked_at`);
  if (row === undefined) throw new ServiceError("not_found", `no key has the id ${id}`);
  return row;
}
