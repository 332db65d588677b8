import sql, { join, raw } from "sql-template-tag";
import type { Queryable } from "./db.js";

/**
 * Writes the given fields of one row and leaves the others as they are stored. Table and column names come from
 * declarations, never from a request.
 */
export async function updateRow(
  tx: Queryable,
  table: string,
  key: Record<string, string>,
  fields: Record<string, unknown>,
): Promise<void> {
  const assignments = Object.entries(fields).filter(([, value]) => value !== undefined);
  if (assignments.length === 0) return;
  const equal = ([name, value]: [string, unknown]) => sql`${identifier(name)} = ${value}`;
  await tx.query(sql`
    update ${identifier(table)} set ${join(assignments.map(equal))}
    where ${join(Object.entries(key).map(equal), " and ")}`);
}

export function identifier(name: string) {
  if (!/^[a-z_]+$/.test(name)) throw new Error(`not a column or table name: ${name}`);
  return raw(name);
}
