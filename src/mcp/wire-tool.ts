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
    current: {},
    proposed: {},
    before: {},
    after: {},
    changes: { type: "array", items: {} },
    commit_with: {},
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
function compact(value: unknown, io: "input" | "output", holdsNames = false): unknown {
  if (Array.isArray(value)) return value.map((part) => compact(part, io));
  if (typeof value !== "object" || value === null) return value;
  const schema = holdsNames ? value : withoutNullChoice(value);
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([key, part]) => holdsNames || !isNoise(key, part, schema, io))
      .map(([key, part]) => [key, compact(part, io, key === "properties" || key === "$defs")]),
  );
}

const longestPattern = 18;
/** A longer text is unusual; the error of the one who sends it names the limit. */
const shortLength = 100;
/** Of an answer only its shape matters before it is there. */
const onlyForInput = new Set(["required", "description", "enum", "format", "maxLength", "minimum", "maximum"]);

function isNoise(key: string, part: unknown, schema: object, io: "input" | "output"): boolean {
  if (io === "output" && (onlyForInput.has(key) || (key === "properties" && isEmptyObject(part)))) return true;
  switch (key) {
    case "pattern":
      return "format" in schema || String(part).length > longestPattern;
    case "maxLength":
      return Number(part) > shortLength;
    case "default":
      return part === null;
    case "additionalProperties":
      return isEmptyObject(part);
    case "propertyNames":
      return true;
    default:
      return false;
  }
}

/** `{anyOf: [{type: "string"}, {type: "null"}]}` as `{type: ["string", "null"]}`. */
function withoutNullChoice(schema: object): object {
  const { anyOf, ...rest } = schema as { anyOf?: Json[] };
  if (anyOf?.length !== 2 || anyOf[1]?.type !== "null" || typeof anyOf[0]?.type !== "string") return schema;
  const { type, enum: values, ...choice } = anyOf[0];
  return { ...rest, type: [type, "null"], ...choice, ...(Array.isArray(values) ? { enum: [...values, null] } : {}) };
}

function isEmptyObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}
