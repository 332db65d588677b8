import type pg from "pg";
import sql, { type Sql } from "sql-template-tag";
import { retryConflicts } from "./conflict-retries.js";
import { type Connection, type ConnectionPool, createConnectionPool, type PoolUsage } from "./connection-pool.js";
import { isReadOnly, orUnavailable } from "./database-errors.js";
import { type DatabaseLimits, lookupConnections } from "./database-limits.js";
import { watchFailover } from "./failover.js";
import { type Listener, type ListenerEvents, listen } from "./listener.js";
import { type SharedConnections, shareConnections } from "./shared-connections.js";
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

/** `query` and transactions that only read use connections on which the server of a service refuses changes. */
export type Database = Session & {
  /** For a change that is one statement: runs it as a transaction of its own, and again after a conflict. */
  changes: Queryable;
  /** Runs all work on one connection, for temporary tables that outlive a transaction. */
  session<Result>(work: (session: Session) => Promise<Result>): Promise<Result>;
  /** For looking up keys and checking health: has connections of its own, so that these do not wait for other work. */
  lookups: Queryable;
  /** Listens to a channel on a connection of its own until it is closed. */
  listen(channel: string, events: ListenerEvents): Listener;
  /** Whether it takes changes: a standby does not, nor does a server or database that is set to read-only. */
  checkWritable(): Promise<boolean>;
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
  /** Whether the database takes changes, as a change or a check has shown. */
  writable(isWritable: boolean): void;
};

const readsOnly = { default_transaction_read_only: "on" };

/**
 * Look-ups find single rows. A connection keeps the plans that it made when a table was empty, and a scan is the cheapest
 * then; the table of changes grows by thousands of rows before the server counts them again.
 */
const withoutScans = { enable_seqscan: "off" };

/** Fails where a change would, and changes nothing. */
const lockNothing = sql`select from schema_migrations limit 0 for update`;

/** Changes can wait for each other's locks; reads never do, and keep the larger part of the connections. */
const shareOfChanges = 0.4;

export function openDatabase(connection: Connection, options: DatabaseOptions): Database {
  const pipelines = "connectionString" in connection;
  const pools = createPools(connection, options, pipelines);
  const { observer } = options;
  const observed = (query: Queryable["query"]) => observedBy(observer, query);
  const listeners = new Set<Listener>();
  const failover = watchFailover({
    onWritable: (isWritable) => observer?.writable(isWritable),
    tryChange: () => change(lockNothing, "check writable"),
    renewConnections() {
      for (const each of [pools.lookups, pools.reads, pools.changes, ...listeners]) each.renew();
    },
  });

  function throwFailedChange(error: unknown): never {
    if (isReadOnly(error)) failover.changeRefused();
    throw orUnavailable(error);
  }

  const queryIn =
    (pool: ConnectionPool): Queryable["query"] =>
    <Row extends object>(statement: Sql, name?: string) =>
      pool.use((client) => sendStatement<Row>({ client, pipelines }, statement, name));
  const { shared } = pools;
  const read = observed(failingWith(throwFailedRead, shared?.query ?? queryIn(pools.reads)));
  const change = observed(failingWith(throwFailedChange, queryIn(pools.changes)));
  return {
    query: read,
    lookups: { query: observed(failingWith(throwFailedRead, queryIn(pools.lookups))) },
    changes: {
      query: async (statement, name) => failover.afterChange(await retryConflicts(() => change(statement, name))),
    },
    async transaction(work, given = {}) {
      const mode = given.mode ?? "read write";
      // Every statement of such a transaction sees what is committed when it starts, with or without BEGIN.
      if (mode === "read only" && shared !== undefined) return work({ query: read, last: read });
      const isRead = mode.endsWith("read only");
      const run = (client: pg.PoolClient) => runTransaction({ client, pipelines }, work, given, observed);
      return isRead
        ? pools.reads.use(run).catch(throwFailedRead)
        : pools.changes.use(run).then(failover.afterChange, throwFailedChange);
    },
    session: (work) =>
      pools.changes
        .use((client) =>
          work({
            query: (statement, name) => sendStatement({ client, pipelines }, statement, name),
            transaction: (inner, given) => runTransaction({ client, pipelines }, inner, given),
          }),
        )
        .catch(throwFailedChange),
    listen(channel, events) {
      const listener = listen(connection, channel, events);
      listeners.add(listener);
      return {
        ...listener,
        close() {
          listeners.delete(listener);
          return listener.close();
        },
      };
    },
    // The embedded database always does.
    checkWritable: async () => !pipelines || failover.checkWritable(),
    async close() {
      await Promise.all([...new Set([pools.lookups, pools.reads, pools.changes])].map((pool) => pool.close()));
    },
  };
}

/** `shared` sends single statements to the connections for reading, where that is possible. */
type Pools = Record<keyof DatabaseLimits, ConnectionPool> & { shared: SharedConnections | undefined };

function createPools(
  connection: Connection,
  { poolSize, onIdleError, limits, observer }: DatabaseOptions,
  pipelines: boolean,
): Pools {
  if (limits === undefined) {
    const pool = createConnectionPool(connection, { size: poolSize, onIdleError });
    observer?.pool("all", pool.usage);
    return { lookups: pool, reads: pool, changes: pool, shared: undefined };
  }
  const create = (size: number, use: keyof DatabaseLimits, settings?: Record<string, string>) => {
    const own = { size: Math.max(1, size), limits: limits[use], settings };
    return createConnectionPool(connection, { ...own, onIdleError });
  };
  const changesSize = Math.floor(poolSize * shareOfChanges);
  const lookups = create(lookupConnections, "lookups", { ...readsOnly, ...withoutScans });
  const reads = create(poolSize - changesSize, "reads", readsOnly);
  const changes = create(changesSize, "changes");
  const shared = pipelines ? shareConnections(reads, limits.reads) : undefined;
  observer?.pool("lookups", lookups.usage);
  observer?.pool("reads", () => {
    const usage = reads.usage();
    return { ...usage, waiting: usage.waiting + (shared?.waiting() ?? 0) };
  });
  observer?.pool("changes", changes.usage);
  return { lookups, reads, changes, shared };
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

function failingWith(handle: (error: unknown) => never, query: Queryable["query"]): Queryable["query"] {
  return <Row extends object>(statement: Sql, name?: string) => query<Row>(statement, name).catch(handle);
}

/** A change in a read is a mistake in the code, not the state of the server. */
function throwFailedRead(error: unknown): never {
  throw isReadOnly(error) ? error : orUnavailable(error);
}
