import sql from "sql-template-tag";
import type { Queryable } from "../database/db.js";
import { migrationNames } from "../database/migrate.js";

export type CheckResult = "ok" | "failed" | "draining";

export type ReadinessReport = {
  ready: boolean;
  checks: { process: CheckResult; database: CheckResult; migrations: CheckResult };
};

export type Readiness = {
  check(): Promise<ReadinessReport>;
  /** From now on the process is not ready: it finishes its requests and stops. */
  startDraining(): void;
  isDraining(): boolean;
};

const readinessDefaults = { timeoutMs: 1_000, sharedMs: 1_000 };

type DatabaseChecks = Pick<ReadinessReport["checks"], "database" | "migrations">;

/**
 * Whether this process should get requests. One statement answers all probes of a second, and a probe waits for it no
 * longer than the timeout, so that probes cannot load the database.
 */
export function createReadiness(db: Queryable, options = readinessDefaults): Readiness {
  let draining = false;
  let shared: { until: number; result: Promise<DatabaseChecks> } | undefined;

  function checkDatabase(): Promise<DatabaseChecks> {
    const now = performance.now();
    if (shared === undefined || now >= shared.until) {
      shared = { until: Number.POSITIVE_INFINITY, result: queryDatabase() };
      const current = shared;
      // A statement that hangs is not repeated: its result is shared until it ends.
      void current.result.finally(() => {
        current.until = performance.now() + options.sharedMs;
      });
    }
    return within(options.timeoutMs, shared.result);
  }

  async function queryDatabase(): Promise<DatabaseChecks> {
    try {
      const rows = await db.query<{ name: string }>(sql`select name from schema_migrations`, "check readiness");
      const applied = new Set(rows.map(({ name }) => name));
      const complete = (await migrationNames()).every((name) => applied.has(name));
      return { database: "ok", migrations: complete ? "ok" : "failed" };
    } catch {
      return { database: "failed", migrations: "failed" };
    }
  }

  return {
    async check() {
      const checks = { process: draining ? ("draining" as const) : ("ok" as const), ...(await checkDatabase()) };
      return { ready: Object.values(checks).every((result) => result === "ok"), checks };
    },
    startDraining() {
      draining = true;
    },
    isDraining: () => draining,
  };
}

function within(timeoutMs: number, result: Promise<DatabaseChecks>): Promise<DatabaseChecks> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve({ database: "failed", migrations: "failed" }), timeoutMs);
    void result.then((value) => {
      clearTimeout(timer);
      resolve(value);
    });
  });
}
