import type { Sql } from "sql-template-tag";
import type { ConnectionPool, PoolLimits, UsedConnection } from "./connection-pool.js";
import { isConnectionError, overloaded } from "./database-errors.js";
import { type Queryable, sendStatement } from "./transaction.js";

/**
 * How many statements a connection is sent before it has answered the first. The server then has its next statement when it
 * has finished one, and both sides make fewer system calls.
 */
export const statementsPerConnection = 8;

/** A connection that has run its statement for this long is not sent others, which would wait behind it. */
export const slowAfterMs = 50;

/** A connection while it runs statements. */
type SharedConnection = {
  used: UsedConnection;
  running: number;
  /** When the server got to the statement that it runs now. */
  runsSince: number;
  isClosed: boolean;
  /** Ends when the server has not responded for too long. */
  timer: NodeJS.Timeout | undefined;
};

type WaitingStatement = {
  statement: Sql;
  name: string | undefined;
  resolve(rows: object[]): void;
  reject(error: unknown): void;
  isWaiting: boolean;
  /** Ends when it has waited for too long. */
  timer: NodeJS.Timeout | undefined;
};

export type SharedConnections = {
  query: Queryable["query"];
  /** How many statements wait for a connection. */
  waiting(): number;
};

/**
 * Runs single statements on connections of the pool that they share. A statement gets a connection of its own while one is
 * free, and otherwise joins those of the connection that has the fewest and is not slow. Only for statements that read:
 * they do not wait for locks, and can be repeated when a connection is closed because of another one.
 */
export function shareConnections(pool: ConnectionPool, limits: PoolLimits): SharedConnections {
  const connections = new Set<SharedConnection>();
  const waiting: WaitingStatement[] = [];
  let opening = 0;

  /** Finds connections for the statements that wait, except for those that one is being opened for. */
  function assign(): void {
    while (waiting.length > opening) {
      if (pool.hasRoom()) void open();
      else {
        // None of them takes another statement while a transaction waits for a connection.
        const connection = pool.usage().waiting > 0 ? undefined : leastBusy(connections);
        if (connection === undefined) break;
        startNext(connection);
      }
    }
    // All are in use for transactions: wait for one, like these.
    if (waiting.length > 0 && connections.size + opening === 0) void open();
  }

  async function open(): Promise<void> {
    opening += 1;
    try {
      const used = await pool.acquire();
      const runsSince = performance.now();
      const connection: SharedConnection = { used, running: 0, runsSince, isClosed: false, timer: undefined };
      connection.timer = setTimeout(() => {
        connection.isClosed = true;
        used.abandon();
      }, limits.useMs);
      connections.add(connection);
      opening -= 1;
      startNext(connection);
      if (connection.running === 0) release(connection);
    } catch (error) {
      opening -= 1;
      endWait(waiting.shift())?.reject(error);
    }
    assign();
  }

  function startNext(connection: SharedConnection): void {
    const next = endWait(waiting.shift());
    if (next === undefined) return;
    connection.running += 1;
    const { client, explain } = connection.used;
    sendStatement({ client, pipelines: true }, next.statement, next.name).then(
      (rows) => {
        end(connection);
        next.resolve(rows);
      },
      (error: unknown) => {
        end(connection, error);
        next.reject(explain(error));
      },
    );
  }

  /** After a statement: the next ones are sent before anybody handles its result. */
  function end(connection: SharedConnection, error?: unknown): void {
    connection.running -= 1;
    connection.isClosed ||= isConnectionError(error);
    connection.runsSince = performance.now();
    connection.timer?.refresh();
    assign();
    if (connection.running > 0) return;
    release(connection, error);
    assign();
  }

  function release(connection: SharedConnection, failure?: unknown): void {
    clearTimeout(connection.timer);
    connections.delete(connection);
    connection.used.release(failure);
  }

  const countWaiting = () => Math.max(0, waiting.length - opening);

  const query = <Row extends object>(statement: Sql, name?: string) =>
    new Promise<Row[]>((resolve, reject) => {
      const count = countWaiting();
      if (count >= limits.waiting) throw overloaded(`${count} requests are waiting for a connection`);
      const rows = resolve as WaitingStatement["resolve"];
      const own: WaitingStatement = { statement, name, resolve: rows, reject, isWaiting: true, timer: undefined };
      waiting.push(own);
      assign();
      if (!own.isWaiting) return;
      own.timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(own), 1);
        reject(overloaded("no connection became free in time"));
      }, limits.acquireMs);
    });

  return { query, waiting: countWaiting };
}

function leastBusy(connections: Iterable<SharedConnection>): SharedConnection | undefined {
  const latest = performance.now() - slowAfterMs;
  let found: SharedConnection | undefined;
  for (const connection of connections) {
    const { used, running, runsSince, isClosed } = connection;
    if (isClosed || !used.isCurrent() || running >= statementsPerConnection || runsSince < latest) continue;
    if (found === undefined || running < found.running) found = connection;
  }
  return found;
}

function endWait(statement: WaitingStatement | undefined): WaitingStatement | undefined {
  if (statement === undefined) return undefined;
  statement.isWaiting = false;
  clearTimeout(statement.timer);
  return statement;
}
