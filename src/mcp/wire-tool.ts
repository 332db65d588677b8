import type { z } from "zod";
import { type Json, jsonSchemaOf } from "../schema/json-schema.js";
import type { Tool } from "../tools/mutation.js";

/** A tool as `tools/list` shows it. A model reads its name, description and input; the rest is for clients. */
export function wireToolOf(tool: Tool, schema: z.ZodObject): Json {
  return {
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: wireInput(schema),
    annotations: annotationsOf(tool),
    _meta: { group: tool.group },
  };
}

/** Every hint, because clients and directories differ in what they assume. A commit that is repeated changes nothing. */
function annotationsOf(tool: Tool): Json {
  const isRead = tool.kind === "read";
  return {
    readOnlyHint: isRead,
    destructiveHint: !isRead && tool.destructive,
    idempotentHint: true,
    openWorldHint: tool.openWorld ?? false,
  };
}

function wireInput(schema: z.ZodObject): Json {
  const { root, definitions } = jsonSchemaOf(schema, "input");
  const all = Object.keys(definitions).length === 0 ? root : { ...root, $defs: definitions };
  return compact(all) as Json;
}

/** Removes what a model does not need: it reads all schemas before its first call. */
function compact(value: unknown, parent = ""): unknown {
  if (Array.isArray(value)) return value.map((part) => compact(part));
  if (typeof value !== "object" || value === null) return value;
  const holdsNames = parent === "properties" || parent === "$defs";
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, part]) => holdsNames || !isNoise(key, part, value, parent === "propertyNames"))
      .map(([key, part]) => [key, compact(part, holdsNames ? "" : key)]),
  );
}

const longestPattern = 24;

function isNoise(key: string, part: unknown, schema: object, isName: boolean): boolean {
  switch (key) {
    case "pattern":
      return String(part).length > longestPattern;
    case "format":
      return part === "uri" && "pattern" in schema;
    case "type":
      return isName;
    case "default":
      return part === null || part === false || isEmpty(part);
    case "additionalProperties":
      return isEmpty(part);
    case "propertyNames":
      return Object.keys(part as object).every((name) => name === "type");
    default:
      return false;
  }
}

function isEmpty(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}
