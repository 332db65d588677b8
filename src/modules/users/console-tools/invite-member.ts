import { z } from "zod";
import { fieldError } from "../../../../contract/errors.js";
import type { Role } from "../../../../contract/roles.js";
import { email } from "../../../../contract/schema/fields.js";
import { memberRole } from "../../../../contract/schema/organizations.js";
import { type AfterCommit, defineMutation, type Reveal } from "../../../runner/mutation.js";
import type { ToolContext } from "../../../runner/tool.js";
import { findMemberRole, getOrganization } from "../../organizations/store.js";
import { countOpenInvitations, findOpenInvitation, type OpenInvitation, shownInvitation } from "../invitation-store.js";
import { createInvitation, type InvitationServices, requireRoomForInvitation } from "../invitations.js";
import { findUserByEmail, getUser } from "../store.js";

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
