import sql, { type Sql } from "sql-template-tag";
import { ServiceError } from "../../contract/errors.js";
import type { KeyState } from "../../contract/nouns.js";
import type { Scope } from "../../contract/scopes.js";
import type { Queryable } from "../infra/database/db.js";
import { expiresSoon, keysWithState } from "./api-key.js";

/** Keys of one organization that work at the same time. */
export const maximumActiveKeys = 100;

/** A key as its organization's tools show it. `created_by` is the user that it acts for, whose address an erasure finds in records. */
export type OrganizationKey = {
  id: string;
  prefix: string;
  name: string;
  scopes: Scope[];
  created_by: string;
  created_by_email: string;
  state: KeyState;
  expires_at: string;
  revoked_at: string | null;
  replaced_at: string | null;
};

const toolColumns = sql`
  k.id, k.key_prefix as prefix, k.name, k.scopes, k.created_by,
  (select email from users where id = k.created_by) as created_by_email, k.state, iso8601(k.expires_at) as expires_at,
  iso8601(k.revoked_at) as revoked_at, iso8601(k.replaced_at) as replaced_at`;

export async function findOrganizationKey(
  db: Queryable,
  organizationId: string,
  id: string,
): Promise<OrganizationKey | undefined> {
  const [row] = await db.query<OrganizationKey>(sql`
    select ${toolColumns} from ${keysWithState} k where k.id = ${id} and k.organization_id = ${organizationId}`);
  return row;
}

/** Keys of other organizations do not exist for the caller. */
export async function getOrganizationKey(db: Queryable, organizationId: string, id: string): Promise<OrganizationKey> {
  const key = await findOrganizationKey(db, organizationId, id);
  if (key === undefined) throw new ServiceError("not_found", `key_id: the organization has no key with the id ${id}`);
  return key;
}

export async function countActiveKeys(db: Queryable, organizationId: string): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`
    select count(*)::int as count from ${keysWithState} k
    where k.organization_id = ${organizationId} and k.state = 'active'`);
  return row?.count ?? 0;
}

/** Marks a key as replaced. One that works is revoked, or expires at `keptUntil` at the latest. */
export async function replaceKey(db: Queryable, id: string, keptUntil: string | null): Promise<void> {
  const ends =
    keptUntil === null
      ? sql`revoked_at = case when expires_at > now() then now() end`
      : sql`expires_at = least(expires_at, ${keptUntil}::timestamptz)`;
  await db.query(sql`update api_keys set replaced_at = now(), ${ends} where id = ${id} and revoked_at is null`);
}

/** Revokes the keys that act for a member of an organization. */
export async function revokeKeysOf(db: Queryable, organizationId: string, userId: string): Promise<void> {
  await db.query(sql`
    update api_keys set revoked_at = now()
    where organization_id = ${organizationId} and created_by = ${userId} and revoked_at is null and expires_at > now()`);
}

/**
 * Whether an operator made a key k for the person that it acts for; false once the record of it was archived. The first condition
 * is that of an index.
 */
const madeByOperator = sql`exists (
  select from mutation_records r
  where r.tool in ('create_platform_key', 'svc:keys create') and r.tool = 'svc:keys create'
    and coalesce(r.after -> 'key' ->> 'id', r.after ->> 'id') = k.id::text)`;

/** Revokes the keys that a person created before a time, or all, in every organization; returns their ids. */
export async function revokeKeysFrom(db: Queryable, userId: string, before: string | null): Promise<string[]> {
  const rows = await db.query<{ id: string }>(sql`
    update api_keys k set revoked_at = now()
    where created_by = ${userId} and revoked_at is null and (expires_at is null or expires_at > now())
      and (${before}::timestamptz is null or created_at < ${before}::timestamptz) and not ${madeByOperator}
    returning id`);
  return rows.map(({ id }) => id);
}

/** The keys of an organization that still work and act for this member. */
export function listActiveKeysOf(
  db: Queryable,
  organizationId: string,
  userId: string,
): Promise<{ id: string; prefix: string; name: string }[]> {
  return db.query(sql`
    select k.id, k.key_prefix as prefix, k.name from ${keysWithState} k
    where k.organization_id = ${organizationId} and k.created_by = ${userId} and k.state = 'active'
    order by k.created_at, k.id`);
}

export type ExpiringKey = { id: string; name: string; expires_at: string };

/** Keys of an organization that stop working within the notice period and were not replaced, the next one first. */
export function listExpiringKeys(db: Queryable, organizationId: string): Promise<ExpiringKey[]> {
  return db.query<ExpiringKey>(sql`
    select k.id, k.name, iso8601(k.expires_at) as expires_at
    from ${keysWithState} k where k.organization_id = ${organizationId} and ${expiresSoon}
    order by k.expires_at, k.id limit ${maximumActiveKeys}`);
}

/** Rounded up: a key with an hour left has one day left. */
const daysLeft = sql`ceil(extract(epoch from k.expires_at - now()) / 86400)::int`;

const shownEndedKeys = 100;

/** The keys of an organization as pages show them. Secrets are not stored, so everybody in the organization may see them. */
const listedKeys = (organizationId: string) => sql`
  select k.id, k.key_prefix as prefix, k.name, k.scopes, k.state, ${expiresSoon} as expires_soon,
    json_build_object('id', u.id, 'name', u.name, 'email', u.email, 'role', k.role) as created_by,
    iso8601(k.created_at) as created_at, iso8601(k.expires_at) as expires_at, iso8601(k.revoked_at) as revoked_at,
    iso8601(k.replaced_at) as replaced_at, iso8601(k.last_used_at) as last_used_at,
    case when k.state = 'active' then ${daysLeft} end as days_left,
    k.created_at as created, coalesce(k.revoked_at, k.expires_at) as ended
  from ${keysWithState} k join users u on u.id = k.created_by
  where k.organization_id = ${organizationId}`;

/** One key as JSON text, also one that ended long ago. */
export async function organizationKeyJson(db: Queryable, organizationId: string, id: string): Promise<string> {
  const [row] = await db.query<{ json: string }>(sql`
    select (to_jsonb(key) - 'created' - 'ended')::text as json from (${listedKeys(organizationId)} and k.id = ${id}) key`);
  if (row === undefined) throw new ServiceError("not_found", `The organization has no key with the id ${id}`);
  return row.json;
}

/** The list of keys as JSON text: all that work, then those that ended last. */
export async function organizationKeysJson(db: Queryable, organizationId: string): Promise<string> {
  const [row] = await db.query<{ json: string }>(sql`
    with listed as (${listedKeys(organizationId)})
    select json_build_object(
      'keys', ${rowsOf(sql`select * from listed where state = 'active' order by created desc, id`)},
      'ended_keys', ${rowsOf(sql`
        select * from listed where state <> 'active' order by ended desc, id limit ${shownEndedKeys}`)},
      'ended_count', (select count(*) from listed where state <> 'active'))::text as json`);
  return row?.json ?? "";
}

function rowsOf(rows: Sql): Sql {
  return sql`(select coalesce(json_agg(to_jsonb(item) - 'created' - 'ended'), '[]') from (${rows}) item)`;
}
