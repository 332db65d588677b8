import sql from "sql-template-tag";
import { ServiceError } from "../../contract/errors.js";
import { accountHolder } from "../access/caller.js";
import type { Database, Queryable } from "../infra/database/db.js";
import { createLinkToken, hashOfLinkToken } from "../modules/users/link-token.js";
import { type PasswordChange, setPassword } from "./passwords.js";

export const resetHours = 2;

/** The link with which a person sets a new password once. Links from before no longer work. */
export async function createResetLink(db: Queryable, userId: string, baseUrl: string): Promise<string> {
  const { token, hash } = createLinkToken();
  await db.query(sql`
    insert into password_resets (user_id, token_hash, expires_at)
    values (${userId}, ${hash}, now() + ${resetHours} * interval '1 hour')
    on conflict (user_id) do update
      set token_hash = excluded.token_hash, created_at = now(), expires_at = excluded.expires_at`);
  return `${baseUrl}/reset/${token}`;
}

/** Whose password a link resets. */
export async function getReset(db: Queryable, token: string): Promise<{ id: string; email: string }> {
  const hash = hashOfLinkToken(token);
  const [row] =
    hash === undefined
      ? []
      : await db.query<{ id: string; email: string }>(sql`
          select u.id, u.email from password_resets r join users u on u.id = r.user_id
          where r.token_hash = ${hash} and r.expires_at > now()`);
  if (row === undefined) {
    throw new ServiceError("not_found", "This link does not exist, was used, or has expired. Request another");
  }
  return row;
}

/** Sets a new password with a link, which then no longer works, and ends all sessions of the person. */
export async function resetPassword(db: Database, token: string, password: string): Promise<PasswordChange> {
  const { id } = await getReset(db, token);
  const getUser = async (tx: Queryable) => {
    // Locked, so that the link works once.
    await tx.query(sql`select from password_resets where user_id = ${id} for update`);
    return getReset(tx, token);
  };
  return setPassword(db, accountHolder(id), getUser, { password, tool: "console:reset_password", verifiesEmail: true });
}
