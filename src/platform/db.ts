import pg from "pg";
import type { Sql } from "sql-template-tag";

export type Queryable = {
  /**
   * Runs one statement and returns its rows. With a name, which must always have the same text, PostgreSQL plans it once
   * per connection. The embedded database ignores the name, because its connections share one session.
   */
  query<Row extends object>(statement: Sql, name?: string): Promise<Row[]>;
};

export type Database = Queryable & {
  transaction<Result>(
    work: (tx: Queryable) => Promise<Result>,
    options?: { mode?: "read write" | "read only" | "repeatable read, read only" },
  ): Promise<Result>;
  close(): Promise<void>;
};

export type Connection = { connectionString: string } | { host: string; port: number; user: string; database: string };

export function openDatabase(
  connection: Connection,
  options: { poolSize: number; onIdleError: (error: Error) => void },
): Database {
  const pool = new pg.Pool({
    ...connection,
    max: options.poolSize,
    // The embedded database runs one statement at a time: a new connection may have to wait for a long one.
    connectionTimeoutMillis: "host" in connection ? 60_000 : 10_000,
    application_name: "svc",
    types: { getTypeParser },
  });
  pool.on("error", options.onIdleError);
  const usePreparedStatements = "connectionString" in connection;
  return {
    query: queryOn(pool, usePreparedStatements),
    async transaction(work, { mode = "read write" } = {}) {
      const client = await pool.connect();
      // If the connection is lost between two statements, the next statement reports it.
      client.on("error", ignore);
      let broken = false;
      try {
        await client.query(beginStatement[mode]);
        const result = await work({ query: queryOn(client, usePreparedStatements) });
        await client.query("commit");
        return result;
      } catch (error) {
        // A connection that cannot roll back is in an unknown state and must not be reused.
        broken = await client.query("rollback").then(
          () => false,
          () => true,
        );
        throw error;
      } finally {
        client.release(broken);
        client.off("error", ignore);
      }
    },
    close: () => pool.end(),
  };
}

/** The SQLSTATE of a database error, or undefined for any other error. */
export function sqlState(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined;
}

function ignore(): void {}

const beginStatement = {
  "read write": "begin",
  "read only": "begin read only",
  "repeatable read, read only": "begin isolation level repeatable read, read only",
};

function queryOn(target: pg.Pool | pg.PoolClient, usePreparedStatements: boolean): Queryable["query"] {
  return async <Row extends object>({ text, values }: Sql, name?: string) => {
    const query = usePreparedStatements && name !== undefined ? { name, text, values } : { text, values };
    return (await target.query<Row & pg.QueryResultRow>(query)).rows;
  };
}

const asText = (value: string) => value;
const parsers = new Map<number, (value: string) => unknown>([
  [pg.types.builtins.DATE, asText],
  [pg.types.builtins.INT8, Number],
]);

const getTypeParser: pg.CustomTypesConfig["getTypeParser"] = (oid, format) =>
  (format === "binary" ? undefined : parsers.get(oid)) ?? pg.types.getTypeParser(oid, format);
