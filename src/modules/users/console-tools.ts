import { z } from "zod";
import { fieldError, ServiceError } from "../../../contract/errors.js";
import { resetLinkHours } from "../../../contract/nouns.js";
import { type Role, roleAtLeast } from "../../../contract/roles.js";
import { email, uuid } from "../../../contract/schema/fields.js";
import { memberRole } from "../../../contract/schema/organizations.js";
import { endAppsOf, listActiveAppsOf } from "../../access/connected-apps.js";
import { listActiveKeysOf, revokeKeysOf } from "../../access/organization-keys.js";
import { type AfterCommit, defineMutation, type MutationTool, type Reveal } from "../../runner/mutation.js";
import type { ToolContext, ToolDeclaration } from "../../runner/tool.js";
import { findMemberRole, getOrganization } from "../organizations/store.js";
import {
  endingWarnings,
  leftOfMember,
  type OpenOfMember,
  readOpenOfMember,
  recordEndedOffers,
} from "./ending-rights.js";
import {
  countOpenInvitations,
  createInvitation,
  findOpenInvitation,
  type InvitationServices,
  type OpenInvitation,
  requireRoomForInvitation,
  shownInvitation,
  withdrawInvitation as withdraw,
} from "./invitation-store.js";
import { createSeenResetLink, findResetLink, requireMayReset, type ShownResetLink } from "./reset-links.js";
import {
  addressUnverified,
  deleteMember,
  findMember,
  findUserByEmail,
  getUser,
  hasUnverifiedAddress,
  lastOwner,
  type Member,
  requireOtherOwner,
  saveMemberRole,
} from "./store.js";

type NewMember = {
  open_invitations: number;
  member_role: Role | null;
  invitation: (Omit<OpenInvitation, "id" | "created_at" | "expires_at"> & Generated) | null;
};
type Generated = { id: string | null; created_at: string | null; expires_at: string | null };

export const inviteMember = defineMutation({
  name: "invite_member",
  title: "Invite a member",
  group: "organization",
  description:
    "Invite a person to the organization. The link is returned once, and mailed where a mail server is configured. It replaces an earlier invitation of the same person.",
  scope: "org:write",
  role: "owner",
  destructive: false,
  input: z.object({ email, role: memberRole }),
  async prepare({ db, caller }) {
    const { name: invitedBy } = await getUser(db, caller.userId);
    const { name: organizationName } = await getOrganization(db, caller.organizationId);
    return { invitedBy, organizationName };
  },
  async read({ tx, caller }, { email: address }): Promise<NewMember> {
    const { organizationId } = caller;
    const user = await findUserByEmail(tx, address);
    return {
      open_invitations: await countOpenInvitations(tx, organizationId),
      member_role: (user && (await findMemberRole(tx, organizationId, user.id))) ?? null,
      invitation: shownInvitation(await findOpenInvitation(tx, organizationId, { email: address })),
    };
  },
  propose({ open_invitations, member_role, invitation }, { email: address, role }, { invitedBy }) {
    if (member_role !== null) {
      throw fieldError("email", `${address} is a member already: change the role instead`, "conflict");
    }
    const others = invitation === null ? open_invitations : open_invitations - 1;
    requireRoomForInvitation(others);
    return {
      open_invitations: others + 1,
      member_role,
      invitation: { id: null, email: address, role, invited_by: invitedBy, created_at: null, expires_at: null },
    };
  },
  basis: ({ member_role, invitation }) => ({ member_role, invitation }),
  async store(context: ToolContext & Reveal & AfterCommit<InvitationServices>, { input, prepared }) {
    const { tx, caller, baseUrl, reveal, afterCommit } = context;
    const { organizationId, userId } = caller;
    const { invitedBy, organizationName } = prepared;
    const inviter = { userId, name: invitedBy };
    const created = await createInvitation(tx, baseUrl, { ...input, organizationId, inviter, platformAdmin: false });
    reveal({ link: created.link });
    afterCommit(async ({ mailInvitation }) => ({ mailed: await mailInvitation(created, organizationName) }));
  },
});

