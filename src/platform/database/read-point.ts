import sql from "sql-template-tag";

/**
 * When a statement has read: the transactions that it saw, and the server that counts them. Another server, as after a
 * failover, may give the numbers of lost transactions to others.
 */
export type ReadPoint = { server: string; snapshot: string };

/** The read point of a statement, as its own columns. */
export const readPointColumns = sql`
  extract(epoch from pg_postmaster_start_time())::text as server, pg_current_snapshot()::text as snapshot`;
