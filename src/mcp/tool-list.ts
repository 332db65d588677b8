import type { z } from "zod";
import type { Caller } from "../access/caller.js";
import { roleAtLeast } from "../access/roles.js";
import { inputSchemaOf } from "../tools/envelope.js";
import type { MutationTool } from "../tools/mutation.js";
import { type ReadTool, toolGroups } from "../tools/tool.js";
import { wireToolOf } from "./wire-tool.js";

export type Tool = ReadTool | MutationTool;

export type PreparedTool = { tool: Tool; schema: z.ZodObject; wire: string };

export type ToolList = { tools: PreparedTool[]; deployed: ReadonlySet<string> };

/** What decides whether a caller has a tool. Nothing of it outlives a request but `deployed`. */
export type Circumstances = { caller: Caller; hostsEvents: boolean; deployed: ReadonlySet<string> };

/** A tool exists for a caller when all five hold; they are asked at each listing and again at each call. */
export const conditions = {
  tier: (_tool, { caller }) => caller.tier === "organization",
  scope: (tool, { caller }) => caller.tier === "organization" && caller.scopes.includes(tool.scope),
  role: (tool, { caller }) => caller.tier === "organization" && roleAtLeast(caller.role, tool.role),
  deployment: (tool, { deployed }) => deployed.has(tool.name),
  ownership: (tool, { hostsEvents }) => tool.event === undefined || hostsEvents,
} satisfies Record<string, (tool: Tool, circumstances: Circumstances) => boolean>;

export function isAvailable(tool: Tool, circumstances: Circumstances): boolean {
  return allConditions.every((holds) => holds(tool, circumstances));
}

const allConditions = Object.values(conditions);

/** The tools of this deployment, made ready once: a request only joins the JSON of those that its caller has. */
export function prepareTools(tools: Tool[], allowlist: string[]): ToolList {
  return {
    tools: tools.map((tool) => {
      const schema = inputSchemaOf(tool);
      return { tool, schema, wire: JSON.stringify(wireToolOf(tool, schema)) };
    }),
    deployed: deployedTools(tools, allowlist),
  };
}

/** The tools' field of a list answer, in the order of the registry. */
export function listedTools(list: ToolList, caller: Caller, hostsEvents: boolean): string {
  const circumstances = { caller, hostsEvents, deployed: list.deployed };
  const listed = list.tools.filter(({ tool }) => isAvailable(tool, circumstances));
  return `"tools":[${listed.map(({ wire }) => wire).join(",")}]`;
}

/** The names that MCP_TOOLS lets through. A name that means nothing would silently take tools away: it stops the start. */
export function deployedTools(tools: Tool[], allowlist: string[]): ReadonlySet<string> {
  const names = tools.map(({ name }) => name);
  const known = new Set<string>(["*", ...toolGroups, ...names]);
  const unknown = allowlist.filter((entry) => !known.has(entry));
  if (unknown.length > 0) {
    throw new Error(
      `MCP_TOOLS=${allowlist.join(",")}: knows no ${unknown.join(", ")}; expects *, or groups (${toolGroups.join(", ")}) and names of tools, separated by commas`,
    );
  }
  const wanted = new Set(allowlist);
  return new Set(
    tools.filter(({ name, group }) => wanted.has("*") || wanted.has(group) || wanted.has(name)).map(({ name }) => name),
  );
}
