import sql from "sql-template-tag";
import type { LinkProblem } from "../../contract/oidc-problems.js";
import { type Actor, accountHolder } from "../access/caller.js";
import type { Database, Queryable } from "../infra/database/db.js";
import { findUserByEmail, getUserByEmail, markEmailVerified } from "../modules/users/store.js";
import { recordedChange } from "../records/recorded-change.js";
import type { OidcIdentity } from "./oidc-issuer.js";
import { deleteSessions } from "./session-store.js";
import { endUnverified, lockVerifiedAt } from "./unverified-account.js";

/** The person whom an identity at an issuer is linked with, or is now, by an address that the issuer has verified. */
export async function findLinkedUser(
  db: Database,
  issuer: string,
  { subject, email }: OidcIdentity,
): Promise<{ userId: string } | { problem: LinkProblem }> {
  const [linked] = await db.query<{ user_id: string }>(
    sql`select user_id from accounts where provider_id = ${issuer} and account_id = ${subject}`,
  );
  if (linked !== undefined) return { userId: linked.user_id };
  if (email === undefined) return { problem: "oidc_unverified" };
  const user = await findUserByEmail(db, email);
  if (user === undefined || !isSameAddress(user.email, email)) return { problem: "oidc_unknown" };
  const isLinked = await linkAccount(db, user.id, issuer, subject);
  return isLinked ? { userId: user.id } : { problem: "oidc_other_account" };
}

/** Equal apart from the case of A to Z: the database may take other letters for the same, such as K and the Kelvin sign. */
function isSameAddress(one: string, other: string): boolean {
  const folded = (address: string) => address.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
  return folded(one) === folded(other);
}

/**
 * Links an identity whose address the issuer has verified; false if the person is linked with another of the same issuer,
 * because the address may have been given to somebody else since. What was made while nobody had verified the address may be
 * an inviter's: a password, sessions, API keys that no operator made, invitations and offers of events from then end.
 */
function linkAccount(db: Database, userId: string, issuer: string, subject: string): Promise<boolean> {
  const actor = accountHolder(userId);
  return recordedChange(db, actor, async (tx) => {
    const verifiedAt = await lockVerifiedAt(tx, userId);
    const others = await tx.query<{ account_id: string }>(
      sql`select account_id from accounts where user_id = ${userId} and provider_id = ${issuer}`,
    );
    const isSame = others.some(({ account_id }) => account_id === subject);
    if (verifiedAt === undefined || others.length > 0) return { result: isSame, record: null };
    await tx.query(
      sql`insert into accounts (user_id, provider_id, account_id) values (${userId}, ${issuer}, ${subject})`,
    );
    const ended = {
      sessions_ended: verifiedAt === null ? await endUnverifiedSignIn(tx, userId) : 0,
      ...(await endUnverified(tx, actor, userId, verifiedAt)),
    };
    const request = { user_id: userId, issuer };
    return { result: true, record: { tool: "console:link_account", request, result: ended } };
  }).then(({ result }) => result);
}

/** Returns the number of sessions that end with the password. */
async function endUnverifiedSignIn(tx: Queryable, userId: string): Promise<number> {
  await markEmailVerified(tx, userId);
  await tx.query(sql`delete from accounts where user_id = ${userId} and password_hash is not null`);
  return deleteSessions(tx, userId);
}

export type Unlinked = { email: string; issuers: string[]; sessions_ended: number };

/** Ends the links of a person with identities, and their sessions. */
export async function unlinkAccounts(db: Database, actor: Actor, email: string): Promise<Unlinked> {
  const { result } = await recordedChange(db, actor, async (tx) => {
    const user = await getUserByEmail(tx, email);
    const rows = await tx.query<{ provider_id: string }>(
      sql`delete from accounts where user_id = ${user.id} and password_hash is null returning provider_id`,
    );
    const issuers = rows.map(({ provider_id }) => provider_id);
    if (issuers.length === 0) return { result: { email: user.email, issuers, sessions_ended: 0 }, record: null };
    const ended = { issuers, sessions_ended: await deleteSessions(tx, user.id) };
    const record = { tool: "svc:users unlink", request: { user_id: user.id }, result: ended };
    return { result: { email: user.email, ...ended }, record };
  });
  return result;
}
