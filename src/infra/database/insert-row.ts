import sql, { join } from "sql-template-tag";
import type { Queryable } from "./db.js";
import { identifier } from "./update-row.js";

/**
 * Inserts one row with the given fields, unless another row has a value that must be unique; then it returns false. Table
 * and column names come from declarations, never from a request.
 */
export async function insertRow(tx: Queryable, table: string, fields: Record<string, unknown>): Promise<boolean> {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  const rows = await tx.query(sql`
    insert into ${identifier(table)} (${join(given.map(([name]) => identifier(name)))})
    values (${join(given.map(([, value]) => sql`${value}`))})
    on conflict do nothing returning 1 as one`);
  return rows.length > 0;
}
