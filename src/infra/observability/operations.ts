import { isOutage, isOverload } from "../database/database-errors.js";
import type { Database, DatabaseObserver } from "../database/db.js";
import type { Log } from "./log.js";
import { type Metrics, noMetrics } from "./metrics.js";
import { createOutage } from "./outage.js";
import { createReadiness, type Readiness } from "./readiness.js";
import type { Traces } from "./traces.js";

/** What an operator sees of a process: its log, metrics, traces, and whether it should get requests. */
export type Operations = { log: Log; metrics: Metrics; traces: Traces | null; readiness: Readiness };

export function createOperations(
  log: Log,
  db: Database,
  given: { metrics?: Metrics; traces?: Traces | null } = {},
): Operations {
  const metrics = given.metrics ?? noMetrics;
  const readiness = createReadiness(db);
  metrics.gauge("svc_draining", "1 while the process finishes its requests before it stops", () =>
    readiness.isDraining() ? 1 : 0,
  );
  return { log, metrics, traces: given.traces ?? null, readiness };
}

/** Name and help of the gauge that each dependency adds its label to. */
export const dependencyGauge = ["svc_dependency_up", "0 during an outage of a dependency"] as const;

/** Feeds metrics, and logs one line per outage of the database. */
export function createDatabaseObserver(log: Log, metrics: Metrics): DatabaseObserver {
  const outage = createOutage(log, "database");
  const overload = createOutage(log, "database", {
    started: "requests are refused: all connections to the database are in use",
    ended: "connections to the database are free again",
  });
  // The check has shown that changes are possible, so it ends at once.
  const readOnly = createOutage(log, "database", {
    started: "the database is read-only: changes are refused with 503",
    ended: "the database takes changes again",
    quietMs: 0,
  });
  // A database that has not responded yet is reported by the start itself.
  let responded = false;
  metrics.gauge(...dependencyGauge, () => (outage.available() ? 1 : 0), { dependency: "database" });
  metrics.gauge("svc_database_writable", "0 while the database refuses changes because it is read-only", () =>
    readOnly.available() ? 1 : 0,
  );
  return {
    pool(name, usage) {
      const labels = { pool: name };
      metrics.gauge("svc_database_pool_used", "Connections in use", () => usage().used, labels);
      metrics.gauge("svc_database_pool_idle", "Connections without work", () => usage().idle, labels);
      metrics.gauge("svc_database_pool_waiting", "Requests waiting for a connection", () => usage().waiting, labels);
    },
    statement(statement, name, ms, error) {
      metrics.statement(statement, name, ms, error);
      if (error === undefined) {
        responded = true;
        outage.succeeded();
        overload.succeeded();
      } else if (responded && isOutage(error)) outage.failed(error);
      else if (isOverload(error)) overload.failed(error);
    },
    writable(isWritable) {
      if (isWritable) readOnly.succeeded();
      else readOnly.failed(new Error("a change was refused"));
    },
  };
}
