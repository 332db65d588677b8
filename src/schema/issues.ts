import { isDeepStrictEqual } from "node:util";
import type { z } from "zod";
import { ServiceError } from "../../contract/errors.js";

export type Issue = { path: string; message: string };

/** The first problems of an input, each with the path of the field and what was expected. */
export function issuesOf(error: z.ZodError): Issue[] {
  const found: Issue[] = [];
  for (const issue of error.issues) {
    // Two rules of a field may say the same.
    found.push(...flatten(issue, []).filter((next) => !found.some((known) => isDeepStrictEqual(known, next))));
    // One more than is shown, so that the message can say that there are more.
    if (found.length > maximumIssues) return found.slice(0, maximumIssues + 1);
  }
  return found;
}

/** The issues as one line, for an error message. */
export function describeIssues(issues: Issue[]): string {
  return issues
    .slice(0, maximumIssues)
    .map((issue) => (issue.path === "" ? issue.message : `${issue.path}: ${issue.message}`))
    .concat(issues.length > maximumIssues ? ["and more"] : [])
    .join("; ");
}

export const maximumIssues = 10;
export const unknownField = "unknown field";
/** Names come from the caller: the message must not grow with them. */
const longestName = 100;

function flatten(issue: z.core.$ZodIssue, parents: PropertyKey[]): Issue[] {
  const path = [...parents, ...issue.path];
  switch (issue.code) {
    case "unrecognized_keys":
      return issue.keys
        .slice(0, maximumIssues + 1)
        .map((key) => ({ path: pathText([...path, key]), message: unknownField }));
    case "invalid_key":
      return issue.issues.flatMap((inner) => flatten(inner, path));
    case "invalid_value":
      return [issueAt(path, issue, issue.message.startsWith("expected") ? issue.message : oneOf(issue))];
    default:
      return [issueAt(path, issue, issue.message.replace(/^Invalid input: |, received undefined$/g, ""))];
  }
}

/** That a field is missing is known where the parser reports inputs (`reportInput`). */
function issueAt(path: PropertyKey[], issue: z.core.$ZodIssue, message: string): Issue {
  const isMissing = "input" in issue && issue.input === undefined && !message.startsWith("is required");
  return { path: pathText(path), message: isMissing ? `is required: ${message}` : message };
}

function oneOf(issue: z.core.$ZodIssueInvalidValue): string {
  return `expected ${issue.values.length === 1 ? "" : "one of "}${issue.values.map(String).join(", ")}`;
}

function pathText(path: PropertyKey[]): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === "number") return `${text}[${part}]`;
    const name = typeof part === "string" && !/^[\w-]+$/.test(part) ? JSON.stringify(part) : String(part);
    const short = name.length > longestName ? `${name.slice(0, longestName)}…` : name;
    return text === "" ? short : `${text}.${short}`;
  }, "");
}

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
