import sql from "sql-template-tag";
import type { Queryable } from "../../platform/db.js";
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
