import { reasonAgainst } from "../../../contract/irreversible.js";
import { roleAtLeast } from "../../../contract/roles.js";
import { hasScope, scopeText } from "../../../contract/scopes.js";
import type { OrganizationCaller } from "../../access/caller.js";
import type { ExportedRecord } from "../../records/record-page.js";
import type { RevertibleTable } from "../../revert/revertible-table.js";
import type { Tool } from "../../runner/mutation.js";
import type { EventRole } from "../../runner/tool.js";

/** What can be reverted: the tools, and the tables that they write, parents before their children. */
export type Revertible = { tools(): Tool[]; tables: readonly RevertibleTable[] };

/** The tool that made a change at first: a revert is reverted with the permissions of what it reverted. */
export function originOf({ tool, reverts }: Pick<ExportedRecord, "tool" | "reverts">, tools: Tool[]): Tool | undefined {
  const name = reverts?.origin ?? tool;
  return tools.find((each) => each.name === name);
}

export const noSuchTool = "this version has no such tool";

/** Why a change cannot be reverted whose record keeps no rows. */
export function reasonWithoutRows({ unchanged }: { unchanged: boolean }): string {
  if (unchanged) return "it changed nothing";
  return "what it replaced is not recorded, because an older version made it, or personal data in it was erased; make the opposite change with the tool for it";
}

/** What the caller lacks to revert a change by this tool: the live role and the scope, as for the tool itself. */
export function missingPermission({ role, scope }: Tool, caller: OrganizationCaller): string | undefined {
  if (!roleAtLeast(caller.role, role)) return `the role ${role}; yours is ${caller.role}`;
  return hasScope(scope, caller.scopes) ? undefined : `the scope ${scopeText(scope)}`;
}

/** What the organization must be to the event to revert a change: what the tool requires, or a table that it wrote, whichever is more. */
export function eventRoleOf({ event }: Tool, written: Pick<RevertibleTable, "eventRole">[]): EventRole {
  if (event === "host_or_cancelled") return event;
  const roles = [event, ...written.map(({ eventRole }) => eventRole)];
  return roles.includes("host") ? "host" : "host_or_co_host";
}

/**
 * Why the caller cannot revert a change; undefined where revert_change is worth a try: what changed since, and what the
 * deployment allows, is left to its preview.
 */
export function reasonNotToRevert(
  record: Omit<ExportedRecord, "request" | "before" | "after">,
  caller: OrganizationCaller,
  { tools, tables }: Revertible,
): string | undefined {
  const against = reasonAgainst(record.reverts?.origin ?? record.tool);
  if (against !== undefined) return against;
  const origin = originOf(record, tools());
  if (origin === undefined) return noSuchTool;
  if (isReverted(record)) return "it is reverted already";
  const { kept_tables: kept } = record;
  if (kept === null) return reasonWithoutRows(record);
  const missing = missingPermission(origin, caller);
  if (missing !== undefined) return `it requires ${missing}`;
  if (record.cancelled && origin.event !== "host_or_cancelled") return "the event is cancelled; revert that first";
  if (record.event === null || record.hosting === "host") return undefined;
  if (record.hosting === null) return "your organization does not host the event any more, or the event is not public";
  const role = eventRoleOf(
    origin,
    tables.filter(({ name }) => kept.includes(name)),
  );
  return role === "host" ? "only the host of the event can; your organization is a co-host" : undefined;
}

/** Of a change in parts, all of them. */
const isReverted = ({ parts, reverted_by }: Pick<ExportedRecord, "parts" | "reverted_by">): boolean =>
  parts === null ? reverted_by !== null : parts.reverted === parts.count;

const outcomes: Record<string, string> = {
  sending: "The write was about to be sent to the ticketing platform; a later record has its outcome, if it is known",
  not_sent: "The write was not sent to the ticketing platform",
  unknown: "The write was sent without a response: the ticketing platform may or may not have applied it",
};

/** What became of a write to the ticketing platform; undefined for any other record. Nothing of what was written. */
export function ticketingOutcome({ tool, outcome }: Pick<ExportedRecord, "tool" | "outcome">): string | undefined {
  if (!tool.startsWith("ticketing:")) return undefined;
  const { state = "", status } = (outcome ?? {}) as { state?: string; status?: number };
  return state === "answered" ? `The ticketing platform answered with status ${status}` : outcomes[state];
}
