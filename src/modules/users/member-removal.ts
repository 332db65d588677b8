import type { z } from "zod";
import { listActiveKeysOf, revokeKeysOf } from "../../access/organization-keys.js";
import type { Role } from "../../access/roles.js";
import { ServiceError } from "../../platform/errors.js";
import { defineMutation, type MutationTool } from "../../tools/mutation.js";
import type { ToolDeclaration } from "../../tools/tool.js";
import { deleteMember, findMember, lastOwner, type Member, requireOtherOwner } from "./member-store.js";

type MemberRemoval = {
  owners: number;
  member: Member | null;
  keys: { id: string; prefix: string; name: string }[];
};

/** A tool that ends a membership. Keys that act for the person are revoked, and stay so if the person comes back. */
export function memberRemoval<Input extends z.ZodObject>(
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
      return { owners, member, keys: await listActiveKeysOf(tx, caller.organizationId, userId) };
    },
    propose({ owners, member }) {
      if (member === null) throw notMember();
      if (member.role !== "owner") return { owners, member: null, keys: [] };
      if (owners === 1) throw lastOwner();
      return { owners: owners - 1, member: null, keys: [] };
    },
    basis: ({ member, keys }) => ({ member, keys }),
    async store({ tx, caller }, { input: given }) {
      const userId = userOf(caller, given);
      await requireOtherOwner(tx, caller.organizationId, userId);
      await revokeKeysOf(tx, caller.organizationId, userId);
      await deleteMember(tx, caller.organizationId, userId);
    },
    warnings: ({ current: { keys } }) =>
      keys.length === 0 ? [] : [{ code: "keys_revoked", message: keyWarning(keys.length), path: "keys" }],
  });
}

function keyWarning(count: number): string {
  return count === 1
    ? "1 API key acts for this person and is revoked: the agent that uses it stops working"
    : `${count} API keys act for this person and are revoked: the agents that use them stop working`;
}

export function notMember(): ServiceError {
  return new ServiceError("not_found", "user_id: this person is not a member of the organization");
}
