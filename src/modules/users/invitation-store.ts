import sql from "sql-template-tag";
import type { ShownInvitation } from "../../../contract/console/account.js";
import type { Invitation } from "../../../contract/console/organization.js";
import { fieldError, ServiceError } from "../../../contract/errors.js";
import { invitationDays } from "../../../contract/nouns.js";
import { type Role, roleAtLeast } from "../../../contract/roles.js";
import type { SecretHash } from "../../access/api-key.js";
import { holdRight } from "../../access/hold-right.js";
import type { Queryable } from "../../infra/database/db.js";
import { findMemberRole } from "../organizations/store.js";
import { createLinkToken } from "./link-token.js";
import { findUserByEmail } from "./store.js";

/** To one organization, or to the platform only. */
export const maximumOpenInvitations = 200;

type NewInvitation = {
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

/** A condition on an invitation i: neither accepted, withdrawn nor expired, and whoever made it may still invite people there. */
export const isOpenInvitation = sql`
  i.accepted_at is null and i.withdrawn_at is null and i.expires_at > now()
  and (i.by_operator or may_invite(i.inviter_id, i.organization_id, i.platform_admin))`;

const columns = sql`
  i.id, i.email, i.organization_id, o.slug as organization, i.role, i.platform_admin, i.invited_by,
  iso8601(i.created_at) as created_at, iso8601(i.expires_at) as expires_at`;

/** Whose right to invite an invitation depends on; null for an operator at the command line. */
type Inviter = { inviter_id: string | null };

async function insertInvitation(
  tx: Queryable,
  invitation: Pick<Invitation, "email" | "organization_id" | "role" | "platform_admin" | "invited_by"> & Inviter,
  tokenHash: SecretHash,
  days: number,
): Promise<Invitation> {
  const { email, organization_id, role, platform_admin, invited_by, inviter_id } = invitation;
  const [row] = await tx.query<Invitation>(sql`
    with i as (
      insert into invitations
        (token_hash, email, organization_id, role, platform_admin, invited_by, inviter_id, by_operator, expires_at)
      values (${tokenHash}, ${email}, ${organization_id}, ${role}, ${platform_admin}, ${invited_by},
        ${inviter_id}, ${inviter_id === null}, now() + ${days} * interval '1 day')
      returning *)
    select ${columns} from i left join organizations o on o.id = i.organization_id`);
  if (row === undefined) throw new Error("inserting an invitation returned no row");
  return row;
}

/** Withdraws what the same person was invited to before and has not accepted: only the newest link works. */
async function withdrawEarlier(tx: Queryable, email: string, organizationId: string | null): Promise<void> {
  await tx.query(sql`
    update invitations set withdrawn_at = now()
    where lower(email) = lower(${email}) and organization_id is not distinct from ${organizationId}::uuid
      and accepted_at is null and withdrawn_at is null`);
}

/** The addresses of open invitations by a person that end with their right to invite to an organization, or to anything. */
export async function invitationsEndingWith(
  tx: Queryable,
  inviterId: string,
  right: { ownerOf: string } | "administration" | "account",
): Promise<string[]> {
  const isLost =
    right === "account"
      ? sql`true`
      : right === "administration"
        ? sql`(i.platform_admin or m.user_id is null)`
        : sql`i.organization_id = ${right.ownerOf} and not u.platform_admin`;
  const rows = await tx.query<{ email: string }>(sql`
    select i.email from invitations i join users u on u.id = i.inviter_id
    left join members m on m.organization_id = i.organization_id and m.user_id = u.id and m.role = 'owner'
    where i.inviter_id = ${inviterId} and ${isOpenInvitation} and ${isLost} order by lower(i.email), i.id`);
  return rows.map(({ email }) => email);
}

/** What an organization's tools show of an open invitation. */
export type OpenInvitation = Pick<Invitation, "id" | "email" | "role" | "invited_by" | "created_at" | "expires_at">;

export function shownInvitation(invitation: Invitation | undefined): OpenInvitation | null {
  if (invitation === undefined) return null;
  const { id, email, role, invited_by, created_at, expires_at } = invitation;
  return { id, email, role, invited_by, created_at, expires_at };
}

/** The open invitation of a person to an organization, or to the platform only, by id or e-mail. */
export async function findOpenInvitation(
  db: Queryable,
  organizationId: string | null,
  by: { id: string } | { email: string },
): Promise<Invitation | undefined> {
  const wanted = "id" in by ? sql`i.id = ${by.id}` : sql`lower(i.email) = lower(${by.email})`;
  const [row] = await db.query<Invitation>(sql`
    select ${columns} from invitations i left join organizations o on o.id = i.organization_id
    where i.organization_id is not distinct from ${organizationId}::uuid and ${wanted} and ${isOpenInvitation}`);
  return row;
}

/** Open invitations to an organization, or those to the platform only, newest first. */
export function listOpenInvitations(db: Queryable, organizationId: string | null): Promise<Invitation[]> {
  return db.query<Invitation>(sql`
    select ${columns} from invitations i left join organizations o on o.id = i.organization_id
    where i.organization_id is not distinct from ${organizationId}::uuid and ${isOpenInvitation}
    order by i.created_at desc, i.id`);
}

export async function countOpenInvitations(tx: Queryable, organizationId: string | null): Promise<number> {
  const [row] = await tx.query<{ count: number }>(sql`
    select count(*)::int as count from invitations i
    where i.organization_id is not distinct from ${organizationId}::uuid and ${isOpenInvitation}`);
  return row?.count ?? 0;
}

/** Withdraws an open invitation to an organization, or to the platform only; undefined if there is none. */
export async function withdrawInvitation(
  tx: Queryable,
  organizationId: string | null,
  id: string,
): Promise<Invitation | undefined> {
  const [row] = await tx.query<Invitation>(sql`
    with i as (
      update invitations i set withdrawn_at = now()
      where i.id = ${id} and i.organization_id is not distinct from ${organizationId}::uuid and ${isOpenInvitation}
      returning *)
    select ${columns} from i left join organizations o on o.id = i.organization_id`);
  return row;
}

/** An open invitation as the page of its link shows it. */
export async function findShownInvitation(
  db: Queryable,
  tokenHash: SecretHash,
  baseUrl: string,
): Promise<ShownInvitation | undefined> {
  const [row] = await db.query<ShownInvitation>(sql`
    select i.email, i.role, i.platform_admin, i.invited_by, iso8601(i.expires_at) as expires_at,
      case when o.id is not null then json_build_object(
        'name', o.name, 'slug', o.slug, 'logo_url', absolute_url(${baseUrl}, o.logo_url)) end as organization,
      exists (select from users u where lower(u.email) = lower(i.email)) as has_account
    from invitations i left join organizations o on o.id = i.organization_id
    where i.token_hash = ${tokenHash} and ${isOpenInvitation}`);
  return row;
}

/** Locked, so that it is accepted once. */
export async function lockInvitation(
  tx: Queryable,
  tokenHash: SecretHash,
): Promise<(Invitation & { by_operator: boolean }) | undefined> {
  const [row] = await tx.query<Invitation & { by_operator: boolean }>(sql`
    select ${columns}, i.by_operator from invitations i left join organizations o on o.id = i.organization_id
    where i.token_hash = ${tokenHash} and ${isOpenInvitation} for update of i`);
  return row;
}

export async function markAccepted(tx: Queryable, id: string): Promise<void> {
  await tx.query(sql`update invitations set accepted_at = now() where id = ${id}`);
}
