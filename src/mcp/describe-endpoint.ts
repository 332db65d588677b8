import type { Config } from "../config.js";
import { toolGroups } from "../tools/tool.js";
import { mcpPath } from "./endpoint.js";
import { revisions } from "./protocol.js";
import { deployedTools, type Tool } from "./tool-list.js";

/** The endpoint as the API description tells it: this deployment's tools, and what each asks of a key. */
export function describeMcp(config: Pick<Config, "publicUrl" | "limits" | "mcpTools">, tools: Tool[]): object {
  const deployed = deployedTools(tools, config.mcpTools);
  return {
    address: config.publicUrl + mcpPath,
    transport: "stateless Streamable HTTP carrying JSON-RPC 2.0: POST, answered with JSON",
    revisions,
    authentication: "an organization key as Bearer; the other tiers get 403",
    tools_filtered_by: ["key tier", "scopes", "live organization role", "deployment allowlist", "event ownership"],
    mutation_contract: [
      "A mutation defaults to dry_run=true and returns the current and the proposed state; nothing is changed",
      "To commit, repeat the request with the arguments of commit_with (dry_run=false, confirm=true, idempotency_key, expected_version) and a reason",
      "Repeating an idempotency key with an identical request returns the earlier result; with a changed request it is rejected",
      "Every committed mutation records the acting user, the API key, the request, and the state before and after",
    ],
    groups: toolGroups.map((group) => ({
      group,
      tools: tools.filter((tool) => tool.group === group && deployed.has(tool.name)).map(describeTool),
    })),
    limit: { requests: config.limits.mcp, per: "API key" },
  };
}

function describeTool(tool: Tool): object {
  return {
    name: tool.name,
    title: tool.title,
    mutation: tool.kind === "mutation",
    scope: tool.scope,
    role: tool.role,
    event_role: tool.event ?? null,
  };
}
