import sql from "sql-template-tag";
import type { Queryable } from "../infra/database/db.js";

const passwordProvider = "credential";

/** Sets or replaces a person's password. Links that would reset it no longer work. */
export async function savePasswordHash(tx: Queryable, userId: string, passwordHash: string): Promise<void> {
  await tx.query(sql`
    insert into accounts (user_id, provider_id, account_id, password_hash)
    values (${userId}, ${passwordProvider}, ${userId}, ${passwordHash})
    on conflict (provider_id, account_id) do update set password_hash = excluded.password_hash, updated_at = now()`);
  await tx.query(sql`delete from password_resets where user_id = ${userId}`);
}

export async function findPasswordHash(db: Queryable, userId: string): Promise<string | undefined> {
  const [row] = await db.query<{ password_hash: string }>(
    sql`select password_hash from accounts where user_id = ${userId} and provider_id = ${passwordProvider}`,
  );
  return row?.password_hash;
}

/** Who signs in with this e-mail address and a password, in any case of the address. */
export async function findPasswordAccount(
  db: Queryable,
  email: string,
): Promise<{ user_id: string; password_hash: string } | undefined> {
  const [row] = await db.query<{ user_id: string; password_hash: string }>(sql`
    select a.user_id, a.password_hash from users u
    join accounts a on a.user_id = u.id and a.provider_id = ${passwordProvider}
    where lower(u.email) = lower(${email})`);
  return row;
}
