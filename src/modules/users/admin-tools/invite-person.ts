import { z } from "zod";
import { fieldError } from "../../../../contract/errors.js";
import type { Role } from "../../../../contract/roles.js";
import { email, flag, uuid } from "../../../../contract/schema/fields.js";
import { memberRole } from "../../../../contract/schema/organizations.js";
import { type AfterCommit, definePlatformMutation, type Reveal } from "../../../runner/mutation.js";
import type { PlatformToolContext } from "../../../runner/tool.js";
import { getOrganization } from "../../organizations/store.js";
import { findOpenInvitation } from "../invitation-store.js";
import { createInvitation, type InvitationServices, requireNewAccess } from "../invitations.js";
import { getUser, isUnverifiedAccount } from "../store.js";
import { addressUnverified } from "../warnings.js";

/** `link` says which link works: an invitation replaces an earlier one of the same person to the same place. */
type State = {
  invitation: {
    email?: string;
    organization?: string | null;
    role?: Role | null;
    platform_admin?: boolean;
    link?: string;
  };
};

export const invitePerson = definePlatformMutation({
  name: "invite_person",
  title: "Invite a person",
  description:
    "Invite a person to an organization with a role, to administer the platform, or both. The commit's result has the link in `link`, once; it works once, for 7 days, and is mailed where a mail server is configured.",
  destructive: false,
  input: z.object({
    email,
    organization_id: uuid.nullable().default(null),
    role: memberRole.nullable().default(null),
    platform_admin: flag.default(false),
  }),
  async read({ tx }, input): Promise<State> {
    const open = await findOpenInvitation(tx, input.organization_id, { email: input.email });
    if (open === undefined) return { invitation: {} };
    const { email, organization, role, platform_admin, created_at } = open;
    return { invitation: { email, organization, role, platform_admin, link: `created ${created_at}` } };
  },
  async prepare({ db }, input) {
    const wanted = accessOf(input);
    await requireNewAccess(db, wanted);
    return wanted.organizationId === null ? null : getOrganization(db, wanted.organizationId);
  },
  related: ({ tx }, { email }) => isUnverifiedAccount(tx, email),
  warnings: ({ input: { email } }, unverified) => (unverified ? [addressUnverified(email, "invitation.email")] : []),
  propose: (_current, { email, role, platform_admin }, organization) => ({
    invitation: { email, organization: organization?.slug ?? null, role, platform_admin, link: "new" },
  }),
  async store(context: Context, { input, prepared: organization }) {
    const { tx, caller, baseUrl, reveal, afterCommit } = context;
    const { id: userId, name } = await getUser(tx, caller.userId);
    const created = await createInvitation(tx, baseUrl, { ...accessOf(input), inviter: { userId, name } });
    reveal({ link: created.link, expires_at: created.expires_at });
    afterCommit(async ({ mailInvitation }) => ({ mailed: await mailInvitation(created, organization?.name ?? null) }));
  },
});

type Context = PlatformToolContext & Reveal & AfterCommit<InvitationServices>;

type Input = { email: string; organization_id: string | null; role: Role | null; platform_admin: boolean };

function accessOf({ email, organization_id: organizationId, role, platform_admin }: Input) {
  const common = { email, platformAdmin: platform_admin };
  if (organizationId !== null && role !== null) return { ...common, organizationId, role };
  if (organizationId !== null) throw fieldError("role", "expected member, admin or owner, with organization_id");
  if (role !== null) throw fieldError("organization_id", "expected the organization of the role");
  if (platform_admin) return { ...common, organizationId: null, role: null };
  throw fieldError("organization_id", "expected an organization and a role, or platform_admin: true");
}
