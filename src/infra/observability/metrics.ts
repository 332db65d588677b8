import type { Gauge, MetricObjectWithValues, MetricValue } from "prom-client";
import type { DatabaseObserver } from "../database/db.js";
import { serviceVersion } from "../version.js";
import { type Observation, statementName } from "./observation.js";

/** What a finished request is reported with, in addition to its observation. */
export type FinishedRequest = {
  observation: Observation;
  method: string;
  /** The pattern of the path, never the path itself. */
  route: string;
  status: number;
  /** Whether the caller disconnected before the response was complete. */
  aborted: boolean;
  ms: number;
};

/** Labels have few values: patterns, names of tables in the code, statuses. Never ids or input. */
export type Metrics = {
  request(request: FinishedRequest): void;
  platformCall(outcome: string, ms: number): void;
  statement: DatabaseObserver["statement"];
  /** A value that is read when metrics are; undefined if it is not known. A name may be given again with other labels. */
  gauge(name: string, help: string, read: ReadValue, labels?: Record<string, string>): void;
  /** The same, of a number that only grows. */
  counter(name: string, help: string, read: () => number, labels?: Record<string, string>): void;
  /** All metrics in Prometheus' text format. */
  text(): Promise<MetricsText>;
  /** All metrics as values, which can be combined with those of other processes. */
  values(): Promise<MetricValues>;
};

type ReadValue = () => number | undefined | Promise<number | undefined>;
type Reader = { read: ReadValue; labels: Record<string, string> };
type Counted = { read: () => number; labels: Record<string, string> };
export type MetricsText = { contentType: string; body: string };
export type MetricValues = MetricObjectWithValues<MetricValue<string>>[];

const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** The library is loaded only where metrics are served. */
export async function createMetrics(): Promise<Metrics> {
  const { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } = await import("prom-client");
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const counter = <Label extends string>(name: string, help: string, labelNames: Label[], collect?: () => void) =>
    new Counter({ name, help, labelNames, registers, ...(collect && { collect }) });
  const histogram = <Label extends string>(name: string, help: string, labelNames: Label[]) =>
    new Histogram({ name, help, labelNames, buckets, registers });
  const requests = counter("svc_requests_total", "Finished requests", ["endpoint", "route", "method", "status"]);
  const requestSeconds = histogram("svc_request_duration_seconds", "Time to respond", ["endpoint", "route"]);
  const requestDatabaseSeconds = histogram("svc_request_database_seconds", "Time that requests spend in the database", [
    "endpoint",
  ]);
  const refusals = counter("svc_rate_limit_refusals_total", "Requests refused by a rate limit", ["endpoint"]);
  const tools = counter("svc_tool_calls_total", "Calls of MCP tools", ["tool", "outcome"]);
  const toolSeconds = histogram("svc_tool_duration_seconds", "Time to run a tool", ["tool"]);
  const statementSeconds = histogram(
    "svc_database_statement_duration_seconds",
    "Time to run a statement, with the wait for a connection",
    ["statement"],
  );
  const statementErrors = counter("svc_database_statement_errors_total", "Failed statements", ["statement"]);
  const platformCalls = counter("svc_ticketing_calls_total", "Requests to the ticketing platform", ["outcome"]);
  const platformSeconds = histogram(
    "svc_ticketing_call_duration_seconds",
    "Time until the ticketing platform's response starts",
    [],
  );
  const buildInfo = { version: serviceVersion, node: process.versions.node };
  const buildHelp = "1, with the versions of the service and of Node";
  new Gauge({ name: "svc_build_info", help: buildHelp, registers, labelNames: Object.keys(buildInfo) }).set(
    buildInfo,
    1,
  );
  const gauges = new Map<string, Reader[]>();
  const counters = new Map<string, Counted[]>();
  return {
    request({ observation, method, route, status, aborted, ms }) {
      const endpoint = endpointOf(route);
      requests.inc({ endpoint, route, method, status: aborted ? "aborted" : String(status) });
      requestSeconds.observe({ endpoint, route }, ms / 1000);
      if (observation.databaseMs > 0) requestDatabaseSeconds.observe({ endpoint }, observation.databaseMs / 1000);
      if (observation.rateLimited) refusals.inc({ endpoint });
      if (observation.tool === null) return;
      tools.inc({ tool: observation.tool.name, outcome: observation.tool.outcome });
      toolSeconds.observe({ tool: observation.tool.name }, observation.tool.ms / 1000);
    },
    platformCall(outcome, ms) {
      platformCalls.inc({ outcome });
      platformSeconds.observe(ms / 1000);
    },
    statement(statement, name, ms, error) {
      const label = statementName(statement, name);
      statementSeconds.observe({ statement: label }, ms / 1000);
      if (error !== undefined) statementErrors.inc({ statement: label });
    },
    gauge(name, help, read, labels = {}) {
      addReader(gauges, name, { read, labels }, (readers) => {
        const collect = () => updateGauge(gauge, readers);
        const gauge: Gauge = new Gauge({ name, help, labelNames: Object.keys(labels), registers, collect });
      });
    },
    counter(name, help, read, labels = {}) {
      addReader(counters, name, { read, labels }, (readers) => {
        const collect = () => {
          made.reset();
          for (const each of readers) made.inc(each.labels, each.read());
        };
        const made = counter(name, help, Object.keys(labels), collect);
      });
    },
    text: async () => ({ contentType: registry.contentType, body: await registry.metrics() }),
    values: () => registry.getMetricsAsJSON(),
  };
}

/** A name may be given again with other labels: the metric is made with the first. */
function addReader<Each>(
  all: Map<string, Each[]>,
  name: string,
  reader: Each,
  create: (readers: Each[]) => void,
): void {
  const readers = all.get(name) ?? [];
  readers.push(reader);
  if (readers.length > 1) return;
  all.set(name, readers);
  create(readers);
}

async function updateGauge(gauge: Gauge, readers: Reader[]): Promise<void> {
  for (const { read, labels } of readers) {
    const value = await read();
    if (value === undefined) gauge.remove(labels);
    else gauge.set(labels, value);
  }
}

/** Where metrics are not served. */
export const noMetrics: Metrics = {
  request: ignore,
  platformCall: ignore,
  statement: ignore,
  gauge: ignore,
  counter: ignore,
  text: async () => ({ contentType: "text/plain", body: "" }),
  values: async () => [],
};

const prefixes = { "/api/mcp": "mcp", "/api/ticketing": "ticketing", "/api/svc": "rest", "/images": "images" };

/** The endpoint that a route belongs to. */
function endpointOf(route: string): string {
  for (const [prefix, endpoint] of Object.entries(prefixes)) if (route.startsWith(prefix)) return endpoint;
  return "other";
}

function ignore(): void {}
