import sql, { raw } from "sql-template-tag";
import type { Queryable } from "../../src/infra/database/db.js";

/**
 * Rows and latest row version of every table: every committed write changes them, even one that stores equal values. Left
 * out is what a service writes by itself from time to time.
 */
export async function tableVersions(db: Queryable): Promise<Record<string, string | null>> {
  const tables = await db.query<{ name: string }>(sql`
    select tablename as name from pg_tables
    where schemaname = 'public' and tablename not in ('changes', 'change_horizon') order by 1`);
  const parts = tables.map(
    ({ name }) => `(select count(*) || ' ' || coalesce(max(xmin::text::bigint), 0) from "${name}") as "${name}"`,
  );
  const [row] = await db.query<Record<string, string | null>>(raw(`select ${parts.join(", ")}`));
  return row ?? {};
}
