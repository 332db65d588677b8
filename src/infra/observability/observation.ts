import type { Sql } from "sql-template-tag";
import type { Database, Queryable } from "../database/db.js";
import { workOf } from "../database/statement-names.js";
import type { TraceParent } from "./request-id.js";

/**
 * What a request did. Endpoints note facts while it runs; when it ends, the log line, the metrics and the trace are made
 * from them. An object that is passed along costs less than AsyncLocalStorage: docs/decisions/operations.md.
 */
export type Observation = {
  keyId: string | null;
  /** The connected app whose token was sent. */
  appId: string | null;
  /** The person who is signed in to the console. */
  userId: string | null;
  organizationId: string | null;
  /** Where one path of the router serves many operations, the path of the operation. */
  route: string | null;
  tool: ObservedTool | null;
  /** Whether this service's rate limit refused the request. */
  rateLimited: boolean;
  /** The time in which a statement was running or waiting for a connection; that of several at once counts once. */
  databaseMs: number;
  /** How many are running, and since when. */
  database: { running: number; since: number };
  /** An error that the caller only sees as a request id. */
  error: unknown;
  /** Null unless the request is traced. */
  trace: RequestTrace | null;
};

declare module "fastify" {
  interface FastifyRequest {
    observation: Observation;
  }
}

export type RequestTrace = { parent: TraceParent; spans: ObservedSpan[] };

export type ObservedTool = { name: string; outcome: string; ms: number };

export type SpanKind = "tool" | "database" | "platform";

export type ObservedSpan = { kind: SpanKind; name: string; startedAt: number; ms: number; failed: boolean };

export function createObservation(trace: RequestTrace | null): Observation {
  return {
    keyId: null,
    appId: null,
    userId: null,
    organizationId: null,
    route: null,
    tool: null,
    rateLimited: false,
    databaseMs: 0,
    database: { running: 0, since: 0 },
    error: undefined,
    trace,
  };
}

/** A request with more spans is cut off: its first ones show what it does. */
const maximumSpans = 200;

/** Runs `work` and notes how long it took. */
export function observe<Result>(
  observation: Observation,
  kind: SpanKind,
  name: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const startedAt = performance.now();
  const { database } = observation;
  if (kind === "database") {
    if (database.running === 0) database.since = startedAt;
    database.running += 1;
  }
  function end(failed: boolean): void {
    const endedAt = performance.now();
    const ms = endedAt - startedAt;
    if (kind === "database") {
      database.running -= 1;
      if (database.running === 0) observation.databaseMs += endedAt - database.since;
    }
    const spans = observation.trace?.spans;
    if (spans !== undefined && spans.length < maximumSpans) spans.push({ kind, name, startedAt, ms, failed });
  }
  return work().then(
    (result) => {
      end(false);
      return result;
    },
    (error: unknown) => {
      end(true);
      throw error;
    },
  );
}

/** The database as one request uses it. */
export function observedDatabase(db: Database, observation: Observation): Database {
  return {
    query: observedQuery(db.query, observation),
    async transaction(work, options) {
      const startedAt = performance.now();
      let workMs = 0;
      try {
        return await db.transaction(async (tx) => {
          const workStartedAt = performance.now();
          try {
            return await work({
              query: observedQuery(tx.query, observation),
              last: observedQuery(tx.last, observation),
            });
          } finally {
            workMs += performance.now() - workStartedAt;
          }
        }, options);
      } finally {
        // Besides its statements: waiting for a connection, begin and commit.
        observation.databaseMs += performance.now() - startedAt - workMs;
      }
    },
    // For commands and exports only: no request uses one.
    session: (work) => db.session(work),
    lookups: { query: observedQuery(db.lookups.query, observation) },
    changes: { query: observedQuery(db.changes.query, observation) },
    listen: (channel, events) => db.listen(channel, events),
    checkWritable: () => db.checkWritable(),
    close: () => db.close(),
  };
}

function observedQuery(query: Queryable["query"], observation: Observation): Queryable["query"] {
  return (statement, name) =>
    observe(observation, "database", statementName(statement, name), () => query(statement, name));
}

/** What a statement with a name does, or its first keyword: never its text or its values. */
export function statementName(statement: Sql, name?: string): string {
  return (name && workOf(name)) ?? /^\s*([a-z]+)/i.exec(statement.strings[0] ?? "")?.[1]?.toLowerCase() ?? "other";
}
