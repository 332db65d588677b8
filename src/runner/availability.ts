import { type Role, roleAtLeast } from "../../contract/roles.js";
import { hasScope, type Scope, scopes } from "../../contract/scopes.js";
import type { Caller } from "../access/caller.js";
import type { Tool } from "./mutation.js";
import { toolGroups } from "./tool.js";

/** What decides whether a caller has a tool. Only `deployed` outlives a request. */
export type Availability = {
  caller: Caller;
  hostsEvents: boolean;
  hasOffers: boolean;
  deployed: ReadonlySet<string>;
};

/** A tool exists for a caller when all five conditions hold. They are checked at each listing and again at each call. */
export const conditions = {
  tier: (_tool, { caller }) => caller.tier === "organization",
  scope: (tool, { caller }) => caller.tier === "organization" && hasScope(tool.scope, caller.scopes),
  role: (tool, { caller }) => caller.tier === "organization" && roleAtLeast(caller.role, tool.role),
  deployment: (tool, { deployed }) => deployed.has(tool.name),
  ownership: (tool, { hostsEvents, hasOffers }) =>
    tool.event === undefined || hostsEvents || (tool.event === "host_or_offered" && hasOffers),
} satisfies Record<string, (tool: Tool, availability: Availability) => boolean>;

export function isAvailable(tool: Tool, availability: Availability): boolean {
  return allConditions.every((holds) => holds(tool, availability));
}

const allConditions = Object.values(conditions);

/** The scopes that somebody with this role needs for these tools; one that is an alternative to others is not needed. */
export function scopesForTools(tools: readonly Pick<Tool, "scope" | "role">[], role: Role = "owner"): Scope[] {
  return scopes.filter((scope) => tools.some((tool) => tool.scope === scope && roleAtLeast(role, tool.role)));
}

/** What is wrong with MCP_TOOLS: an unknown entry would silently remove tools. */
export function allowlistProblem(tools: Tool[], allowlist: string[]): string | undefined {
  const known = new Set<string>(["*", ...toolGroups, ...tools.map(({ name }) => name)]);
  const unknown = allowlist.filter((entry) => !known.has(entry));
  if (unknown.length === 0) return undefined;
  return `unknown entry: ${unknown.join(", ")}; expected *, or a comma-separated list of groups (${toolGroups.join(", ")}) and tool names`;
}

/** The names that MCP_TOOLS allows. */
export function deployedTools(tools: Tool[], allowlist: string[]): ReadonlySet<string> {
  const problem = allowlistProblem(tools, allowlist);
  if (problem !== undefined) throw new Error(`MCP_TOOLS: ${problem}`);
  const wanted = new Set(allowlist);
  return new Set(
    tools.filter(({ name, group }) => wanted.has("*") || wanted.has(group) || wanted.has(name)).map(({ name }) => name),
  );
}
