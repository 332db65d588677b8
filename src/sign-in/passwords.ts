import sql from "sql-template-tag";
import { fieldError } from "../../contract/errors.js";
import { newPassword } from "../../contract/schema/users.js";
import type { Actor } from "../access/caller.js";
import type { Queryable, Session } from "../infra/database/db.js";
import { markEmailUnverified, markEmailVerified } from "../modules/users/store.js";
import { recordedChange } from "../records/recorded-change.js";
import { hashPassword } from "./password-hashes.js";
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
  /** Whether the password came through a link that was mailed, or from an operator; false if somebody else has seen the link. */
  verifiesEmail?: boolean;
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
    if (verifiesEmail === false) await markEmailUnverified(tx, user.id);
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

/** Passwords that guessers try first, of the allowed length, without digits at the end. */
const common = new Set([
  ...["password", "passwort", "passw0rd", "password!", "letmein", "welcome", "qwertyuiop", "qwerty", "iloveyou"],
  ...["administrator", "admin", "changeme", "correcthorsebatterystaple", "trustno", "football", "superman"],
]);

/** Refuses a password that is easy to guess for somebody who knows the person's e-mail address. */
export function checkNewPassword(password: string, email: string, field = "password"): void {
  const parsed = newPassword.safeParse(password);
  if (!parsed.success) throw fieldError(field, parsed.error.issues[0]?.message ?? "expected another password");
  const folded = password.normalize("NFKC").toLowerCase();
  const address = email.toLowerCase();
  const withoutEnd = folded.replace(/[\d!.?_-]+$/, "");
  if (folded.includes(address) || address.split("@")[0] === withoutEnd) {
    throw fieldError(field, "expected a password that is not the e-mail address");
  }
  if (new Set(folded).size < 4 || isSequence(folded) || common.has(folded) || common.has(withoutEnd)) {
    throw fieldError(field, "this password is easy to guess: choose another, such as several unrelated words");
  }
}

/** "1234567890", "abcdefghij" and the like, in either direction. */
function isSequence(text: string): boolean {
  const steps = [...text].map((character, index) => character.charCodeAt(0) - text.charCodeAt(index - 1)).slice(1);
  return (
    steps.filter((step) => step === 1).length >= text.length - 2 ||
    steps.filter((step) => step === -1).length >= text.length - 2
  );
}

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
