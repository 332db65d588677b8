import { hash } from "node:crypto";
import sql, { raw, type Sql } from "sql-template-tag";
import type { Queryable } from "./transaction.js";

/** More than the service has: a statement whose text varies without bound must not fill the memory of the server. */
const maximumNames = 500;

export type NameOf = (work: string, statement: Sql) => string | undefined;

/**
 * The name under which connections keep a statement that is planned once: what it does, and its text, because what a
 * caller sees and which filters are given make different texts. Undefined when there are too many texts.
 */
export const nameOf: NameOf = createStatementNames(maximumNames);

/**
 * A number as part of the text. For a parameter in a limit the planner would assume a tenth of the table, and plan anew for
 * every request.
 */
export function inlined(number: number): Sql {
  if (!Number.isInteger(number)) throw new Error(`not an integer: ${number}`);
  return raw(String(number));
}

/**
 * A value as a subquery, which the planner does not see. Where a value promises fewer rows than the average one, such as a
 * position near the end of a list, it would otherwise plan anew for every request. Only where one plan is the best for all
 * values: an organization can host ten events or tens of thousands.
 */
export function asSubquery(value: string | undefined, type: ValueType): Sql {
  return sql`(select ${value}::${raw(type)})`;
}

export type ValueType = "date" | "float8" | "timestamptz" | "uuid";

/** Runs the statement of the template that follows, under its name. */
export function queryNamed<Row extends object>(db: Queryable, work: string) {
  return (...template: Parameters<typeof sql>): Promise<Row[]> => {
    const statement = sql(...template);
    return db.query<Row>(statement, nameOf(work, statement));
  };
}

export function createStatementNames(maximum: number): NameOf {
  const names = new Map<string, string>();
  return (work, { text }) => {
    const key = `${work} ${text}`;
    const known = names.get(key);
    if (known !== undefined || names.size >= maximum) return known;
    const name = `${work} #${hash("sha256", text, "hex").slice(0, 24)}`;
    names.set(key, name);
    return name;
  };
}

/** What the statement does. */
export function workOf(name: string): string {
  return name.split(" #", 1)[0] ?? name;
}
