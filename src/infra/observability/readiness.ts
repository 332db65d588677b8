import { setTimeout as sleep } from "node:timers/promises";
import sql from "sql-template-tag";
import type { Database } from "../database/db.js";
import { migrationNames } from "../database/migrate.js";
import { shareReads } from "./shared-read.js";

/** From the best to the worst. */
export const checkResults = ["ok", "read_only", "draining", "failed"] as const;

export type CheckResult = (typeof checkResults)[number];

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

/** With `read_only` a process is ready, because it can serve reads; another one would have the same database. */
const readyResults: CheckResult[] = ["ok", "read_only"];

const readinessDefaults = { timeoutMs: 1_000, writableMs: 500, sharedMs: 1_000 };

type DatabaseChecks = Pick<ReadinessReport["checks"], "database" | "migrations">;

/** Whether this process should get requests. Two statements answer all probes of a second. */
export function createReadiness(
  db: Pick<Database, "lookups" | "checkWritable">,
  options = readinessDefaults,
): Readiness {
  let draining = false;
  let isWritable = true;

  async function queryDatabase(): Promise<DatabaseChecks> {
    try {
      const [rows] = await Promise.all([
        db.lookups.query<{ name: string }>(sql`select name from schema_migrations`, "check readiness"),
        checkWritable(),
      ]);
      const applied = new Set(rows.map(({ name }) => name));
      const complete = (await migrationNames()).every((name) => applied.has(name));
      return { database: isWritable ? "ok" : "read_only", migrations: complete ? "ok" : "failed" };
    } catch {
      return failed;
    }
  }

  /** Keeps the last result if all connections for changes are in use: changes that wait do not make a process unready. */
  async function checkWritable(): Promise<void> {
    const checked = db.checkWritable().then(
      (result) => {
        isWritable = result;
      },
      () => {},
    );
    await Promise.race([checked, sleep(options.writableMs, undefined, { ref: false })]);
  }

  const checkDatabase = shareReads<DatabaseChecks>(queryDatabase, () => failed, options);

  return {
    async check() {
      const checks = { process: draining ? ("draining" as const) : ("ok" as const), ...(await checkDatabase()) };
      return { ready: Object.values(checks).every((result) => readyResults.includes(result)), checks };
    },
    startDraining() {
      draining = true;
    },
    isDraining: () => draining,
  };
}

const failed: DatabaseChecks = { database: "failed", migrations: "failed" };
