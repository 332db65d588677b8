import type { Sql } from "sql-template-tag";
import { type Connection, type ConnectionPool, createConnectionPool, type PoolUsage } from "./connection-pool.js";
import { orUnavailable, readOnlyTransaction, sqlState } from "./database-errors.js";
import { type DatabaseLimits, lookupConnections } from "./database-limits.js";
import { type Listener, type ListenerEvents, listen } from "./listener.js";
import {
  type Queryable,
  runTransaction,
  sendStatement,
  type Transaction,
  type TransactionOptions,
} from "./transaction.js";

export type { Connection } from "./connection-pool.js";
export { sqlState } from "./database-errors.js";
export type { Queryable, Transaction, TransactionOptions } from "./transaction.js";

export type Session = Queryable & {
  transaction<Result>(work: (tx: Transaction) => Promise<Result>, options?: TransactionOptions): Promise<Result>;
};

export type Database = Session & {
  /** Runs all work on one connection, for temporary tables that outlive a transaction. */
  session<Result>(work: (session: Session) => Promise<Result>): Promise<Result>;
  /** For looking up keys and checking health: has connections of its own, so that these do not wait for other work. */
  lookups: Queryable;
  /** Listens to a channel on a connection of its own until it is closed. */
  listen(channel: string, events: ListenerEvents): Listener;
  close(): Promise<void>;
};

export type DatabaseOptions = {
  poolSize: number;
  onIdleError: (error: Error) => void;
  /** For a service: limits on waiting, and separate connections for look-ups, reads and changes. Commands have neither. */
  limits?: DatabaseLimits;
  observer?: DatabaseObserver;
};

/** Sees every statement and the use of the pools, for metrics and for the log of outages. */
export type DatabaseObserver = {
  pool(name: string, usage: () => PoolUsage): void;
  statement(statement: Sql, name: string | undefined, ms: number, error: unknown): void;
};

/**
 * Look-ups find single rows. A connection keeps the plans that it made when a table was empty, and a scan is the cheapest
 * then; the table of changes grows by thousands of rows before the server counts them again.
 */
const withoutScans = "set enable_seqscan = off";

/** Changes can wait for each other's locks; reads never do, and keep the larger part of the connections. */
const shareOfChanges = 0.4;

export function openDatabase(connection: Connection, options: DatabaseOptions): Database {
  const pools = createPools(connection, options);
  const pipelines = "connectionString" in connection;
  const queryIn = (pool: ConnectionPool) =>
    observedBy(options.observer, <Row extends object>(statement: Sql, name?: string) =>
      pool.use((client) => sendStatement<Row>({ client, pipelines }, statement, name)).catch(throwUnavailable),
    );
  return {
    query: queryIn(pools.reads),
    lookups: { query: queryIn(pools.lookups) },
    transaction: (work, given = {}) => {
      const mode = given.mode ?? "read write";
      return (mode === "read write" ? pools.changes : pools.reads)
        .use((client) =>
          runTransaction({ client, pipelines }, work, given, (query) => observedBy(options.observer, query)),
        )
        .catch((error: unknown) => {
          // A write in a read-only transaction is a mistake in the code, not the state of the server.
          throw mode !== "read write" && sqlState(error) === readOnlyTransaction ? error : orUnavailable(error);
        });
    },
    session: (work) =>
      pools.changes
        .use((client) =>
          work({
            query: (statement, name) => sendStatement({ client, pipelines }, statement, name),
            transaction: (inner, given) => runTransaction({ client, pipelines }, inner, given),
          }),
        )
        .catch(throwUnavailable),
    listen: (channel, events) => listen(connection, channel, events),
    async close() {
      await Promise.all([...new Set(Object.values(pools))].map((pool) => pool.close()));
    },
  };
}

function createPools(
  connection: Connection,
  { poolSize, onIdleError, limits, observer }: DatabaseOptions,
): Record<keyof DatabaseLimits, ConnectionPool> {
  if (limits === undefined) {
    const pool = createConnectionPool(connection, { size: poolSize, onIdleError });
    observer?.pool("all", pool.usage);
    return { lookups: pool, reads: pool, changes: pool };
  }
  const create = (size: number, use: keyof DatabaseLimits, setUp?: string) => {
    const pool = createConnectionPool(connection, { size: Math.max(1, size), limits: limits[use], onIdleError, setUp });
    observer?.pool(use, pool.usage);
    return pool;
  };
  const changes = Math.floor(poolSize * shareOfChanges);
  return {
    lookups: create(lookupConnections, "lookups", withoutScans),
    reads: create(poolSize - changes, "reads"),
    changes: create(changes, "changes"),
  };
}

/** The same function, with each statement reported to the observer. */
function observedBy(observer: DatabaseObserver | undefined, query: Queryable["query"]): Queryable["query"] {
  if (observer === undefined) return query;
  return async <Row extends object>(statement: Sql, name?: string) => {
    const startedAt = performance.now();
    let failure: unknown;
    try {
      return await query<Row>(statement, name);
    } catch (error) {
      failure = error;
      throw error;
    } finally {
      observer.statement(statement, name, performance.now() - startedAt, failure);
    }
  };
}

function throwUnavailable(error: unknown): never {
  throw orUnavailable(error);
}
