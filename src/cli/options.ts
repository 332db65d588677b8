import { InvalidArgumentError } from "commander";
import type { z } from "zod";

/** Reads an option's value as a field of that kind is read everywhere else. */
export function parseWith(schema: z.ZodType<string>): (value: string) => string {
  return (value) => {
    const result = schema.safeParse(value);
    if (!result.success) throw new InvalidArgumentError(`It ${result.error.issues[0]?.message ?? "is not valid"}.`);
    return result.data;
  };
}
