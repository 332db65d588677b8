import { documentedErrors } from "../../contract/errors.js";
import { scopeText } from "../../contract/scopes.js";
import type { Config } from "../config.js";
import type { EndpointDescription, Tag } from "../route.js";
import { deployedTools } from "../runner/availability.js";
import type { Tool } from "../runner/mutation.js";
import { toolGroups } from "../runner/tool.js";
import { jsonContent } from "../schema/json-schema.js";
import { errorResponses, rateLimitHeaders } from "../schema/openapi.js";
import { mcpPath, resourceMetadataPath } from "./endpoint.js";
import type { Prompt } from "./prompts.js";
import { revisions } from "./protocol.js";

/** The endpoint for the API description and OpenAPI: this deployment's tools, and what each requires of a key. */
export function describeMcp(
  config: Pick<Config, "publicUrl" | "limits" | "mcpTools">,
  tools: Tool[],
  prompts: Prompt[],
): EndpointDescription {
  return {
    discovery: discovery(config, tools, prompts),
    openapiPaths: { [mcpPath]: { post: openapiOperation } },
    openapiSchemas: { JsonRpcResponse: responseSchema },
  };
}

function discovery(config: Pick<Config, "publicUrl" | "limits" | "mcpTools">, tools: Tool[], prompts: Prompt[]) {
  const deployed = deployedTools(tools, config.mcpTools);
  return {
    address: config.publicUrl + mcpPath,
    transport: "stateless Streamable HTTP carrying JSON-RPC 2.0: POST with a JSON response",
    revisions,
    authentication:
      "an organization key as Bearer, or the token of an app that a person has connected by signing in; keys of the other tiers get 403",
    authorization: config.publicUrl + resourceMetadataPath,
    tools_selected_by: "?tools= with group and tool names, separated by commas; all tools by default",
    tools_filtered_by: ["key tier", "scopes", "live organization role", "deployment allowlist", "event ownership"],
    mutation_contract: [
      "A mutation defaults to dry_run=true and returns the current state and the proposed state, with warnings; nothing is changed",
      "To commit, call it with the arguments of commit_with (the request, dry_run=false, confirm=true, idempotency_key, expected_version) and a reason",
      "Repeating an idempotency key with an identical request returns the earlier result; with a changed request it is rejected",
      "Every committed mutation records the acting user, the API key or app, the request, and the state before and after",
    ],
    groups: toolGroups.map((group) => ({
      group,
      tools: tools.filter((tool) => tool.group === group && deployed.has(tool.name)).map(describeTool),
    })),
    prompts: prompts
      .filter((prompt) => prompt.tools.every((name) => deployed.has(name)))
      .map(({ name, title, tools: needed }) => ({ name, title, tools: needed })),
    limit: { requests: config.limits.mcp, per: "API key or connected app", paths: mcpPath },
  };
}

const id = { type: ["string", "integer"], description: "absent in a notification" };
const messageSchema = {
  type: "object",
  properties: {
    jsonrpc: { const: "2.0" },
    id,
    method: { type: "string", description: "such as tools/list or tools/call" },
    params: { type: "object" },
  },
  required: ["jsonrpc", "method"],
};
const responseSchema = {
  type: "object",
  properties: {
    jsonrpc: { const: "2.0" },
    id: { type: ["string", "integer", "null"] },
    result: { type: "object" },
    error: {
      type: "object",
      properties: { code: { type: "integer" }, message: { type: "string" }, data: { type: "object" } },
      required: ["code", "message"],
    },
  },
  required: ["jsonrpc"],
};

const response = { $ref: "#/components/schemas/JsonRpcResponse" };

/** MCP describes itself: tools/list returns the tools. */
const openapiOperation = {
  operationId: "callMcp",
  tags: ["mcp" satisfies Tag],
  summary: "The MCP endpoint: JSON-RPC 2.0 over stateless Streamable HTTP",
  description:
    "Organization keys and tokens of connected apps only. Send initialize or server/discover, then tools/list.",
  parameters: [
    {
      name: "tools",
      in: "query",
      schema: { type: "string" },
      example: "speakers,list_changes",
      description: "only these tools, by name or group, separated by commas",
    },
  ],
  requestBody: { required: true, content: jsonContent(messageSchema, { jsonrpc: "2.0", id: 1, method: "ping" }) },
  responses: {
    200: {
      description: "a JSON-RPC response",
      headers: rateLimitHeaders,
      content: jsonContent(response, { jsonrpc: "2.0", id: 1, result: {} }),
    },
    202: { description: "the notification was accepted" },
    ...errorResponses(documentedErrors("mcp"), jsonContent(response)),
  },
};

function describeTool(tool: Tool): object {
  return {
    name: tool.name,
    title: tool.title,
    mutation: tool.kind === "mutation",
    scope: scopeText(tool.scope),
    role: tool.role,
    event_role: tool.event ?? null,
    addition: tool.addition ?? false,
  };
}