export const withdrawInvitation = defineMutation({
  name: "withdraw_invitation",
  title: "Withdraw an invitation",
  group: "organization",
  description: "Withdraw an open invitation to the organization: its link stops working.",
  scope: "org:write",
  role: "owner",
  destructive: true,
  input: z.object({ invitation_id: uuid }),
  async read({ tx, caller }, { invitation_id }): Promise<{ invitation: OpenInvitation | null }> {
    return { invitation: shownInvitation(await findOpenInvitation(tx, caller.organizationId, { id: invitation_id })) };
  },
  propose({ invitation }) {
    if (invitation === null) throw notOpen();
    return { invitation: null };
  },
  async store({ tx, caller }, { input }) {
    // It may have been accepted a moment ago: accepting does not lock the organization.
    if ((await withdraw(tx, caller.organizationId, input.invitation_id)) === undefined) throw notOpen();
  },
});

function notOpen(): ServiceError {
  return new ServiceError("not_found", "invitation_id: the organization has no such open invitation");
}

type ResetLink = { member: Member | null; reset_link: ShownResetLink | null };

export const createResetLink = defineMutation({
  name: "create_reset_link",
  title: "Create a link for a new password",
  group: "organization",
  description: `Create a link with which a member who forgot the password sets a new one. It is returned once, works once, for ${resetLinkHours} hours, and ends an earlier link. Only for members whose account has no rights elsewhere.`,
  scope: "org:write",
  role: "owner",
  destructive: true,
  input: z.object({ user_id: uuid }),
  async prepare({ db, caller }, { user_id }) {
    const { member } = await findMember(db, caller.organizationId, user_id);
    if (member === null) throw notMember();
    await requireMayReset(db, caller.userId, user_id);
  },
  async read({ tx, caller }, { user_id }): Promise<ResetLink> {
    const { member } = await findMember(tx, caller.organizationId, user_id);
    return { member, reset_link: await findResetLink(tx, user_id) };
  },
  propose({ member }) {
    if (member === null) throw notMember();
    return { member, reset_link: { created_at: null, expires_at: null } };
  },
  async store({ tx, caller, baseUrl, reveal }, { input }) {
    const { userId: createdBy, organizationId } = caller;
    reveal({ link: await createSeenResetLink(tx, baseUrl, { userId: input.user_id, createdBy, organizationId }) });
  },
});

type State = { member: Member | null; owners: number } & OpenOfMember;

/** Whether the member may do more than before. */
function raises({ member: before }: State, { member: after }: State): boolean {
  return before !== null && after !== null && !roleAtLeast(before.role, after.role);
}

export const setMemberRole = defineMutation({
  name: "set_member_role",
  title: "Change a member's role",
  group: "organization",
  description:
    "Make a member of the organization an owner, admin or member. It takes effect with the next request. Open invitations and offers that the person may no longer make are withdrawn.",
  scope: "org:write",
  role: "owner",
  destructive: true,
  input: z.object({ user_id: uuid, role: memberRole }),
  async read({ tx, caller }, { user_id }): Promise<State> {
    const { member, owners } = await findMember(tx, caller.organizationId, user_id);
    return { member, owners, ...(await readOpenOfMember(tx, caller.organizationId, user_id)) };
  },
  propose(current, { role }) {
    const { member, owners } = current;
    if (member === null) throw notMember();
    const left = owners + (role === "owner" ? 1 : 0) - (member.role === "owner" ? 1 : 0);
    if (left === 0) throw lastOwner();
    return { member: { ...member, role }, owners: left, ...leftOfMember(current, role) };
  },
  basis: ({ member }) => member,
  async store({ tx, caller }, { input, current, proposed }) {
    if (input.role !== "owner") await requireOtherOwner(tx, caller.organizationId, input.user_id);
    await saveMemberRole(tx, caller.organizationId, input.user_id, input.role);
    await recordEndedOffers(tx, caller, current, proposed);
  },
  related: ({ tx }, { user_id }) => hasUnverifiedAddress(tx, user_id),
  warnings: ({ current, proposed }, unverified) => [
    ...endingWarnings(current, proposed),
    ...(unverified && raises(current, proposed) ? [addressUnverified(proposed.member?.email ?? "", "member")] : []),
  ],
});

