import sql from "sql-template-tag";
import { accountHolder } from "../access/caller.js";
import type { Database, Queryable } from "../infra/database/db.js";
import { getReset } from "../modules/users/reset-links.js";
import { type PasswordChange, setPassword } from "./passwords.js";

/** Sets a new password with a link, which then no longer works, and ends all sessions of the person. */
export async function resetPassword(db: Database, token: string, password: string): Promise<PasswordChange> {
  const { id, createdBy } = await getReset(db, token);
  const getUser = async (tx: Queryable) => {
    // Locked, so that the link works once, and that the person gets no rights elsewhere before the commit.
    await tx.query(sql`select from users where id = ${id} for update`);
    await tx.query(sql`select from password_resets where user_id = ${id} for update`);
    return getReset(tx, token);
  };
  return setPassword(db, accountHolder(id), getUser, {
    password,
    tool: "console:reset_password",
    verifiesEmail: createdBy === null,
  });
}
