import type { PoolLimits } from "./connection-pool.js";

/** Connections for looking up keys and checking health. Look-ups are combined while all of them are in use. */
export const lookupConnections = 2;

/** How many connections a process has at most: its pool, those for look-ups, and one that listens for changes. */
export function connectionsPerProcess(poolSize: number): number {
  return poolSize + lookupConnections + 1;
}

/** By what a connection is used for: looking up keys, reading, or changing data. */
export type DatabaseLimits = { lookups: PoolLimits; reads: PoolLimits; changes: PoolLimits };

/**
 * Limits of a service on PostgreSQL. A request looks up its key and then reads or changes data: waiting for a connection
 * and using it, twice, add up to less than 10 s, also with the 1.5 s for which a change is tried again. A change waits for
 * a lock only briefly, because it occupies a connection meanwhile; it is tried again without holding one
 * (conflict-retries.ts).
 */
export const serverLimits: DatabaseLimits = {
  lookups: { acquireMs: 1_500, waiting: 200, lockMs: 1_000, statementMs: 1_500, useMs: 2_000 },
  reads: { acquireMs: 2_000, waiting: 200, lockMs: 2_000, statementMs: 3_500, useMs: 4_000 },
  changes: { acquireMs: 1_500, waiting: 200, lockMs: 100, statementMs: 2_500, useMs: 3_000 },
};

const patient: PoolLimits = { acquireMs: 8_000, waiting: 200, lockMs: 0, statementMs: 0, useMs: 8_000 };

/**
 * The embedded database runs one statement at a time for the service and for commands that run at the same time, so a request also waits
 * for the statements of others, such as the final write of an import.
 */
export const embeddedLimits: DatabaseLimits = { lookups: patient, reads: patient, changes: patient };
