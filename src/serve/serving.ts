import { setFlagsFromString } from "node:v8";
import { messageOf } from "../../contract/errors.js";
import type { Config } from "../config.js";
import type { DatabaseLimits } from "../infra/database/database-limits.js";
import { type Connection, type Database, openDatabase } from "../infra/database/db.js";
import type { Log } from "../infra/observability/log.js";
import type { Metrics } from "../infra/observability/metrics.js";
import { createDatabaseObserver, createOperations, type Operations } from "../infra/observability/operations.js";
import { createTraces } from "../infra/observability/traces.js";

/**
 * By how much the heap may grow before it is collected. By default it may multiply on a machine with much memory, which
 * a service with many processes has better uses for; collecting more often costs little, because what lives long is small.
 */
const heapGrowthPercent = 70;

/** How soon a database that became read-only, or writable, is noticed where nobody asks and nobody changes anything. */
const checkEveryMs = 5_000;

/** What a process that serves requests has open besides its app. */
export type Serving = { db: Database; operations: Operations; close(): Promise<void> };

export function openServing(
  config: Config,
  log: Log,
  metrics: Metrics,
  { connection, limits }: { connection: Connection; limits: DatabaseLimits },
): Serving {
  setFlagsFromString(`--heap-growing-percent=${heapGrowthPercent}`);
  // Requests have limits that a migration, a demo load or a command must not have.
  const db = openDatabase(connection, {
    poolSize: config.databasePoolSize,
    // One per connection: the observer logs one line per outage.
    onIdleError: (error) => log.debug({ reason: messageOf(error) }, "lost an idle database connection"),
    limits,
    observer: createDatabaseObserver(log, metrics),
  });
  const traces = config.traces === null ? null : createTraces(config.traces, log);
  metrics.counter("svc_spans_dropped_total", "Spans that were not sent", () => traces?.dropped() ?? 0);
  const operations = createOperations(log, db, { metrics, traces });
  // The embedded database always takes changes.
  const isServer = "connectionString" in connection;
  const timer = isServer ? setInterval(() => void operations.readiness.check(), checkEveryMs).unref() : undefined;
  return {
    db,
    operations,
    async close() {
      clearInterval(timer);
      await traces?.close();
      await db.close();
    },
  };
}
