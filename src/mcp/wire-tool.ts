import type { z } from "zod";
import { type Json, jsonSchemaOf } from "../schema/json-schema.js";
import type { Tool } from "../tools/mutation.js";
import type { ReadTool } from "../tools/tool.js";

/** A tool as `tools/list` shows it. */
export function wireToolOf(tool: Tool, schema: z.ZodObject): Json {
  return {
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: wireInput(schema),
    outputSchema: tool.kind === "read" ? readOutput(tool) : mutationOutput,
    annotations: {
      readOnlyHint: tool.kind === "read",
      destructiveHint: tool.kind === "mutation" && tool.destructive,
      // Repeating a commit with its idempotency key changes nothing.
      idempotentHint: true,
      openWorldHint: tool.kind === "mutation" && tool.openWorld,
    },
  };
}

/** The names and types of the result's fields. Clients validate errors against it too, so no field is required. */
function readOutput(tool: ReadTool): Json {
  const { root, definitions } = jsonSchemaOf(tool.output, "output");
  if (Object.keys(definitions).length > 0) throw new Error(`${tool.name}: output schemas must not use ids`);
  const names = Object.entries(root.properties as Record<string, Json>);
  const properties = names.map(([name, field]) => [name, { type: withoutNullChoice(field).type }]);
  return { type: "object", properties: { ...Object.fromEntries(properties), error: { type: "object" } } };
}

/** One schema for all mutations. The states are further properties, which the preview shows. */
const mutationOutput: Json = {
  type: "object",
  properties: {
    dry_run: { type: "boolean" },
    changes: { type: "array" },
    commit_with: { type: "object" },
    error: { type: "object" },
  },
};

function wireInput(schema: z.ZodObject): Json {
  const { root, definitions } = jsonSchemaOf(schema, "input");
  return compact(Object.keys(definitions).length === 0 ? root : { ...root, $defs: definitions }) as Json;
}

/** Removes what a model does not need: it reads all schemas before its first call. */
function compact(value: unknown, holdsNames = false): unknown {
  if (Array.isArray(value)) return value.map((part) => compact(part));
  if (typeof value !== "object" || value === null) return value;
  const schema = holdsNames ? value : withoutNullChoice(value);
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([key, part]) => holdsNames || !isNoise(key, part, schema))
      .map(([key, part]) => [key, compact(part, key === "properties" || key === "$defs")]),
  );
}

const longestPattern = 18;
/** Longer limits are rarely reached, and the validation error names them. */
const shortLength = 100;

function isNoise(key: string, part: unknown, schema: object): boolean {
  switch (key) {
    case "pattern":
      return "format" in schema || String(part).length > longestPattern;
    case "maxLength":
      return Number(part) > shortLength;
    case "default":
      return part === null;
    case "additionalProperties":
      return typeof part === "object" && part !== null && Object.keys(part).length === 0;
    case "propertyNames":
      return true;
    default:
      return false;
  }
}

/** `{anyOf: [{type: "string"}, {type: "null"}]}` as `{type: ["string", "null"]}`. */
function withoutNullChoice(schema: object): Json {
  const { anyOf, ...rest } = schema as { anyOf?: Json[] };
  if (anyOf?.length !== 2 || anyOf[1]?.type !== "null" || typeof anyOf[0]?.type !== "string") return { ...schema };
  const { type, enum: values, ...choice } = anyOf[0];
  return { ...rest, type: [type, "null"], ...choice, ...(Array.isArray(values) ? { enum: [...values, null] } : {}) };
}
