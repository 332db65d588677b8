import { z } from "zod";
import type { Invitation } from "../../../contract/console/organization.js";
import { fieldError, ServiceError } from "../../../contract/errors.js";
import { invitationDays, resetLinkHours } from "../../../contract/nouns.js";
import type { Role } from "../../../contract/roles.js";
import { email, flag, uuid } from "../../../contract/schema/fields.js";
import { memberRole } from "../../../contract/schema/organizations.js";
import type { PlatformCaller } from "../../access/caller.js";
import type { Queryable } from "../../infra/database/db.js";
import { updateRow } from "../../infra/database/update-row.js";
import { type AfterCommit, definePlatformMutation, type Reveal } from "../../runner/mutation.js";
import type { PlatformToolContext } from "../../runner/tool.js";
import { getOrganization } from "../organizations/store.js";
import { doorLinksEnd, invitationsWithdrawn, offersWithdrawn } from "./ending-rights.js";
import {
  createInvitation,
  findOpenInvitation,
  type InvitationServices,
  invitationsEndingWith,
  requireNewAccess,
  withdrawInvitation as withdraw,
} from "./invitation-store.js";
import { deleteUser, type RemovedUser, readRemoval, requireOtherOwners } from "./remove-user.js";
import { createSeenResetLink, findResetLink, requireMayReset, type ShownResetLink } from "./reset-links.js";
import {
  addressUnverified,
  countOtherAdmins,
  findUser,
  getUser,
  hasUnverifiedAddress,
  isUnverifiedAccount,
  type User,
} from "./store.js";

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
  description: `Invite a person to an organization with a role, to administer the platform, or both. The commit's result has the link in \`link\`, once; it works once, for ${invitationDays} days, and is mailed where a mail server is configured.`,
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

export const withdrawInvitation = definePlatformMutation({
  name: "withdraw_invitation",
  title: "Withdraw an invitation",
  description: "End an open invitation: its link no longer works. Name the organization that it is to, or null.",
  destructive: true,
  input: z.object({ invitation_id: uuid, organization_id: uuid.nullable().default(null) }),
  async prepare({ db }, { invitation_id, organization_id }) {
    if ((await findOpenInvitation(db, organization_id, { id: invitation_id })) === undefined) throw notOpen();
  },
  read: async ({ tx }, { invitation_id, organization_id }): Promise<{ invitation: Invitation | null }> => ({
    invitation: (await findOpenInvitation(tx, organization_id, { id: invitation_id })) ?? null,
  }),
  propose: () => ({ invitation: null }),
  store: async ({ tx }, { input }) => {
    // It may have been accepted a moment ago: accepting does not wait for administrators.
    if ((await withdraw(tx, input.organization_id, input.invitation_id)) === undefined) throw notOpen();
  },
});

function notOpen(): ServiceError {
  return new ServiceError("not_found", "No such invitation is open: it was accepted or withdrawn, or it has expired");
}

export const setPlatformAdmin = definePlatformMutation({
  name: "set_platform_admin",
  title: "Make someone a platform administrator",
  description:
    "Let a person administer the whole platform, or end that. Not oneself, and never the last one. Open invitations that the person may no longer make are withdrawn.",
  destructive: true,
  input: z.object({ person_id: uuid, platform_admin: flag }),
  async read({ tx, caller }, { person_id, platform_admin }): Promise<{ person: User; invitations: string[] }> {
    const person = await getUser(tx, person_id);
    if (!platform_admin) await requireAnotherAdmin(tx, caller, person);
    return { person, invitations: await invitationsEndingWith(tx, person_id, "administration") };
  },
  propose: ({ person, invitations }, { platform_admin }) => ({
    person: { ...person, platform_admin },
    invitations: platform_admin ? invitations : [],
  }),
  basis: ({ person }) => person,
  related: ({ tx }, { person_id }) => hasUnverifiedAddress(tx, person_id),
  warnings: ({ current: { person, invitations }, proposed }, unverified) => [
    ...(invitations.length === proposed.invitations.length ? [] : [invitationsWithdrawn(invitations)]),
    ...(unverified && proposed.person.platform_admin && !person.platform_admin
      ? [addressUnverified(person.email, "person")]
      : []),
  ],
  store: ({ tx }, { proposed: { person } }) =>
    updateRow(tx, "users", { id: person.id }, { platform_admin: person.platform_admin }),
});

export const createResetLink = definePlatformMutation({
  name: "create_reset_link",
  title: "Create a link for a new password",
  description: `Create a link with which a person who forgot the password sets a new one. The commit's result has it in \`link\`, once; it works once, for ${resetLinkHours} hours, and ends an earlier link.`,
  destructive: true,
  input: z.object({ person_id: uuid }),
  prepare: ({ db, caller }, { person_id }) => requireMayReset(db, caller.userId, person_id),
  read: async ({ tx }, { person_id }): Promise<{ person: User; reset_link: ShownResetLink | null }> => ({
    person: await getUser(tx, person_id),
    reset_link: await findResetLink(tx, person_id),
  }),
  propose: ({ person }) => ({ person, reset_link: { created_at: null, expires_at: null } }),
  async store({ tx, caller, baseUrl, reveal }, { input }) {
    const maker = { createdBy: caller.userId, organizationId: null };
    reveal({ link: await createSeenResetLink(tx, baseUrl, { userId: input.person_id, ...maker }) });
  },
});

export const removePerson = definePlatformMutation({
  name: "remove_person",
  title: "Remove a person",
  description:
    "Remove a person with their memberships, keys, sessions, password and invitations, and withdraw what they invited to and offered. The only owner of an organization is refused.",
  destructive: true,
  input: z.object({ person_id: uuid }),
  prepare: ({ db }, { person_id }) => getUser(db, person_id),
  async read({ tx, caller }, { person_id }): Promise<{ person: RemovedUser | null }> {
    const user = await findUser(tx, person_id);
    if (user === undefined) return { person: null };
    await requireAnotherAdmin(tx, caller, user);
    await requireOtherOwners(tx, user);
    return { person: await readRemoval(tx, user) };
  },
  propose: () => ({ person: null }),
  warnings: ({ current: { person } }) => [
    ...(person === null || person.invitations.length === 0 ? [] : [invitationsWithdrawn(person.invitations, "person")]),
    ...(person === null || person.offers.length === 0 ? [] : [offersWithdrawn(person.offers, "person")]),
    ...(person === null || person.door_links.length === 0 ? [] : [doorLinksEnd(person.door_links, "person")]),
  ],
  store: async ({ tx, caller }, { current: { person } }) => {
    if (person !== null) await deleteUser(tx, caller, person);
  },
});

/** An administrator can neither end their own administration nor that of the last one. */
async function requireAnotherAdmin(tx: Queryable, caller: PlatformCaller, person: User): Promise<void> {
  if (person.id === caller.userId) {
    throw new ServiceError("conflict", "You cannot do this to yourself: ask another platform administrator");
  }
  if ((await countOtherAdmins(tx, person.id)) > 0) return;
  throw new ServiceError("conflict", `${person.email} is the only platform administrator: add another one first`);
}
