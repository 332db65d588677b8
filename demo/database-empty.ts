import sql from "sql-template-tag";
import type { Queryable } from "../src/infra/database/db.js";

/** Whether nobody has put anything into the database yet: no people, organizations, conferences or keys. */
export async function isDatabaseEmpty(db: Queryable): Promise<boolean> {
  const [row] = await db.query<{ empty: boolean }>(sql`
    select not exists (select from users) and not exists (select from organizations)
      and not exists (select from conferences) and not exists (select from api_keys) as empty`);
  return row?.empty ?? false;
}
