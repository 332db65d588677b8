import type { Actor } from "../access/caller.js";
import type { Queryable, Session } from "../infra/database/db.js";
import { markEmailVerified } from "../modules/users/store.js";
import { recordedChange } from "../records/recorded-change.js";
import { hashPassword } from "./password-hashes.js";
import { checkNewPassword } from "./password-rules.js";
import { savePasswordHash } from "./password-store.js";
import { deleteSessions } from "./session-store.js";
import { type EndedUnverified, endUnverified, lockVerifiedAt } from "./unverified-account.js";

/** The rest is there if the password has verified the address. */
export type PasswordChange = { user_id: string; email: string; sessions_ended: number } & Partial<EndedUnverified>;

export type NewPassword = {
  password: string;
  /** Where the password was given, for errors. */
  field?: string;
  /** What the change is recorded as. */
  tool: string;
  /** The session that stays. */
  keepSession?: string;
  /** The password came through a link that was mailed, or from an operator. */
  verifiesEmail?: true;
};

/** Sets a person's password and ends their other sessions, in one recorded change. `getUser` runs in its transaction. */
export async function setPassword(
  db: Session,
  actor: Actor,
  getUser: (tx: Queryable) => Promise<{ id: string; email: string }>,
  { password, field, tool, keepSession, verifiesEmail }: NewPassword,
): Promise<PasswordChange> {
  // Hashed before the transaction, which would hold a connection meanwhile.
  const passwordHash = await hashPassword(password);
  const { result } = await recordedChange(db, actor, async (tx) => {
    const user = await getUser(tx);
    checkNewPassword(password, user.email, field);
    await savePasswordHash(tx, user.id, passwordHash);
    const ended = {
      sessions_ended: await deleteSessions(tx, user.id, keepSession),
      ...(verifiesEmail ? await verifyAddress(tx, actor, user.id) : {}),
    };
    const change = { user_id: user.id, email: user.email, ...ended };
    return { result: change, record: { tool, request: { user_id: user.id }, result: ended } };
  });
  return result;
}

/** Ends the same as the first sign-in with OpenID Connect, if nobody had verified the address. */
async function verifyAddress(tx: Queryable, actor: Actor, userId: string): Promise<Partial<EndedUnverified>> {
  if ((await lockVerifiedAt(tx, userId)) !== null) return {};
  await markEmailVerified(tx, userId);
  return endUnverified(tx, actor, userId, null);
}
