import pg from "pg";
import { messageOf, ServiceError } from "../../../contract/errors.js";
import { isConnectionError, isReadOnly, overloaded, unavailable } from "./database-errors.js";

export type Connection = { connectionString: string } | { host: string; port: number; user: string; database: string };

export type PoolLimits = {
  /** How long a caller waits for a connection. */
  acquireMs: number;
  /** How many callers may wait for one at the same time. */
  waiting: number;
  /** How long a statement waits for a lock, and how long it runs. The embedded database enforces neither. */
  lockMs: number;
  statementMs: number;
  /** How long a statement or transaction may use a connection before it is closed, whatever the server does. */
  useMs: number;
};

export type PoolOptions = {
  size: number;
  /** Without limits, for commands whose statements may take long. */
  limits?: PoolLimits | undefined;
  onIdleError: (error: Error) => void;
  /** Settings of the sessions on a server. The embedded database has one session for all. */
  settings?: Record<string, string> | undefined;
};

/** A connection in use. */
export type UsedConnection = {
  client: pg.PoolClient;
  /** Closes it because the server does not respond. Connections opened earlier are not reused either. */
  abandon(): void;
  /** False for one that is to be given up when its work is done. */
  isCurrent(): boolean;
  /** What a caller is told about an error of a statement. */
  explain(error: unknown): unknown;
  /** After a failure, it is used again only if that is possible. */
  release(failure?: unknown): void;
};

export type ConnectionPool = {
  /** Runs the work on a connection of its own. Throws `unavailable` if there is none in time, or if it is lost. */
  use<Result>(work: (client: pg.PoolClient) => Promise<Result>): Promise<Result>;
  /** A connection for as long as it is needed; the caller limits that. */
  acquire(): Promise<UsedConnection>;
  /** Whether a connection is free, or can be opened, for one caller more. */
  hasRoom(): boolean;
  usage(): PoolUsage;
  /** Gives up the connections that are open, because they may lead to a server that is no longer the primary. */
  renew(): void;
  close(): Promise<void>;
};

/** Connections in use, connections without work, and callers that wait for one. */
export type PoolUsage = { used: number; idle: number; waiting: number };

export function createConnectionPool(connection: Connection, options: PoolOptions): ConnectionPool {
  const { limits } = options;
  const isEmbedded = "host" in connection;
  const pool = new pg.Pool({
    ...withSettings(connection, options.settings),
    max: options.size,
    // The embedded database runs one statement at a time: a new connection may have to wait for a long one.
    connectionTimeoutMillis: limits?.acquireMs ?? (isEmbedded ? 60_000 : 10_000),
    application_name: "svc",
    keepAlive: true,
    keepAliveInitialDelayMillis: 5_000,
    types: { getTypeParser },
    // Statements of a transaction are sent without waiting for each other (transaction.ts).
    pipeline: !isEmbedded,
    ...(limits === undefined || isEmbedded ? {} : sessionTimeouts(limits)),
  });
  pool.on("error", options.onIdleError);
  const connectedIn = new WeakMap<pg.PoolClient, number>();
  // Connections of an earlier one are not used again.
  let generation = 0;
  pool.on("connect", (client) => {
    connectedIn.set(client, generation);
    // For the life of the connection: the pool listens only while it is idle, and an error without a listener ends the
    // process. The statement that runs, or the next one, reports it.
    client.on("error", () => {});
  });

  const isCurrent = (client: pg.PoolClient) => connectedIn.get(client) === generation;

  async function connect(): Promise<pg.PoolClient> {
    if (limits !== undefined && pool.waitingCount >= limits.waiting) {
      throw overloaded(`${pool.waitingCount} requests are waiting for a connection`);
    }
    try {
      for (;;) {
        const client = await pool.connect();
        if (isCurrent(client)) return client;
        destroy(client);
        client.release(true);
      }
    } catch (error) {
      // The text of pg-pool when all connections stay in use; one that cannot be opened fails with another.
      if (messageOf(error) === "timeout exceeded when trying to connect") {
        throw overloaded("no connection became free in time");
      }
      throw unavailable("it cannot be connected to", error);
    }
  }

  async function acquire(): Promise<UsedConnection> {
    const client = await connect();
    let isAbandoned = false;
    return {
      client,
      abandon() {
        isAbandoned = true;
        generation += 1;
        destroy(client);
      },
      isCurrent: () => isCurrent(client),
      explain: (error) =>
        isAbandoned && !(error instanceof ServiceError) ? unavailable("it did not answer in time", error) : error,
      release: (failure) => client.release(!isCurrent(client) || isUnusable(client, failure)),
    };
  }

  return {
    async use(work) {
      const used = await acquire();
      const timer = limits && setTimeout(used.abandon, limits.useMs);
      let failure: unknown;
      try {
        return await work(used.client);
      } catch (error) {
        failure = error;
        throw used.explain(error);
      } finally {
        clearTimeout(timer);
        used.release(failure);
      }
    },
    acquire,
    hasRoom: () => pool.idleCount > pool.waitingCount || pool.totalCount < options.size,
    usage: () => ({
      used: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
    }),
    renew() {
      generation += 1;
    },
    close: () => pool.end(),
  };
}

/** The connection with settings added to those in its URL. */
function withSettings(connection: Connection, settings: Record<string, string> | undefined): Connection {
  if (settings === undefined || "host" in connection) return connection;
  const url = new URL(connection.connectionString);
  const options = Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`);
  url.searchParams.set("options", [url.searchParams.get("options") ?? [], options].flat().join(" "));
  return { connectionString: url.href };
}

/** Closes without saying goodbye to a server that may not answer. */
function destroy(client: pg.PoolClient): void {
  (client as unknown as { connection: pg.Connection }).connection.stream.destroy();
}

/** A connection that is lost, in an unknown state, or that became read-only after a failover must not be used again. */
function isUnusable(client: pg.PoolClient, failure: unknown): boolean {
  if (failure === undefined) return false;
  const cause = failure instanceof Error && failure.cause !== undefined ? failure.cause : failure;
  if (isConnectionError(cause) || isReadOnly(cause)) return true;
  return (client as unknown as { getTransactionStatus(): string | null }).getTransactionStatus() !== "I";
}

function sessionTimeouts({ lockMs, statementMs, useMs }: PoolLimits) {
  return {
    lock_timeout: lockMs,
    statement_timeout: statementMs,
    // Frees the locks of a process that is gone without having closed its connection.
    idle_in_transaction_session_timeout: useMs,
  };
}

const asText = (value: string) => value;
const parsers = new Map<number, (value: string) => unknown>([
  [pg.types.builtins.DATE, asText],
  [pg.types.builtins.INT8, Number],
]);

const getTypeParser: pg.CustomTypesConfig["getTypeParser"] = (oid, format) =>
  (format === "binary" ? undefined : parsers.get(oid)) ?? pg.types.getTypeParser(oid, format);
