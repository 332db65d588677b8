import sql from "sql-template-tag";
import { ServiceError } from "../../../contract/errors.js";
import { activeKeys } from "../../access/api-key.js";
import type { Queryable } from "../../infra/database/db.js";

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

/** Whether a password opens the account although nobody has verified its address: it may be an inviter's. */
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

export type ListedUser = User & { unverified: boolean; organizations: { slug: string; role: string }[]; keys: number };

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
