import { randomUUID } from "node:crypto";
import sql from "sql-template-tag";
import type { ShownInvitation } from "../../contract/console/account.js";
import type { Invitation } from "../../contract/console/organization.js";
import { fieldError, ServiceError } from "../../contract/errors.js";
import { type Role, roleAtLeast } from "../../contract/roles.js";
import { accountHolder } from "../access/caller.js";
import type { Database, Queryable } from "../infra/database/db.js";
import { findMemberRole } from "../modules/organizations/store.js";
import { findShownInvitation, lockInvitation, markAccepted } from "../modules/users/invitation-store.js";
import { hashOfLinkToken } from "../modules/users/link-token.js";
import { createUser, findUserByEmail, type User } from "../modules/users/store.js";
import { recordedChange } from "../records/recorded-change.js";
import { hashPassword } from "./password-hashes.js";
import { checkNewPassword, savePasswordHash } from "./passwords.js";

export async function getInvitation(db: Queryable, token: string, baseUrl: string): Promise<ShownInvitation> {
  const hash = hashOfLinkToken(token);
  const invitation = hash === undefined ? undefined : await findShownInvitation(db, hash, baseUrl);
  if (invitation === undefined) throw notOpen();
  return invitation;
}

/** What somebody new gives. */
type NewAccount = { name?: string | undefined; password?: string | undefined };

export type Accepted = { userId: string; organizationId: string | null; role: Role | null; isNew: boolean };

/**
 * Accepts an invitation once. Somebody new gives a name and a password; somebody known must be signed in, because whoever
 * invites sees the link too and must not be able to act as them.
 */
export async function acceptInvitation(
  db: Database,
  token: string,
  given: NewAccount,
  signedInUserId: string | undefined,
): Promise<Accepted> {
  const tokenHash = hashOfLinkToken(token);
  const shown = await getInvitation(db, token, "");
  if (tokenHash === undefined) throw notOpen();
  const known = await findUserByEmail(db, shown.email);
  const passwordHash = known === undefined ? await hashNewPassword(given, shown.email) : undefined;
  const userId = known?.id ?? randomUUID();
  const { result } = await recordedChange(db, accountHolder(userId), async (tx) => {
    const invitation = await lockInvitation(tx, tokenHash);
    if (invitation === undefined) throw notOpen();
    const user = await findUserByEmail(tx, invitation.email);
    if (user?.id !== known?.id) {
      throw new ServiceError("conflict", "This account was changed at this moment: try again");
    }
    if (user !== undefined && user.id !== signedInUserId) throw signInFirst(user);
    if (passwordHash !== undefined) {
      const { email, by_operator: email_verified } = invitation;
      await createUser(tx, { id: userId, email, name: given.name ?? "", platform_admin: false, email_verified });
      await savePasswordHash(tx, userId, passwordHash);
    }
    const role = await grant(tx, invitation, userId);
    await markAccepted(tx, invitation.id);
    const { organization_id, platform_admin } = invitation;
    return {
      result: { userId, organizationId: organization_id, role, isNew: passwordHash !== undefined },
      record: {
        tool: "console:accept_invitation",
        organization_id,
        request: { invitation_id: invitation.id },
        after: { user_id: userId, role, ...(platform_admin ? { platform_admin } : {}) },
      },
    };
  });
  return result;
}

async function hashNewPassword({ name, password }: NewAccount, email: string): Promise<string> {
  if (name === undefined) throw fieldError("name", "expected your name");
  if (password === undefined) throw fieldError("password", "expected a password for your new account");
  checkNewPassword(password, email);
  return hashPassword(password);
}

/** Adds what the invitation is for and returns the role that the person has then: one that is higher already stays. */
async function grant(tx: Queryable, invitation: Invitation, userId: string): Promise<Role | null> {
  if (invitation.platform_admin) await tx.query(sql`update users set platform_admin = true where id = ${userId}`);
  const { organization_id, role } = invitation;
  if (organization_id === null || role === null) return null;
  const current = await findMemberRole(tx, organization_id, userId);
  if (current !== undefined && roleAtLeast(current, role)) return current;
  await tx.query(sql`
    insert into members (organization_id, user_id, role) values (${organization_id}, ${userId}, ${role})
    on conflict (organization_id, user_id) do update set role = excluded.role`);
  return role;
}

function signInFirst(user: User): ServiceError {
  return new ServiceError(
    "unauthorized",
    `This invitation is for ${user.email}, who has an account: sign in as ${user.email}, then open the link again. Without a password, request one with "Forgot your password?"`,
  );
}

function notOpen(): ServiceError {
  return new ServiceError(
    "not_found",
    "This invitation does not exist, was used or withdrawn, or has expired. Ask whoever invited you for another",
  );
}
