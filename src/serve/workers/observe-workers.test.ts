import { expect, it } from "vitest";
import { createMetrics, noMetrics } from "../../infra/observability/metrics.js";
import type { ReadinessReport } from "../../infra/observability/readiness.js";
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

it("is ready on a read-only database, also if only one worker has noticed", async () => {
  const readOnly: ReadinessReport = { ready: true, checks: { ...ready.checks, database: "read_only" } };
  expect(await checkOf([ready, readOnly])).toMatchObject(readOnly);
});

it.each([
  ["does not answer", [ready, undefined], { process: "failed", database: "failed", migrations: "failed" }],
  ["drains", [draining, ready], draining.checks],
  ["listens", [], { process: "failed", database: "failed", migrations: "failed" }],
])("is not ready where one %s, or none", async (_what, answers, checks) => {
  expect(await checkOf(answers)).toMatchObject({ ready: false, checks });
});

it("counts what a worker did once, also after it has ended", async () => {
  const worker = await createMetrics();
  worker.platformCall("2xx", 20);
  const answers = new Map([[1, await worker.values()]]);
  let end = (_pid: number) => {};
  const supervisor = {
    listening: () => 1,
    restarts: () => 0,
    onEnded(listener: (pid: number) => void) {
      end = listener;
    },
    askAll: async () => [...answers].map(([pid, answer]) => ({ pid, answer })),
  } as unknown as Supervisor;
  const { metrics } = await observeWorkers(supervisor, noMetrics, 1);
  const calls = async () =>
    /^svc_ticketing_calls_total\{outcome="2xx"\} (\d+)$/m.exec((await metrics.text()).body)?.[1];
  expect(await calls()).toBe("1");
  answers.delete(1);
  end(1);
  expect(await calls()).toBe("1");
});
