import { z } from "zod";
import { uuid } from "../../../schema/fields.js";
import { defineMutation } from "../../../tools/mutation.js";
import { memberRole } from "../../organizations/schema.js";
import { notMember } from "../member-removal.js";
import { findMember, lastOwner, type Member, requireOtherOwner, saveMemberRole } from "../member-store.js";

export const setMemberRole = defineMutation({
  name: "set_member_role",
  title: "Change a member's role",
  group: "organization",
  description: "Make a member of the organization an owner, admin or member. It takes effect with the next request.",
  scope: "org:write",
  role: "owner",
  destructive: true,
  input: z.object({ user_id: uuid, role: memberRole }),
  read: ({ tx, caller }, { user_id }): Promise<{ member: Member | null; owners: number }> =>
    findMember(tx, caller.organizationId, user_id),
  propose({ member, owners }, { role }) {
    if (member === null) throw notMember();
    const left = owners + (role === "owner" ? 1 : 0) - (member.role === "owner" ? 1 : 0);
    if (left === 0) throw lastOwner();
    return { member: { ...member, role }, owners: left };
  },
  basis: ({ member }) => member,
  async store({ tx, caller }, { input }) {
    if (input.role !== "owner") await requireOtherOwner(tx, caller.organizationId, input.user_id);
    await saveMemberRole(tx, caller.organizationId, input.user_id, input.role);
  },
});
