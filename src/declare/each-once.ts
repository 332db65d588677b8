import { ServiceError } from "../platform/errors.js";

/** A new order names every row exactly once: what is missing, unknown or named twice is said by id. */
export function requireEachOnce(field: string, given: string[], existing: string[]): void {
  const missing = existing.filter((id) => !given.includes(id));
  const unknown = given.filter((id) => !existing.includes(id));
  const twice = given.filter((id, index) => given.indexOf(id) !== index);
  const problems = [
    ...(missing.length > 0 ? [`missing: ${missing.join(", ")}`] : []),
    ...(unknown.length > 0 ? [`not of this event: ${unknown.join(", ")}`] : []),
    ...(twice.length > 0 ? [`named twice: ${twice.join(", ")}`] : []),
  ];
  if (problems.length === 0) return;
  throw new ServiceError("invalid_input", `${field}: expects every id exactly once; ${problems.join("; ")}`);
}
