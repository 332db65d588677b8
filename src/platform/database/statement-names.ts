import { hash } from "node:crypto";
import type { Sql } from "sql-template-tag";

/** More than the service has: a statement whose text varies without bound must not fill the memory of the server. */
const maximumNames = 500;

const names = new Map<string, string>();

/**
 * The name under which connections keep a statement that is planned once: what it does, and its text, because what a
 * caller sees and which filters are given make different texts. Undefined when there are too many texts.
 */
export function nameOf(work: string, { text }: Sql): string | undefined {
  const known = names.get(text);
  if (known !== undefined || names.size >= maximumNames) return known;
  const name = `${work} #${hash("sha256", text, "hex").slice(0, 24)}`;
  names.set(text, name);
  return name;
}

/** What the statement does. */
export function workOf(name: string): string {
  return name.split(" #", 1)[0] ?? name;
}
