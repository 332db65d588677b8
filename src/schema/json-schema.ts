import { z } from "zod";

export type Json = Record<string, unknown>;

/** The JSON Schema of a zod schema, and the schemas with an id that it refers to. */
export function jsonSchemaOf(
  schema: z.ZodType,
  io: "input" | "output",
): { root: Json; definitions: Record<string, Json> } {
  const {
    $schema: _,
    $defs = {},
    ...root
  } = z.toJSONSchema(schema, {
    io,
    unrepresentable: "any",
    override: ({ zodSchema, jsonSchema }) => {
      tidy(jsonSchema, io);
      keepDefault(zodSchema, jsonSchema);
    },
  }) as Json & { $defs?: Record<string, Json> };
  return { root, definitions: $defs };
}

/** The schemas of one document: those with an id are collected by name and referenced as `prefix` and the name. */
export type SchemaCollection = {
  byName: Record<string, Json>;
  add(schema: z.ZodType, io: "input" | "output"): Json;
};

export function collectSchemas(prefix: string): SchemaCollection {
  const byName: Record<string, Json> = {};
  const withReferences = (schema: Json) =>
    JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', `"${prefix}`)) as Json;
  return {
    byName,
    add(schema, io) {
      const { root, definitions } = jsonSchemaOf(schema, io);
      for (const [name, definition] of Object.entries(definitions)) byName[name] = withReferences(definition);
      return withReferences(root);
    },
  };
}

/** The content of a JSON response or request body in OpenAPI. */
export function jsonContent(schema: Json, example?: unknown): Json {
  return { "application/json": { schema, ...(example === undefined ? {} : { example }) } };
}

/** RFC 7396, which a PATCH of this service is. */
export const mergePatchType = "application/merge-patch+json";

/** The fields of an object schema, and whether each is required. */
export function fieldsOf(schema: z.ZodObject): { name: string; required: boolean; field: Json }[] {
  const { root, definitions } = jsonSchemaOf(schema, "input");
  const reference = typeof root.$ref === "string" ? root.$ref.replace("#/$defs/", "") : undefined;
  const object = reference === undefined ? root : (definitions[reference] ?? root);
  const required = (object.required ?? []) as string[];
  return Object.entries((object.properties ?? {}) as Record<string, Json>).map(([name, field]) => ({
    name,
    required: required.includes(name),
    field,
  }));
}

/** Removes what contradicts the wire type that `meta` names: a transform keeps the pattern of its string form. */
function tidy(schema: z.core.JSONSchema.BaseSchema, io: "input" | "output"): void {
  if (schema.type !== "string") delete schema.pattern;
  if (schema.format === "uuid" || schema.format === "date") delete schema.pattern;
  if (schema.type === "boolean") delete schema.enum;
  if (schema.type === "integer" && typeof schema.default === "string") schema.default = Number(schema.default);
  if (schema.format === "email" || (schema.format === "date-time" && io === "output")) delete schema.pattern;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  delete schema.id;
  // Fields are added without notice, so a response schema never excludes further ones.
  if (io === "output" && schema.additionalProperties === false) delete schema.additionalProperties;
}

/** zod omits the default of a field that is preprocessed. */
function keepDefault({ _zod: { def } }: z.core.$ZodTypes, schema: z.core.JSONSchema.BaseSchema): void {
  if (def.type === "default" && schema.default === undefined) schema.default = def.defaultValue;
}
