import { ServiceError } from "../../contract/errors.js";

/** Requires that a new order lists every row; the error names missing and unknown ids. No id is given twice. */
export function requireEachOnce(field: string, given: string[], existing: string[]): void {
  const named = new Set(given);
  const known = new Set(existing);
  const problems = {
    missing: existing.filter((id) => !named.has(id)),
    unknown: [...named].filter((id) => !known.has(id)),
  };
  const texts = Object.entries(problems).flatMap(([problem, ids]) =>
    ids.length === 0 ? [] : [`${problem}: ${ids.join(", ")}`],
  );
  if (texts.length === 0) return;
  throw new ServiceError(
    "invalid_input",
    `${field}: expected every id of the event exactly once; ${texts.join("; ")}`,
    {
      details: problems,
    },
  );
}
