import { z } from "zod";
import { type Issue, issuesOf } from "../schema/issues.js";
import type { TransferList, TransferListName } from "./transfer-lists.js";

/** `path` is relative to the row, as in `.hosts[0].role`. */
export type ImportProblem = { list: TransferListName; n: number; path: string; message: string };

export type CheckedRow = {
  /** The row to be stored or, if it has problems, only the fields by which other rows may refer to it. */
  data: Record<string, unknown>;
  problems: ImportProblem[];
};

export function checkRow(list: TransferList, n: number, value: unknown): CheckedRow {
  const result = list.schema.safeParse(value, { reportInput: true });
  const issues = result.success ? hostIssues(result.data) : result.error.issues.flatMap(describeIssue);
  issues.push(...unstorableValues(list, value));
  if (result.success && issues.length === 0) return { data: withImpliedFields(list, result.data), problems: [] };
  const problems = issues.map(({ path, message }) => ({
    list: list.name,
    n,
    path: path === "" ? "" : `.${path}`,
    message,
  }));
  return { data: identifyingFields(list, value), problems };
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

function identifyingFields(list: TransferList, value: unknown): Record<string, unknown> {
  const identity: Record<string, unknown> = {};
  if (value === null || typeof value !== "object") return identity;
  for (const field of ["id", list.parent?.field, ...list.naturalKey.map((key) => key.column)]) {
    if (field === undefined || !Object.hasOwn(value, field)) continue;
    const schema = list.schema.shape[field] as z.ZodType | undefined;
    const result = schema?.safeParse((value as Record<string, unknown>)[field]);
    if (result?.success) identity[field] = result.data;
  }
  return identity;
}
