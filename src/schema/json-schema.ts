import { z } from "zod";

export type Json = Record<string, unknown>;

/** JSON Schema of a zod schema: the root itself, and beside it the schemas with an id that it refers to. */
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
    override: ({ jsonSchema }) => tidy(jsonSchema, io),
  }) as Json & { $defs?: Record<string, Json> };
  return { root, definitions: $defs };
}

/** The fields of an object schema, with those that are required. */
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

/** A transform hides the wire type that `meta` names; patterns of its text form would contradict it. */
function tidy(schema: z.core.JSONSchema.BaseSchema, io: "input" | "output"): void {
  if (schema.type !== "string") delete schema.pattern;
  if (schema.format === "uuid" || schema.format === "date") delete schema.pattern;
  if (schema.type === "boolean") delete schema.enum;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  delete schema.id;
  // Fields are added without notice: a client must not be told that there are no others.
  if (io === "output" && schema.additionalProperties === false) delete schema.additionalProperties;
}
