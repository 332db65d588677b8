import type { OrganizationCaller } from "../../access/caller.js";
import { roleAtLeast } from "../../access/roles.js";
import { hasScope } from "../../access/scopes.js";
import type { Tool } from "../../tools/mutation.js";
import type { ListedRecord } from "../../tools/record-page.js";
import { reasonAgainst } from "./irreversible.js";

/** The tool that made a change at first: a revert is reverted with the permissions of what it reverted. */
export function originOf({ tool, reverts }: Pick<ListedRecord, "tool" | "reverts">, tools: Tool[]): Tool | undefined {
  const name = reverts?.origin ?? tool;
  return tools.find((each) => each.name === name);
}

/** Whether revert_change is worth a try: what changed since, and who hosts the event, is left to its preview. */
export function mayRevert(record: ListedRecord, caller: OrganizationCaller, tools: Tool[]): boolean {
  const origin = originOf(record, tools);
  if (origin === undefined || reasonAgainst(origin.name) !== undefined) return false;
  const isPossible = record.is_kept && record.reverted_by === null;
  return isPossible && roleAtLeast(caller.role, origin.role) && hasScope(origin.scope, caller.scopes);
}
