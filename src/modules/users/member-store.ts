import sql from "sql-template-tag";
import { ServiceError } from "../../../contract/errors.js";
import type { Role } from "../../../contract/roles.js";
import { activeKeys } from "../../access/api-key.js";
import type { Queryable } from "../../infra/database/db.js";

export type Member = { user_id: string; email: string; role: Role };

export async function findMember(
  db: Queryable,
  organizationId: string,
  userId: string,
): Promise<{ member: Member | null; owners: number }> {
  const [row] = await db.query<{ member: Member | null; owners: number }>(sql`
    select
      (select json_build_object('user_id', u.id, 'email', u.email, 'role', m.role)
       from members m join users u on u.id = m.user_id
       where m.organization_id = ${organizationId} and m.user_id = ${userId}) as member,
      (select count(*) from members where organization_id = ${organizationId} and role = 'owner')::int as owners`);
  if (row === undefined) throw new Error("a query without a table returned no row");
  return row;
}

/** Locked, so that the removal of a person at the command line does not take the other owner meanwhile. */
export async function requireOtherOwner(tx: Queryable, organizationId: string, userId: string): Promise<void> {
  const owners = await tx.query<{ user_id: string }>(sql`
    select user_id from members where organization_id = ${organizationId} and role = 'owner'
    order by user_id for update`);
  if (!owners.some(({ user_id }) => user_id !== userId)) throw lastOwner();
}

export function lastOwner(): ServiceError {
  return new ServiceError("conflict", "An organization needs an owner: make somebody else an owner first");
}

export async function saveMemberRole(tx: Queryable, organizationId: string, userId: string, role: Role): Promise<void> {
  await tx.query(
    sql`update members set role = ${role} where organization_id = ${organizationId} and user_id = ${userId}`,
  );
}

export async function deleteMember(tx: Queryable, organizationId: string, userId: string): Promise<void> {
  await tx.query(sql`delete from members where organization_id = ${organizationId} and user_id = ${userId}`);
}

const shownMembers = 1000;

/** The people of an organization as JSON text, owners first; `invitations` is null for those who may not see them. */
export async function membersJson(db: Queryable, organizationId: string, invitations: unknown): Promise<string> {
  const [row] = await db.query<{ json: string }>(sql`
    select json_build_object(
      'members', (select coalesce(json_agg(item), '[]') from (
        select u.id as user_id, u.name, u.email, m.role, coalesce(held.keys, 0) as active_keys,
          has_unverified_address(u.id) as unverified
        from members m join users u on u.id = m.user_id left join (
          select k.created_by, count(*)::int as keys from ${activeKeys} k
          where k.organization_id = ${organizationId} group by k.created_by) held on held.created_by = u.id
        where m.organization_id = ${organizationId}
        order by array_position(array['owner', 'admin', 'member'], m.role), lower(u.name), u.id
        limit ${shownMembers}) item),
      'member_count', (select count(*) from members where organization_id = ${organizationId}),
      'invitations', ${JSON.stringify(invitations)}::json)::text as json`);
  return row?.json ?? "";
}
