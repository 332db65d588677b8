import sql from "sql-template-tag";
import type { Database } from "../../src/infra/database/db.js";

/** How many statements of the database wait for a lock. */
export async function countLockWaits(db: Database): Promise<number> {
  const rows = await db.query(sql`
    select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`);
  return rows.length;
}
