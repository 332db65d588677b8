import sql from "sql-template-tag";
import type { Queryable } from "../database/db.js";
import { migrationNames } from "../database/migrate.js";
import { shareReads } from "./shared-read.js";

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

/** Whether this process should get requests. One statement answers all probes of a second. */
export function createReadiness(db: Queryable, options = readinessDefaults): Readiness {
  let draining = false;
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

  const checkDatabase = shareReads<DatabaseChecks>(
    queryDatabase,
    () => ({ database: "failed", migrations: "failed" }),
    options,
  );
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
