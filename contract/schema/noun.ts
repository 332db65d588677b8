import { z } from "zod";
import { line } from "./fields.js";

/** One field of a noun. Responses, tool inputs, import rows and SQL are derived from its declaration. */
export type NounField = {
  /** What responses contain. */
  output: z.ZodType;
  /** What an import accepts. A field that accepts null may be omitted. */
  input: z.ZodType;
  /** What tools accept, where it is less than what an import accepts. */
  toolInput?: z.ZodType;
  /** How the column is shown: timestamps in ISO 8601, images under the address of the service. */
  column?: "timestamp" | "image";
};

export type NounFields = Record<string, NounField>;

/** A single-line string or null: the most common kind of field. */
export function nullableLine(maximum: number) {
  return { output: z.string().nullable(), input: line(maximum).nullable() };
}

export function outputsOf<Fields extends NounFields>(fields: Fields) {
  return mapFields(fields, ({ output }) => output) as { [Name in keyof Fields]: Fields[Name]["output"] };
}

type ToolInput<Field extends NounField> = Field extends { toolInput: infer Input extends z.ZodType }
  ? Input
  : Field["input"];

/** What a tool accepts for each field. */
export function toolInputsOf<Fields extends NounFields>(fields: Fields) {
  return mapFields(fields, ({ input, toolInput }) => toolInput ?? input) as {
    [Name in keyof Fields]: ToolInput<Fields[Name]>;
  };
}

/** What a tool that changes fields accepts: any of them. */
export function changesOf<Inputs extends Record<string, z.ZodType>>(inputs: Inputs) {
  return mapFields(inputs, (input) => input.exactOptional()) as {
    [Name in keyof Inputs]: z.ZodExactOptional<Inputs[Name]>;
  };
}

type RowInput<Input extends z.ZodType> = null extends z.output<Input> ? z.ZodOptional<Input> : Input;

/** What a row of an import accepts. */
export function rowInputsOf<Fields extends NounFields>(fields: Fields) {
  return mapFields(fields, ({ input }) => (input.safeParse(null).success ? input.optional() : input)) as {
    [Name in keyof Fields]: RowInput<Fields[Name]["input"]>;
  };
}

function mapFields<Field, Result>(fields: Record<string, Field>, map: (field: Field) => Result) {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, map(field)]));
}
