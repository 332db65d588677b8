import type { z } from "zod";
import { ServiceError } from "../../../contract/errors.js";
import type { Role } from "../../../contract/roles.js";
import { endAppsOf, listActiveAppsOf } from "../../access/connected-apps.js";
import { listActiveKeysOf, revokeKeysOf } from "../../access/organization-keys.js";
import { defineMutation, type MutationTool } from "../../runner/mutation.js";
import type { ToolDeclaration } from "../../runner/tool.js";
import {
  endingWarnings,
  leftOfMember,
  type OpenOfMember,
  readOpenOfMember,
  recordEndedOffers,
} from "./ending-rights.js";
import { deleteMember, findMember, lastOwner, type Member, requireOtherOwner } from "./member-store.js";

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

export function notMember(): ServiceError {
  return new ServiceError("not_found", "user_id: this person is not a member of the organization");
}