type MemberRemoval = {
  owners: number;
  member: Member | null;
  keys: { id: string; prefix: string; name: string }[];
  apps: { id: string; name: string }[];
} & OpenOfMember;

/**
 * A tool that ends a membership. Keys that act for the person are revoked, apps disconnected, and open invitations and offers by the person
 * withdrawn; they stay so if the person comes back.
 */
function memberRemoval<Input extends z.ZodObject>(
  tool: Pick<ToolDeclaration, "name" | "title" | "description"> & {
    role: Role;
    input: Input;
    /** Whose membership ends. */
    userOf(caller: { userId: string }, input: z.output<Input>): string;
  },
): MutationTool<unknown> {
  const { userOf, input, ...declaration } = tool;
  return defineMutation({
    ...declaration,
    group: "organization",
    scope: "org:write",
    destructive: true,
    input,
    async read({ tx, caller }, given): Promise<MemberRemoval> {
      const userId = userOf(caller, given);
      const { owners, member } = await findMember(tx, caller.organizationId, userId);
      const keys = await listActiveKeysOf(tx, caller.organizationId, userId);
      const apps = await listActiveAppsOf(tx, caller.organizationId, userId);
      return { owners, member, keys, apps, ...(await readOpenOfMember(tx, caller.organizationId, userId)) };
    },
    propose(current) {
      const { owners, member } = current;
      if (member === null) throw notMember();
      const left = member.role === "owner" ? owners - 1 : owners;
      if (left === 0) throw lastOwner();
      return { owners: left, member: null, keys: [], apps: [], ...leftOfMember(current, null) };
    },
    basis: ({ member, keys, apps }) => ({ member, keys, apps }),
    async store({ tx, caller }, { input: given, current, proposed }) {
      const userId = userOf(caller, given);
      await requireOtherOwner(tx, caller.organizationId, userId);
      await revokeKeysOf(tx, caller.organizationId, userId);
      await endAppsOf(tx, caller.organizationId, userId);
      await deleteMember(tx, caller.organizationId, userId);
      await recordEndedOffers(tx, caller, current, proposed);
    },
    warnings: ({ current, proposed }) => [
      ...(current.keys.length === 0
        ? []
        : [{ code: "keys_revoked" as const, message: keyWarning(current.keys.length), path: "keys" }]),
      ...(current.apps.length === 0
        ? []
        : [{ code: "apps_disconnected" as const, message: appWarning(current.apps), path: "apps" }]),
      ...endingWarnings(current, proposed),
    ],
  });
}

function appWarning(apps: { name: string }[]): string {
  return `Apps that this person has connected stop working: ${apps.map(({ name }) => name).join(", ")}`;
}

function keyWarning(count: number): string {
  return count === 1
    ? "1 API key acts for this person and is revoked: the agent that uses it stops working"
    : `${count} API keys act for this person and are revoked: the agents that use them stop working`;
}

function notMember(): ServiceError {
  return new ServiceError("not_found", "user_id: this person is not a member of the organization");
}

export const removeMember = memberRemoval({
  name: "remove_member",
  title: "Remove a member",
  description:
    "Remove a person from the organization. Keys that act for the person are revoked, and open invitations and offers of events by the person withdrawn.",
  role: "owner",
  input: z.object({ user_id: uuid }),
  userOf: (_caller, { user_id }) => user_id,
});

export const leaveOrganization = memberRemoval({
  name: "leave_organization",
  title: "Leave the organization",
  description:
    "End the caller's own membership. Keys that act for the caller are revoked, and open invitations and offers of events by the caller withdrawn.",
  role: "member",
  input: z.object({}),
  userOf: ({ userId }) => userId,
});
