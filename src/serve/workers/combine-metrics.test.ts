import { expect, it } from "vitest";
import { createMetrics } from "../../infra/observability/metrics.js";
import { createCombinedMetrics } from "./combine-metrics.js";

/** The metrics of a process, as they arrive in another one. */
async function processWith({
  calls,
  up,
  draining,
  backup,
}: {
  calls: number;
  up: number;
  draining: number;
  backup?: number;
}) {
  const metrics = await createMetrics();
  for (let call = 0; call < calls; call++) metrics.platformCall("2xx", 20);
  metrics.gauge("svc_dependency_up", "0 during an outage of a dependency", () => up, { dependency: "redis" });
  metrics.gauge("svc_database_writable", "0 while the database is read-only", () => up);
  metrics.gauge("svc_draining", "1 while the process finishes its requests", () => draining);
  metrics.gauge("svc_last_backup_timestamp_seconds", "Last backup", () => backup);
  metrics.gauge("svc_posters_queued", "Posters that wait to be drawn", () => calls);
  return JSON.parse(JSON.stringify(await metrics.values())) as Awaited<ReturnType<typeof metrics.values>>;
}

const valueIn = (text: string, series: string) =>
  Number(
    text
      .split("\n")
      .find((line) => line.startsWith(`${series} `))
      ?.split(" ")
      .at(-1),
  );

it("adds up counters, histograms and most gauges; an outage or drain of one process is one of all", async () => {
  const combined = await createCombinedMetrics();
  const { body } = await combined.text([
    await processWith({ calls: 2, up: 1, draining: 0, backup: 40 }),
    await processWith({ calls: 3, up: 0, draining: 1, backup: 70 }),
    await processWith({ calls: 0, up: 1, draining: 0 }),
  ]);
  expect(valueIn(body, "svc_last_backup_timestamp_seconds")).toBe(70);
  expect(valueIn(body, 'svc_ticketing_calls_total{outcome="2xx"}')).toBe(5);
  expect(valueIn(body, "svc_ticketing_call_duration_seconds_count")).toBe(5);
  expect(valueIn(body, 'svc_ticketing_call_duration_seconds_bucket{le="0.025"}')).toBe(5);
  expect(valueIn(body, "svc_posters_queued")).toBe(5);
  expect(valueIn(body, 'svc_dependency_up{dependency="redis"}')).toBe(0);
  expect(valueIn(body, "svc_database_writable")).toBe(0);
  expect(body).toMatch(/^svc_build_info\{version="[\d.]+",node="[\d.]+"\} 1$/m);
  expect(valueIn(body, "svc_draining")).toBe(1);
  expect(Math.abs(valueIn(body, "process_start_time_seconds") - performance.timeOrigin / 1000)).toBeLessThan(60);
  expect(body).not.toMatch(/ (NaN|null|undefined)$/m);
});

it("keeps the counts of processes that have ended, and nothing else of them", async () => {
  const combined = await createCombinedMetrics();
  for (let ended = 0; ended < 3; ended++) combined.keepCounts(await processWith({ calls: 2, up: 0, draining: 1 }));
  const { body } = await combined.text([await processWith({ calls: 1, up: 1, draining: 0 })]);
  expect(valueIn(body, 'svc_ticketing_calls_total{outcome="2xx"}')).toBe(7);
  expect(valueIn(body, "svc_ticketing_call_duration_seconds_count")).toBe(7);
  expect(valueIn(body, "svc_posters_queued")).toBe(1);
  expect(valueIn(body, 'svc_dependency_up{dependency="redis"}')).toBe(1);
  expect(valueIn(body, "svc_draining")).toBe(0);
});
