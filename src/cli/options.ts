import { InvalidArgumentError } from "commander";
import type { z } from "zod";
import { capitalized } from "../../contract/capitalized.js";

/** Parses the value of an option with the schema of the field it sets. */
export function parseWith(schema: z.ZodType<string>): (value: string) => string {
  return (value) => {
    const result = schema.safeParse(value);
    if (result.success) return result.data;
    throw new InvalidArgumentError(`${capitalized(result.error.issues[0]?.message ?? "expected another value")}.`);
  };
}
