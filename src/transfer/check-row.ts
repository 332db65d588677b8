import { z } from "zod";
import { withoutUntidy } from "../../contract/schema/characters.js";
import { type Issue, issuesOf } from "../schema/issues.js";
import type { TransferList, TransferListName } from "./transfer-lists.js";

/** `path` is relative to the row, as in `.hosts[0].role`. */
export type ImportProblem = { list: TransferListName; n: number; path: string; message: string };

export type CheckedRow = {
  /** The fields of the row that are valid. */
  data: Record<string, unknown>;
  /** The fields that are not; "" if the row is not an object. */
  invalid: string[];
  problems: ImportProblem[];
  /** The characters that were removed, because the row was stored before they were refused. */
  removed: string[];
};

/** Checks a row. If that finds problems, characters that are no longer stored are removed, so that every export can be imported. */
export function checkRow(list: TransferList, n: number, value: unknown): CheckedRow {
  const checked = checkFields(list, n, value);
  if (checked.problems.length === 0) return checked;
  const { value: cleaned, removed } = withoutUntidy(value);
  return removed.length === 0 ? checked : { ...checkFields(list, n, cleaned), removed };
}

/** Checks each field by itself. Whether a field is required depends on stored rows and is checked later. */
function checkFields(list: TransferList, n: number, value: unknown): CheckedRow {
  const result = parseFields(list, value);
  const issues = result.success ? [] : result.error.issues.flatMap(describeIssue);
  issues.push(...unstorableValues(list, value));
  const rejected = new Set(issues.map(({ path }) => topField(path)));
  const data = result.success && issues.length === 0 ? result.data : validFields(list, value, rejected);
  issues.push(...hostIssues(data));
  const problems = issues.map(({ path, message }) => ({
    list: list.name,
    n,
    path: path === "" ? "" : `.${path}`,
    message,
  }));
  const invalid = [...new Set(issues.map(({ path }) => topField(path)))];
  return { data: withImpliedFields(list, data), invalid, problems, removed: [] };
}

/** Problems are described with the input, which costs a third more: it is only kept for rows that have some. */
function parseFields({ givenFields }: TransferList, value: unknown) {
  const result = givenFields.safeParse(value);
  return result.success ? result : givenFields.safeParse(value, { reportInput: true });
}

function topField(path: string): string {
  return /^[\w-]*/.exec(path)?.[0] ?? "";
}

function validFields(list: TransferList, value: unknown, rejected: Set<string>): Record<string, unknown> {
  const valid: Record<string, unknown> = {};
  if (value === null || typeof value !== "object") return valid;
  for (const [field, content] of Object.entries(value)) {
    const schema = Object.hasOwn(list.givenFields.shape, field) ? list.givenFields.shape[field] : undefined;
    if (schema === undefined || rejected.has(field)) continue;
    const result = (schema as z.ZodType).safeParse(content);
    if (result.success) valid[field] = result.data;
  }
  return valid;
}

function describeIssue(issue: z.core.$ZodIssue): Issue[] {
  const isMissing = issue.input === undefined && issue.path.length > 0;
  const issues = issuesOf(new z.ZodError([issue]));
  return isMissing ? issues.map(({ path }) => ({ path, message: "is required" })) : issues;
}

function hostIssues(row: Record<string, unknown>): Issue[] {
  if (!Array.isArray(row.hosts) || row.hosts.length === 0) return [];
  const count = row.hosts.filter((entry: { role: string }) => entry.role === "host").length;
  return count === 1 ? [] : [{ path: "hosts", message: `expected exactly one entry with role host, got ${count}` }];
}

/** Values that are valid JSON but that JavaScript or PostgreSQL would change or reject. */
function unstorableValues(list: TransferList, value: unknown): Issue[] {
  const issues: Issue[] = [];
  if (value === null || typeof value !== "object") return issues;
  for (const [field, content] of Object.entries(value)) {
    if (!Object.hasOwn(list.schema.shape, field)) continue;
    if (content === null || typeof content !== "object" || Array.isArray(content)) continue;
    if (Object.hasOwn(content, "__proto__")) {
      issues.push({ path: `${field}.__proto__`, message: "reserved name: choose another" });
    }
    if (!hasOnlyFiniteNumbers(content)) {
      issues.push({ path: field, message: "expected numbers from -1e308 to 1e308" });
    }
  }
  return issues;
}

function hasOnlyFiniteNumbers(value: unknown): boolean {
  if (typeof value === "number") return Number.isFinite(value);
  return value === null || typeof value !== "object" || Object.values(value).every(hasOnlyFiniteNumbers);
}

/** Only a declined registration has a previous status. */
function withImpliedFields(list: TransferList, row: Record<string, unknown>): Record<string, unknown> {
  const leavesDeclined = list.name === "registrations" && row.status !== undefined && row.status !== "declined";
  return leavesDeclined && row.previous_status === undefined ? { ...row, previous_status: null } : row;
}
