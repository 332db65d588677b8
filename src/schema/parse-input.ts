import type { z } from "zod";
import { ServiceError } from "../../contract/errors.js";
import { describeIssues, issuesOf } from "./issues.js";

/** What a route declares a part of its request to be; undefined if it declares nothing. A problem is a 400. */
export function parseInput<Schema extends z.ZodType>(
  schema: Schema | undefined,
  value: unknown,
): z.output<Schema> | undefined {
  if (schema === undefined) return undefined;
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issues = issuesOf(result.error);
  const field = issues[0]?.path;
  throw new ServiceError("invalid_input", describeIssues(issues), field === undefined ? {} : { field });
}
