import type { OperationsSources } from "../../http/operations-server.js";
import type { Metrics, MetricValues } from "../../infra/observability/metrics.js";
import { type CheckResult, checkResults, type ReadinessReport } from "../../infra/observability/readiness.js";
import { createCombinedMetrics } from "./combine-metrics.js";
import type { Supervisor } from "./supervisor.js";

const answerMs = 2_000;
const aliveMs = 10_000;

/** What the operations port serves: metrics and health of all workers as those of one process. */
export async function observeWorkers(
  supervisor: Supervisor,
  own: Metrics,
  expected: number,
): Promise<OperationsSources> {
  const combined = await createCombinedMetrics();
  /** By process id. A worker that does not answer in time has the values of its last answer. */
  const lastValues = new Map<number, MetricValues>();
  own.gauge("svc_workers_listening", "Workers that listen", supervisor.listening);
  own.gauge("svc_workers_expected", "Workers that should listen", () => expected);
  own.counter("svc_worker_restarts_total", "Workers started in place of one that ended", supervisor.restarts);
  supervisor.onEnded((pid) => {
    combined.keepCounts(lastValues.get(pid) ?? []);
    lastValues.delete(pid);
  });
  return {
    metrics: {
      async text() {
        for (const { pid, answer } of await supervisor.askAll("metrics", answerMs)) {
          if (answer !== undefined) lastValues.set(pid, answer);
        }
        return combined.text([await own.values(), ...lastValues.values()]);
      },
    },
    readiness: {
      async check() {
        const reports = (await supervisor.askAll("readiness", answerMs)).map(({ answer }) => answer ?? unresponsive);
        return { ...combineReports(reports), workers: { listening: reports.length, expected } };
      },
      isAlive: async () => (await supervisor.askAll("alive", aliveMs)).every(({ answer }) => answer === true),
    },
  };
}

const unresponsive: ReadinessReport = {
  ready: false,
  checks: { process: "failed", database: "failed", migrations: "failed" },
};

/** Ready if all that listen are, even if one is being replaced: the others serve its share. */
function combineReports(reports: ReadinessReport[]): ReadinessReport {
  if (reports.length === 0) return unresponsive;
  const worst = (name: keyof ReadinessReport["checks"]): CheckResult => {
    const results = reports.map(({ checks }) => checks[name]);
    return checkResults.findLast((result) => results.includes(result)) ?? "ok";
  };
  return {
    ready: reports.every(({ ready }) => ready),
    checks: { process: worst("process"), database: worst("database"), migrations: worst("migrations") },
  };
}
