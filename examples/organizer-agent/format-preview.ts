import { isDeepStrictEqual } from "node:util";
import type { Result } from "../agent-client.js";

type Verdict = { name: string; from: string; to: string };

/** A preview as a person would want to read it before the commit: what changes, for whom, and what to watch out for. */
export function formatPreview(name: string, preview: Result): string {
  const { event, message, current, proposed, verdicts, warnings, note } = preview;
  return [
    event === undefined ? name : `${name}: ${event.name}`,
    ...(message === undefined ? [] : [`  ${message}`]),
    ...(verdicts === undefined
      ? differences(current, proposed)
      : verdicts.map((verdict: Verdict) => `  ${verdict.name}: ${verdict.from} → ${verdict.to}`)),
    ...(note === undefined ? [] : [`  ${note}`]),
    ...warnings.map((warning: { message: string }) => `  Warning: ${warning.message}`),
  ].join("\n");
}

function differences(current: Result, proposed: Result): string[] {
  const changed = Object.keys(proposed).filter((field) => !isDeepStrictEqual(current[field], proposed[field]));
  return changed.map((field) =>
    current[field] == null
      ? `  ${field}: ${textOf(proposed[field])}`
      : `  ${field}: ${namesOf(current[field])} → ${namesOf(proposed[field])}`,
  );
}

/** Lists by the names of their rows. */
function namesOf(value: unknown): string {
  return Array.isArray(value) ? value.map((row) => row?.name ?? row?.title ?? textOf(row)).join(", ") : textOf(value);
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return "nothing";
  if (typeof value !== "object") return String(value);
  const parts = Array.isArray(value)
    ? value.map(textOf)
    : Object.entries(value).map(([field, part]) => (isEmpty(part) ? "" : `${field} ${textOf(part)}`));
  return parts.filter((part) => part !== "").join(", ");
}

function isEmpty(value: unknown): boolean {
  return value === null || (typeof value === "object" && Object.keys(value).length === 0);
}
