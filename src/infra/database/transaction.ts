import pg from "pg";
import type { Sql } from "sql-template-tag";
import { isConnectionError, unconfirmed } from "./database-errors.js";

export type Queryable = {
  /**
   * Runs one statement and returns its rows. With a name, which must always have the same text, PostgreSQL plans it once
   * per connection. The embedded database ignores the name, because its connections share one session.
   */
  query<Row extends object>(statement: Sql, name?: string): Promise<Row[]>;
};

/**
 * Statements that are started without waiting for each other run in this order, and are sent to PostgreSQL together. After
 * one that fails, the others fail too: the first error is the cause. For `read only` neither is promised: a service then
 * runs each statement by itself.
 */
export type Transaction = Queryable & {
  /** Runs the last statement and commits, in one round trip. The transaction is over when it resolves. */
  last: Queryable["query"];
};

export type TransactionOptions = {
  mode?: keyof typeof beginStatement;
  /**
   * Sends BEGIN together with the first statements, as a transaction that only reads always does. They must only read or
   * lock: if BEGIN failed, they would run by themselves.
   */
  opensWithReads?: boolean;
};

const beginStatement = {
  "read write": "begin",
  "read only": "begin read only",
  "repeatable read": "begin isolation level repeatable read",
  "repeatable read, read only": "begin isolation level repeatable read, read only",
};

/** A connection, and whether it sends statements without waiting for the responses to earlier ones. */
export type OpenConnection = { client: pg.PoolClient; pipelines: boolean };

type Observe = (query: Queryable["query"]) => Queryable["query"];

/**
 * Statements of one turn of the event loop are written at once. With a callback, because the promise of the driver keeps the
 * rows of one request reachable from the next (docs/performance.md, "What a request leaves behind").
 */
export function sendStatement<Row extends object>(
  { client, pipelines }: OpenConnection,
  { text, values }: Pick<Sql, "text" | "values">,
  name?: string,
): Promise<Row[]> {
  if (pipelines) {
    const { stream } = (client as unknown as { connection: pg.Connection }).connection;
    stream.cork();
    process.nextTick(uncork, stream);
  }
  return new Promise<Row[]>((resolve, reject) => {
    // An object with these fields would be copied by the driver, property by property: 2 % of the time of a tool call.
    const query: pg.Query & { name?: string } = new pg.Query<Row & pg.QueryResultRow>(text, values, (error, result) => {
      if (error) reject(error);
      else resolve(result.rows);
    });
    // The connections to the embedded database share one session, in which a name would be taken.
    if (pipelines && name !== undefined) query.name = name;
    client.query(query);
  }).catch(rethrowFromHere);
}

/** An error of the server is made where its bytes arrive: this stack leads to who has sent the statement. */
function rethrowFromHere(error: Error): never {
  Error.captureStackTrace(error);
  throw error;
}

function uncork(stream: pg.Connection["stream"]): void {
  stream.uncork();
}

export async function runTransaction<Result>(
  connection: OpenConnection,
  work: (tx: Transaction) => Promise<Result>,
  { mode = "read write", opensWithReads = false }: TransactionOptions = {},
  observe: Observe = (query) => query,
): Promise<Result> {
  const { pipelines } = connection;
  const run = pipelines ? sendStatement : inTurn();
  const onlyReads = mode.endsWith("read only");
  let isOver = false;
  try {
    const begun = run(connection, plain(beginStatement[mode]));
    begun.catch(() => {});
    if (!onlyReads && !opensWithReads) await begun;
    const query = async <Row extends object>(statement: Sql, name?: string) => {
      if (isOver) throw new Error("a statement was started after the end of its transaction");
      // A result counts only if BEGIN has succeeded.
      const [rows] = await Promise.all([run<Row>(connection, statement, name), begun]);
      return rows;
    };
    const last = async <Row extends object>(statement: Sql, name?: string) => {
      isOver = true;
      return runAndCommit<Row>(run, connection, statement, name);
    };
    const result = await work({ query: observe(query), last: observe(last) });
    if (isOver) return result;
    isOver = true;
    const ended = commit(run, connection);
    // Nothing depends on the end of a transaction that only reads, and what follows on the connection is sent after it.
    if (onlyReads && pipelines) ended.catch(() => {});
    else await ended;
    return result;
  } catch (error) {
    isOver = true;
    // If it fails, the connection is not used again, which ends the transaction too.
    await run(connection, plain("rollback")).catch(() => {});
    throw error;
  }
}

/** Where statements cannot be sent ahead, each waits for those that were started before it. */
function inTurn(): typeof sendStatement {
  let previous: Promise<unknown> = Promise.resolve();
  return <Row extends object>(...given: Parameters<typeof sendStatement>) => {
    const result = previous.then(() => sendStatement<Row>(...given));
    previous = result.catch(() => {});
    return result;
  };
}

/** COMMIT after a statement that failed is a ROLLBACK, so both can be sent at once. */
async function runAndCommit<Row extends object>(
  run: typeof sendStatement,
  connection: OpenConnection,
  statement: Sql,
  name: string | undefined,
): Promise<Row[]> {
  // Other values could fail in the driver: the statement would not be sent, and COMMIT would be.
  const isSent = statement.values.every((value) => value === null || typeof value === "string");
  if (!connection.pipelines || !isSent) {
    const rows = await run<Row>(connection, statement, name);
    await commit(run, connection);
    return rows;
  }
  const [rows, ended] = await Promise.allSettled([run<Row>(connection, statement, name), commit(run, connection)]);
  if (rows.status === "rejected") {
    // COMMIT was sent: only an error from the server says that it was not executed.
    throw rows.reason instanceof pg.DatabaseError ? rows.reason : unconfirmed(rows.reason);
  }
  if (ended.status === "rejected") throw ended.reason;
  return rows.value;
}

async function commit(run: typeof sendStatement, connection: OpenConnection): Promise<void> {
  try {
    await run(connection, plain("commit"));
  } catch (error) {
    throw isConnectionError(error) ? unconfirmed(error) : error;
  }
}

function plain(text: string): Pick<Sql, "text" | "values"> {
  return { text, values: [] };
}
