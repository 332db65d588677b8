import { hash } from "node:crypto";
import { canonicalJson } from "../../contract/canonical-json.js";

/** The same for values that differ only in the order of their keys. */
export function hashOfJson(value: unknown): string {
  return hash("sha256", canonicalJson(value), "hex");
}
