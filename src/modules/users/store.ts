import sql, { type Sql } from "sql-template-tag";
import type { personFilters } from "../../../contract/console/admin.js";
import { ServiceError } from "../../../contract/errors.js";
import type { Role } from "../../../contract/roles.js";
import type { Warning } from "../../../contract/warnings.js";
import { activeKeys } from "../../access/api-key.js";
import type { Queryable } from "../../infra/database/db.js";
import { comesAfterIn, type Position } from "../../infra/database/keyset-page.js";
import { firstMatches, matchesBeginnings } from "../../infra/database/text-search.js";
import { type Conditions, type FilterValues, filterConditions } from "../../schema/filters.js";

export type User = { id: string; email: string; name: string; platform_admin: boolean };

type NewUser = Omit<User, "id"> & { id?: string; email_verified: boolean };

export async function createUser(db: Queryable, user: NewUser): Promise<User> {
  const [row] = await db.query<User>(sql`
    insert into users (id, email, name, platform_admin, email_verified_at)
    values (coalesce(${user.id ?? null}::uuid, gen_random_uuid()), ${user.email}, ${user.name}, ${user.platform_admin},
      case when ${user.email_verified} then now() end)
    on conflict (lower(email)) do nothing
    returning id, email, name, platform_admin`);
  if (row === undefined) throw new ServiceError("conflict", `a user with the e-mail ${user.email} already exists`);
  return row;
}

export async function findUserByEmail(db: Queryable, email: string): Promise<User | undefined> {
  const [row] = await db.query<User>(
    sql`select id, email, name, platform_admin from users where lower(email) = lower(${email})`,
  );
  return row;
}

export async function getUserByEmail(db: Queryable, email: string): Promise<User> {
  const user = await findUserByEmail(db, email);
  if (user === undefined) throw new ServiceError("not_found", `no user has the e-mail ${email}`);
  return user;
}

/** Notes that the person who uses the account has its address, the first time. */
export async function markEmailVerified(tx: Queryable, id: string): Promise<void> {
  await tx.query(sql`update users set email_verified_at = now() where id = ${id} and email_verified_at is null`);
}

/** Somebody else has seen the link with which the password was set. */
export async function markEmailUnverified(tx: Queryable, id: string): Promise<void> {
  await tx.query(sql`update users set email_verified_at = null where id = ${id}`);
}

/** Whether a password opens the account although nobody has verified its address: it may be known to an inviter, or to whoever made a link for it. */
export async function hasUnverifiedAddress(db: Queryable, id: string): Promise<boolean> {
  const [row] = await db.query<{ unverified: boolean }>(sql`select has_unverified_address(${id}) as unverified`);
  return row?.unverified === true;
}

/** The same for the account of an address, if there is one. */
export async function isUnverifiedAccount(db: Queryable, email: string): Promise<boolean> {
  const user = await findUserByEmail(db, email);
  return user !== undefined && hasUnverifiedAddress(db, user.id);
}

/** Renames a person and returns the name before. */
export async function renameUser(tx: Queryable, id: string, name: string): Promise<string> {
  const [row] = await tx.query<{ before: string }>(sql`
    update users u set name = ${name} from (select id, name from users where id = ${id} for update) old
    where u.id = old.id returning old.name as before`);
  if (row === undefined) throw new ServiceError("not_found", "this account no longer exists");
  return row.before;
}

export async function findUser(db: Queryable, id: string): Promise<User | undefined> {
  const [row] = await db.query<User>(sql`select id, email, name, platform_admin from users where id = ${id}`);
  return row;
}

export async function getUser(db: Queryable, id: string): Promise<User> {
  const user = await findUser(db, id);
  if (user === undefined) throw new ServiceError("not_found", `No person has the id ${id}`);
  return user;
}

/** Platform administrators other than this person. */
export async function countOtherAdmins(db: Queryable, id: string): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    sql`select count(*)::int as count from users where platform_admin and id <> ${id}`,
  );
  return row?.count ?? 0;
}

type ListedUser = User & { unverified: boolean; organizations: { slug: string; role: string }[]; keys: number };

/** Everyone, with their organizations and the number of their keys that work. */
export function listUsers(db: Queryable): Promise<ListedUser[]> {
  return db.query<ListedUser>(sql`
    select u.id, u.email, u.name, u.platform_admin, has_unverified_address(u.id) as unverified,
      coalesce((select json_agg(json_build_object('slug', o.slug, 'role', m.role) order by o.slug)
        from members m join organizations o on o.id = m.organization_id where m.user_id = u.id), '[]') as organizations,
      (select count(*) from ${activeKeys} k where k.created_by = u.id)::int as keys
    from users u order by lower(u.email)`);
}

/** For the removal of a person: an invitation names its e-mail address. */
export async function deleteInvitationsOf(tx: Queryable, email: string): Promise<number> {
  const rows = await tx.query(sql`delete from invitations where lower(email) = lower(${email}) returning id`);
  return rows.length;
}

/** For rights that go to an account which somebody other than the owner of its address may use. */
export function addressUnverified(email: string, path: string): Warning {
  const message = `Nobody has verified that ${email} belongs to the person who uses this account: somebody else has seen the link with which the password was set. Let them sign in with OpenID Connect or use "Forgot your password?" first`;
  return { code: "address_unverified", message, path };
}

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

const matchesPerson = (q: string) => matchesBeginnings(sql`search_text(u.email || ' ' || u.name)`, q);

/** Conditions on a row u of users. */
const conditions: Conditions<typeof personFilters> = {
  q: matchesPerson,
  id: (id) => sql`u.id = ${id}`,
  platform_admin: () => sql`u.platform_admin`,
};

/** Everyone, by e-mail address. When a person was last there is known as long as a session of theirs is. */
export function selectPeople(filters: FilterValues<typeof personFilters>, after: Position | null, limit: number): Sql {
  const { q, ...exact } = filters;
  const later = comesAfterIn("asc", sql`lower(u.email)`, after, ["text"]);
  const others = sql`${filterConditions(conditions, exact)} and ${later}`;
  const [columns, order] = [sql`u.*`, sql`lower(u.email)`];
  const found =
    q === undefined
      ? sql`(select ${columns} from users u where ${others} order by ${order} limit ${limit})`
      : firstMatches({ table: sql`users`, row: sql`u`, columns, matches: matchesPerson(q), others, order }, limit);
  return sql`
    select row_to_json(item)::text as item, array[lower(u.email)] as position
    from ${found} u,
    lateral (
      select u.id, u.name, u.email, u.platform_admin, has_unverified_address(u.id) as unverified, iso8601(u.created_at) as created_at,
        (select iso8601(max(s.last_used_at)) from sessions s where s.user_id = u.id) as last_seen_at,
        (select count(*) from ${activeKeys} k where k.created_by = u.id)::int as keys,
        (select coalesce(json_agg(membership), '[]') from (
          select o.id, o.name, o.slug, m.role from members m join organizations o on o.id = m.organization_id
          where m.user_id = u.id order by lower(o.name), o.id) membership) as organizations) item
    order by lower(u.email)`;
}
