import { expect, it } from "vitest";
import { noMetrics } from "../platform/observability/metrics.js";
import type { ReadinessReport } from "../platform/observability/readiness.js";
import { observeWorkers } from "./observe-workers.js";
import type { Supervisor } from "./supervisor.js";

const ready: ReadinessReport = { ready: true, checks: { process: "ok", database: "ok", migrations: "ok" } };
const draining: ReadinessReport = { ready: false, checks: { ...ready.checks, process: "draining" } };

async function checkOf(answers: (ReadinessReport | undefined)[]) {
  const supervisor = {
    listening: () => answers.length,
    restarts: () => 0,
    onEnded() {},
    askAll: async () => answers.map((answer, pid) => ({ pid, answer })),
  } as unknown as Supervisor;
  const { readiness } = await observeWorkers(supervisor, noMetrics, 2);
  return readiness.check();
}

it("is ready while all workers that listen are, also if one of them is missing", async () => {
  expect(await checkOf([ready, ready])).toEqual({ ...ready, workers: { listening: 2, expected: 2 } });
  expect(await checkOf([ready])).toEqual({ ...ready, workers: { listening: 1, expected: 2 } });
});

it.each([
  ["does not answer", [ready, undefined], { process: "failed", database: "failed", migrations: "failed" }],
  ["drains", [draining, ready], draining.checks],
  ["listens", [], { process: "failed", database: "failed", migrations: "failed" }],
])("is not ready where one %s, or none", async (_what, answers, checks) => {
  expect(await checkOf(answers)).toMatchObject({ ready: false, checks });
});
