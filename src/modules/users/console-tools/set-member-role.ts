import { z } from "zod";
import { roleAtLeast } from "../../../../contract/roles.js";
import { uuid } from "../../../../contract/schema/fields.js";
import { memberRole } from "../../../../contract/schema/organizations.js";
import { defineMutation } from "../../../runner/mutation.js";
import {
  endingWarnings,
  leftOfMember,
  type OpenOfMember,
  readOpenOfMember,
  recordEndedOffers,
} from "../ending-rights.js";
import { notMember } from "../member-removal.js";
import { findMember, lastOwner, type Member, requireOtherOwner, saveMemberRole } from "../member-store.js";
import { hasUnverifiedAddress } from "../store.js";
import { addressUnverified } from "../warnings.js";

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
