import type { z } from "zod";
import type { List, ListName } from "./lists.js";

export type Problem = { list: ListName; n: number; path: string; message: string };

export type CheckedRow = {
  /** The row as it is stored or, when it has problems, what others may still refer to it by. */
  data: Record<string, unknown>;
  problems: Problem[];
};

export function checkRow(list: List, n: number, value: unknown): CheckedRow {
  const result = list.schema.safeParse(value);
  const found = result.success
    ? disagreements(result.data)
    : result.error.issues.flatMap((issue) => describe(issue, value));
  found.push(...unkeepable(value));
  if (result.success && found.length === 0) return { data: withImplied(list, result.data), problems: [] };
  return { data: identityOf(list, value), problems: found.map((problem) => ({ list: list.name, n, ...problem })) };
}

type Found = { path: string; message: string };

/** What fits the schema field by field, and yet not together. */
function disagreements(row: Record<string, unknown>): Found[] {
  if (!Array.isArray(row.hosts) || row.hosts.length === 0) return [];
  const hosts = row.hosts.filter((item: { role: string }) => item.role === "host").length;
  return hosts === 1 ? [] : [{ path: ".hosts", message: `expects exactly one with the role host, not ${hosts}` }];
}

/** What JSON can say and neither JavaScript nor the database keeps as it was said. */
function unkeepable(value: unknown): Found[] {
  const found: Found[] = [];
  if (value === null || typeof value !== "object") return found;
  for (const [field, content] of Object.entries(value)) {
    if (content === null || typeof content !== "object" || Array.isArray(content)) continue;
    if (Object.hasOwn(content, "__proto__")) {
      found.push({ path: pathOf([field, "__proto__"]), message: "expects another name: this one is reserved" });
    }
    if (!hasOnlyFinite(content)) found.push({ path: pathOf([field]), message: "expects no number beyond 1e308" });
  }
  return found;
}

function hasOnlyFinite(value: unknown): boolean {
  if (typeof value === "number") return Number.isFinite(value);
  return value === null || typeof value !== "object" || Object.values(value).every(hasOnlyFinite);
}

/** Only a declined registration has a state to go back to. */
function withImplied(list: List, row: Record<string, unknown>): Record<string, unknown> {
  const moves = list.name === "registrations" && row.status !== undefined && row.status !== "declined";
  return moves && row.previous_status === undefined ? { ...row, previous_status: null } : row;
}

function identityOf(list: List, value: unknown): Record<string, unknown> {
  const identity: Record<string, unknown> = {};
  if (value === null || typeof value !== "object") return identity;
  for (const field of ["id", list.parent?.field, ...list.key.map((key) => key.column)]) {
    if (field === undefined || !Object.hasOwn(value, field)) continue;
    const result = list.schema.shape[field]?.safeParse((value as Record<string, unknown>)[field]) as
      | z.ZodSafeParseResult<unknown>
      | undefined;
    if (result?.success) identity[field] = result.data;
  }
  return identity;
}

const kinds: Record<string, string> = {
  object: "an object",
  record: "an object",
  array: "a list",
  string: "a text",
  boolean: "true or false",
  number: "a number",
  int: "a whole number",
};

function describe(issue: z.core.$ZodIssue, row: unknown): Found[] {
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => ({ path: pathOf([...issue.path, key]), message: "is not a known field" }));
  }
  return [{ path: pathOf(issue.path), message: messageFor(issue, row) }];
}

function messageFor(issue: z.core.$ZodIssue, row: unknown): string {
  if (issue.path.length > 0 && valueAt(row, issue.path) === undefined) return "is required";
  if (issue.code === "invalid_key") {
    const [inner] = issue.issues;
    return inner === undefined
      ? "expects another name"
      : `expects another name: ${messageFor({ ...inner, path: [] }, row)}`;
  }
  // The schemas of the fields say what they expect; these are the library's own texts.
  if (!/^(Invalid|Too |Unrecognized)/.test(issue.message)) return issue.message;
  if (issue.code === "invalid_type") return `expects ${kinds[issue.expected] ?? issue.expected}`;
  if (issue.code === "invalid_value") return `expects one of ${issue.values.map(String).join(", ")}`;
  const unit = "origin" in issue && issue.origin === "string" ? " characters" : "";
  if (issue.code === "too_big") return `expects at most ${issue.maximum}${unit}`;
  if (issue.code === "too_small") return `expects at least ${issue.minimum}${unit}`;
  return "is not valid";
}

function valueAt(row: unknown, path: PropertyKey[]): unknown {
  let value = row;
  for (const step of path) {
    if (value === null || typeof value !== "object" || !Object.hasOwn(value, step)) return undefined;
    value = (value as Record<PropertyKey, unknown>)[step];
  }
  return value;
}

function pathOf(path: PropertyKey[]): string {
  return path
    .map((step) => {
      if (typeof step === "number") return `[${step}]`;
      return /^\w+$/.test(String(step)) ? `.${String(step)}` : `[${JSON.stringify(String(step))}]`;
    })
    .join("");
}
