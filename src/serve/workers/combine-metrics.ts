import type { MetricsText, MetricValues } from "../../infra/observability/metrics.js";

export type CombinedMetrics = {
  /** The metrics of all processes as those of one. */
  text(values: MetricValues[]): Promise<MetricsText>;
  /** Keeps the counts of a worker that has ended, because a counter that falls would look like a restart. */
  keepCounts(values: MetricValues): void;
};

const slowest = "max";

/** How metrics combine that are not added up. */
const aggregators: Record<string, string | undefined> = {
  svc_build_info: "max",
  svc_draining: "max",
  svc_dependency_up: "min",
  svc_database_writable: "min",
  svc_last_backup_timestamp_seconds: "max",
  svc_last_verified_backup_timestamp_seconds: "max",
  process_start_time_seconds: "min",
  process_max_fds: "min",
  nodejs_eventloop_lag_seconds: slowest,
  nodejs_eventloop_lag_mean_seconds: slowest,
  nodejs_eventloop_lag_stddev_seconds: slowest,
  nodejs_eventloop_lag_p50_seconds: slowest,
  nodejs_eventloop_lag_p90_seconds: slowest,
  nodejs_eventloop_lag_p99_seconds: slowest,
};

export async function createCombinedMetrics(): Promise<CombinedMetrics> {
  const { AggregatorRegistry } = await import("prom-client");
  const combine = (all: MetricValues[]) => AggregatorRegistry.aggregate(all.map(withAggregators));
  let ended: Promise<MetricValues> = Promise.resolve([]);
  return {
    async text(values) {
      const registry = combine([...values, await ended]);
      return { contentType: registry.contentType, body: await registry.metrics() };
    },
    keepCounts(values) {
      const counts = values.filter(({ type }) => isCount(String(type)));
      ended = ended.then((before) => combine([before, counts]).getMetricsAsJSON());
    },
  };
}

function withAggregators(values: MetricValues): object[] {
  return values.map((metric) => ({ ...metric, aggregator: aggregators[metric.name] ?? metric.aggregator ?? "sum" }));
}

const isCount = (type: string) => type === "counter" || type === "histogram";
