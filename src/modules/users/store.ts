import sql from "sql-template-tag";
import { activeKeys } from "../../access/api-key.js";
import type { Queryable } from "../../platform/database/db.js";
import { ServiceError } from "../../platform/errors.js";

export type User = { id: string; email: string; name: string; platform_admin: boolean };

export async function createUser(db: Queryable, user: Omit<User, "id">): Promise<User> {
  const [row] = await db.query<User>(sql`
    insert into users (email, name, platform_admin) values (${user.email}, ${user.name}, ${user.platform_admin})
    on conflict (lower(email)) do nothing
    returning id, email, name, platform_admin`);
  if (row === undefined) throw new ServiceError("conflict", `a user with the e-mail ${user.email} already exists`);
  return row;
}

export async function getUserByEmail(db: Queryable, email: string): Promise<User> {
  const [row] = await db.query<User>(
    sql`select id, email, name, platform_admin from users where lower(email) = lower(${email})`,
  );
  if (row === undefined) throw new ServiceError("not_found", `no user has the e-mail ${email}`);
  return row;
}

export type ListedUser = User & { organizations: { slug: string; role: string }[]; keys: number };

/** Everyone, with their organizations and the number of their keys that work. */
export function listUsers(db: Queryable): Promise<ListedUser[]> {
  return db.query<ListedUser>(sql`
    select u.id, u.email, u.name, u.platform_admin,
      coalesce((select json_agg(json_build_object('slug', o.slug, 'role', m.role) order by o.slug)
        from members m join organizations o on o.id = m.organization_id where m.user_id = u.id), '[]') as organizations,
      (select count(*) from ${activeKeys} k where k.created_by = u.id)::int as keys
    from users u order by lower(u.email)`);
}
