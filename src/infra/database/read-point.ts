import sql from "sql-template-tag";

/**
 * When a statement has read: the transactions that it saw, and the server that counts them. Another server, as after a
 * failover, may give the numbers of lost transactions to others. On a standby the server is null, because the snapshot may
 * leave out transactions in progress: nothing that was read there is known to be unchanged.
 */
export type ReadPoint = { server: string | null; snapshot: string };

/** The read point of a statement, as its own columns. */
export const readPointColumns = sql`
  case when not pg_is_in_recovery() then extract(epoch from pg_postmaster_start_time())::text end as server,
  pg_current_snapshot()::text as snapshot`;
