import sql from "sql-template-tag";
import type { Queryable } from "./db.js";

/** What to do so that the role of the connection may create tables; undefined if it may. */
export async function remedyForTables(db: Queryable): Promise<string | undefined> {
  const [row] = await db.query<{ may: boolean; statement: string }>(sql`
    select coalesce(has_schema_privilege(current_schema(), 'create'), false) as may,
      format('alter database %I owner to %I', current_database(), current_user) as statement`);
  return row?.may === false ? `as a superuser of the server, run: ${row.statement}` : undefined;
}
