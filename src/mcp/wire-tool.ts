import type { z } from "zod";
import { type Json, jsonSchemaOf } from "../declare/json-schema.js";
import type { ReadTool } from "../declare/tool.js";
import type { MutationTool } from "../mutation/define.js";

/** A tool as `tools/list` shows it. */
export function wireToolOf(tool: ReadTool | MutationTool, schema: z.ZodObject): Json {
  return {
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: wireSchema(schema, "input"),
    outputSchema: tool.kind === "read" ? readOutput(tool) : mutationOutput,
    annotations: {
      readOnlyHint: tool.kind === "read",
      destructiveHint: tool.kind === "mutation" && tool.destructive,
      // A commit that is repeated under its idempotency key changes nothing more.
      idempotentHint: true,
      openWorldHint: false,
    },
  };
}

/** Clients hold errors against the schema too, so no field is required. */
function readOutput(tool: ReadTool): Json {
  const { properties, ...root } = wireSchema(tool.output, "output");
  return { ...root, type: "object", properties: { ...(properties as Json), error: { type: "object" } } };
}

/** One for all changes: what a state holds is seen in the preview, which always comes first. */
const mutationOutput: Json = {
  type: "object",
  properties: {
    dry_run: { type: "boolean" },
    message: { type: "string" },
    current: { type: "object" },
    proposed: { type: "object" },
    before: { type: "object" },
    after: { type: "object" },
    changes: { type: "array", items: { type: "object" } },
    commit_with: { type: "object" },
    record_id: { type: "string" },
    replayed: { type: "boolean" },
    error: { type: "object" },
  },
};

function wireSchema(schema: z.ZodType, io: "input" | "output"): Json {
  const { root, definitions } = jsonSchemaOf(schema, io);
  const whole = Object.keys(definitions).length === 0 ? root : { ...root, $defs: definitions };
  return compact(whole, io) as Json;
}

/** A model reads all of it before its first call: what says nothing, or too much to be read, is left out. */
function compact(value: unknown, io: "input" | "output", isNameOfField = false): unknown {
  if (Array.isArray(value)) return value.map((part) => compact(part, io));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, part]) => isNameOfField || !isNoise(key, part, value, io))
      .map(([key, part]) => [key, compact(part, io, key === "properties" || key === "$defs")]),
  );
}

const longestPattern = 18;

function isNoise(key: string, part: unknown, schema: object, io: "input" | "output"): boolean {
  switch (key) {
    case "pattern":
      return "format" in schema || String(part).length > longestPattern;
    case "required":
      return io === "output";
    case "additionalProperties":
      return typeof part === "object" && part !== null && Object.keys(part).length === 0;
    case "propertyNames":
      return JSON.stringify(part) === '{"type":"string"}';
    default:
      return false;
  }
}
