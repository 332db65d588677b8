import type { z } from "zod";
import type { Tool } from "../runner/mutation.js";
import { type Json, jsonSchemaOf } from "../schema/json-schema.js";

/** A tool as `tools/list` shows it. A model reads its name, description and input; the rest is for clients. */
export function wireToolOf(tool: Tool, schema: z.ZodObject): Json {
  return {
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: wireInput(schema),
    outputSchema: tool.kind === "mutation" ? changeOutput : readOutput(tool.output),
    annotations: annotationsOf(tool),
    _meta: { group: tool.group },
  };
}

const error = { type: "object", properties: { code: { type: "string" }, message: { type: "string" } } };

/** What every tool that changes something returns: a preview, a commit, or an error, which may come with a preview. */
const changeOutput: Json = {
  type: "object",
  properties: {
    dry_run: { type: "boolean" },
    event: {
      type: "object",
      properties: { id: { type: "string" }, name: { type: "string" }, timezone: { type: "string" } },
    },
    message: { type: "string" },
    ...Object.fromEntries(
      ["current", "proposed", "before", "after", "commit_with"].map((name) => [name, { type: "object" }]),
    ),
    warnings: {
      type: "array",
      items: {
        type: "object",
        properties: { code: { type: "string" }, message: { type: "string" }, path: { type: "string" } },
        required: ["code", "message"],
      },
    },
    expected_version: { type: "string" },
    record_id: { type: "string" },
    error,
  },
  anyOf: [
    { required: ["dry_run", "current", "proposed", "warnings", "expected_version", "commit_with"] },
    { required: ["dry_run", "before", "after", "warnings", "record_id"] },
    { required: ["error"] },
  ],
};

/** Clients validate errors against it too. */
function readOutput(output: z.ZodObject): Json {
  const { root, definitions } = jsonSchemaOf(output, "output");
  const { properties, required = [], ...rest } = outputSchema(root) as Json & { properties: Json };
  return {
    ...rest,
    properties: { ...properties, error },
    anyOf: [{ required }, { required: ["error"] }],
    ...(Object.keys(definitions).length === 0 ? {} : { $defs: fieldsOfOutput(definitions) }),
  };
}

/**
 * One type per schema, for clients that know no others, and no formats: times have the offset of the event's zone, and no seconds
 * where these are zero, which `date-time` requires.
 */
function outputSchema(schema: Json): Json {
  const { type, format: _, pattern: __, properties, items, additionalProperties, anyOf, ...rest } = schema;
  const isAnything = Object.keys(schema).length === 0;
  const types = isAnything ? anyTypes : Array.isArray(type) ? type : undefined;
  return {
    ...rest,
    ...(types === undefined ? type !== undefined && { type } : { anyOf: types.map((each) => ({ type: each })) }),
    ...(anyOf !== undefined && { anyOf: (anyOf as Json[]).map(outputSchema) }),
    ...(properties !== undefined && { properties: fieldsOfOutput(properties as Json) }),
    ...(items !== undefined && { items: outputSchema(items as Json) }),
    ...(additionalProperties !== undefined &&
      !isEmpty(additionalProperties) && { additionalProperties: outputSchema(additionalProperties as Json) }),
  };
}

const anyTypes = ["string", "number", "boolean", "object", "array", "null"];

function fieldsOfOutput(schemas: Json): Json {
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, outputSchema(schema as Json)]));
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
