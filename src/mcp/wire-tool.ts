import { isDeepStrictEqual } from "node:util";
import type { z } from "zod";
import { type Json, jsonSchemaOf } from "../schema/json-schema.js";
import type { Tool } from "../tools/mutation.js";

/** A tool as `tools/list` shows it. */
export function wireToolOf(tool: Tool, schema: z.ZodObject): Json {
  return {
    name: tool.name,
    description: tool.description,
    inputSchema: wireInput(schema),
    annotations: annotationsOf(tool),
  };
}

/**
 * Only what differs from the protocol's defaults, by which a tool writes and destroys. Titles and the hints that repeating a
 * commit changes nothing and whether a tool reaches beyond this service are left out: no model sees them, and the list has
 * a limit.
 */
function annotationsOf(tool: Tool): Json | undefined {
  if (tool.kind === "read") return { readOnlyHint: true };
  return tool.destructive ? undefined : { destructiveHint: false };
}

function wireInput(schema: z.ZodObject): Json {
  const { root, definitions } = jsonSchemaOf(schema, "input");
  const all = Object.keys(definitions).length === 0 ? root : { ...root, $defs: definitions };
  return withFieldsOnce(compact(all) as Json);
}

/** A tool that takes the fields of one row or a list of rows describes the fields once: those of the list are only named. */
function withFieldsOnce(root: Json): Json {
  const own = (root.properties ?? {}) as Record<string, Json>;
  const properties = Object.entries(own).map(([name, field]) => {
    const items = field.items as Json | undefined;
    const fields = Object.entries((items?.properties ?? {}) as Record<string, Json>);
    if (fields.length === 0 || fields.some(([inner, part]) => !isDeepStrictEqual(part, own[inner])))
      return [name, field];
    const named = Object.fromEntries(fields.map(([inner]) => [inner, {}]));
    return [name, { ...field, description: "as above", items: { ...items, properties: named } }];
  });
  return { ...root, properties: Object.fromEntries(properties) };
}

/** Removes what a model does not need: it reads all schemas before its first call. */
function compact(value: unknown, parent = ""): unknown {
  if (Array.isArray(value)) return value.map((part) => compact(part));
  if (typeof value !== "object" || value === null) return value;
  const holdsNames = parent === "properties" || parent === "$defs";
  const schema = holdsNames ? value : withoutNullChoice(value);
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([key, part]) => holdsNames || !isNoise(key, part, schema, parent === "propertyNames"))
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
    case "propertyNames":
      return isEmpty(part);
    default:
      return false;
  }
}

function isEmpty(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}

/** `{anyOf: [{type: "string"}, {type: "null"}]}` as `{type: ["string", "null"]}`. */
function withoutNullChoice(schema: object): Json {
  const { anyOf, ...rest } = schema as { anyOf?: Json[] };
  if (anyOf?.length !== 2 || anyOf[1]?.type !== "null" || typeof anyOf[0]?.type !== "string") return { ...schema };
  const { type, enum: values, ...choice } = anyOf[0];
  return { ...rest, type: [type, "null"], ...choice, ...(Array.isArray(values) ? { enum: [...values, null] } : {}) };
}
