import type { z } from "zod";
import type { Caller } from "../access/caller.js";
import { deployedTools, isAvailable } from "../tools/availability.js";
import { inputSchemaOf } from "../tools/commit-arguments.js";
import type { Tool } from "../tools/mutation.js";
import { wireToolOf } from "./wire-tool.js";

export type PreparedTool<Services> = { tool: Tool<Services>; schema: z.ZodObject; wire: string };

export type ToolList<Services> = { tools: PreparedTool<Services>[]; deployed: ReadonlySet<string> };

/** Serializes the tools of this deployment once: a request only joins the JSON of those that its caller has. */
export function prepareTools<Services>(tools: Tool<Services>[], allowlist: string[]): ToolList<Services> {
  return {
    tools: tools.map((tool) => {
      const schema = inputSchemaOf(tool);
      return { tool, schema, wire: JSON.stringify(wireToolOf(tool, schema)) };
    }),
    deployed: deployedTools(tools, allowlist),
  };
}

/** The `tools` field of a tools/list result, in the order of the registry. */
export function listedTools<Services>(list: ToolList<Services>, caller: Caller, hostsEvents: boolean): string {
  const availability = { caller, hostsEvents, deployed: list.deployed };
  const available = list.tools.filter(({ tool }) => isAvailable(tool, availability));
  return `"tools":[${available.map(({ wire }) => wire).join(",")}]`;
}
