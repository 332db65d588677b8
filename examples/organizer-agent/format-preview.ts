import type { Result } from "../agent-client.js";

/** A preview as a person would want to read it before the commit: what changes, for whom, and what to watch out for. */
export function formatPreview(name: string, preview: Result): string {
  const { message, changes = [], verdicts = {}, warnings = [], note } = preview;
  return [
    name,
    ...(message === undefined ? [] : [`  ${message}`]),
    ...changes.map(({ path, from, to }: { path: string; from: unknown; to: unknown }) =>
      from == null ? `  ${path}: ${textOf(to)}` : `  ${path}: ${textOf(from)} → ${textOf(to)}`,
    ),
    ...Object.values(verdicts).map((verdict) => `  ${verdict}`),
    ...(note === undefined ? [] : [`  ${note}`]),
    ...warnings.map((warning: { message: string }) => `  Warning: ${warning.message}`),
  ].join("\n");
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return "nothing";
  if (typeof value !== "object") return String(value);
  const parts = Array.isArray(value)
    ? value.map(textOf)
    : Object.entries(value).map(([field, part]) => `${field} ${textOf(part)}`);
  return parts.join(", ");
}
