import { allowlistProblem, deployedTools } from "../runner/availability.js";
import type { ToolList } from "./tool-list.js";

/**
 * The tools that a client selects with `?tools=`, by group or name, so that a model reads no others. Undefined selects all.
 * What the caller lacks stays hidden.
 */
export function selectedTools<Services>(
  list: ToolList<Services>,
  query: unknown,
): { selected: ReadonlySet<string> | undefined } | { problem: string } {
  const { tools: given = [] } = query as { tools?: string | string[] };
  const entries = [given].flat().flatMap((text) => text.split(",").map((entry) => entry.trim()));
  const named = entries.filter((entry) => entry !== "");
  if (named.length === 0) return { selected: undefined };
  const tools = list.tools.map(({ tool }) => tool);
  const problem = allowlistProblem(tools, named);
  if (problem !== undefined) return { problem: `tools: ${problem}` };
  return { selected: new Set([...deployedTools(tools, named)].filter((name) => list.deployed.has(name))) };
}
