import sql from "sql-template-tag";
import type { Database, Queryable } from "../../src/infra/database/db.js";

/** How many statements of the database wait for a lock. */
export async function countLockWaits(db: Database): Promise<number> {
  const rows = await db.query(sql`
    select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`);
  return rows.length;
}

/** Whether another transaction waits for this one. Not from `pg_stat_activity`, of which a transaction keeps its first view. */
export async function isWaitedFor(tx: Queryable): Promise<boolean> {
  const waiting = await tx.query(sql`
    select from pg_locks where not granted and pg_backend_pid() = any (pg_blocking_pids(pid))`);
  return waiting.length > 0;
}
