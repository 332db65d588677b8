import sql from "sql-template-tag";
import type { Invitation } from "../../../contract/console/organization.js";
import { fieldError, ServiceError } from "../../../contract/errors.js";
import { type Role, roleAtLeast } from "../../../contract/roles.js";
import { holdRight } from "../../access/hold-right.js";
import type { Queryable } from "../../infra/database/db.js";
import { findMemberRole } from "../organizations/store.js";
import { countOpenInvitations, insertInvitation, withdrawEarlier } from "./invitation-store.js";
import { createLinkToken } from "./link-token.js";
import { findUserByEmail } from "./store.js";

export const invitationDays = 7;
/** To one organization, or to the platform only. */
export const maximumOpenInvitations = 200;

export type NewInvitation = {
  email: string;
  /** Whoever invites: the name is for the person who is invited. An operator at the command line has no account. */
  inviter: { userId: string | null; name: string };
  platformAdmin: boolean;
} & ({ organizationId: string; role: Role } | { organizationId: null; role: null });

/** The invitation and its link, which is not shown again. */
export type CreatedInvitation = Invitation & { link: string };

/**
 * Invites a person to an organization, to administer the platform, or both. An earlier invitation of the same person to the
 * same organization is withdrawn. Runs in the transaction of the change that records it.
 */
export async function createInvitation(
  tx: Queryable,
  baseUrl: string,
  { email, inviter, platformAdmin, organizationId, role }: NewInvitation,
): Promise<CreatedInvitation> {
  const { userId } = inviter;
  if (userId !== null) {
    const isHeld = sql`may_invite(${userId}, ${organizationId}, ${platformAdmin})`;
    await holdRight(tx, { userId, organizationId, isHeld });
  }
  await requireNewAccess(tx, { email, platformAdmin, organizationId, role });
  await withdrawEarlier(tx, email, organizationId);
  requireRoomForInvitation(await countOpenInvitations(tx, organizationId));
  const { token, hash } = createLinkToken();
  const invitation = {
    email,
    organization_id: organizationId,
    role,
    platform_admin: platformAdmin,
    invited_by: inviter.name,
    inviter_id: inviter.userId,
  };
  const stored = await insertInvitation(tx, invitation, hash, invitationDays);
  return { ...stored, link: `${baseUrl}/invite/${token}` };
}

export function requireRoomForInvitation(open: number): void {
  if (open < maximumOpenInvitations) return;
  throw fieldError("email", `${maximumOpenInvitations} invitations are open: withdraw some first`, "conflict");
}

/** What tools that invite people use after the commit. */
export type InvitationServices = {
  /** Whether a mail server took the invitation. */
  mailInvitation(invitation: CreatedInvitation, organizationName: string | null): Promise<boolean>;
};

/** An invitation for the record of a change: without its link. */
export function recordOf({ link: _, ...invitation }: CreatedInvitation): Invitation {
  return invitation;
}

type WantedAccess = Pick<NewInvitation, "email" | "platformAdmin" | "organizationId" | "role">;

/** Refuses to invite a person to what they already have. */
export async function requireNewAccess(
  tx: Queryable,
  { email, platformAdmin, organizationId, role }: WantedAccess,
): Promise<void> {
  const user = await findUserByEmail(tx, email);
  const current = user && organizationId !== null ? await findMemberRole(tx, organizationId, user.id) : undefined;
  const addsRole = role !== null && (current === undefined || !roleAtLeast(current, role));
  const addsAdministration = platformAdmin && user?.platform_admin !== true;
  if (user !== undefined && !addsRole && !addsAdministration) {
    const held = current === undefined ? "known to the platform" : `${current} of this organization`;
    throw new ServiceError("conflict", `${email} is already ${held}: there is nothing to invite to`);
  }
}
