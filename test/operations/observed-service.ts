import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import sql from "sql-template-tag";
import { buildApp } from "../../src/app.js";
import { type Config, loadConfig } from "../../src/config.js";
import { type Connection, openDatabase } from "../../src/infra/database/db.js";
import { createMetrics, type Metrics } from "../../src/infra/observability/metrics.js";
import { createDatabaseObserver, createOperations } from "../../src/infra/observability/operations.js";
import { createTraces } from "../../src/infra/observability/traces.js";
import { call } from "../support/call.js";
import { type Make, makerOn } from "../support/make.js";
import { createMemoryLog, type LogLine } from "../support/memory-log.js";
import { publicUrl, type Service } from "../support/service.js";
import { openServiceDatabase } from "../support/service-database.js";
import { workerDatabase } from "../support/worker-database.js";
import { startRecordingUpstream } from "../ticketing/support/recording-upstream.js";

export type ObservedService = Service & {
  make: Make;
  metrics: Metrics;
  upstream: Awaited<ReturnType<typeof startRecordingUpstream>>;
  logged(): { text: string; lines: LogLine[] };
  /** The lines of finished requests, once there are as many. */
  requestLines(count: number): Promise<LogLine[]>;
  linkedEvent(organizationId: string): Promise<string>;
};

/** The whole service with everything that operators see: its log, metrics, and traces if there is a collector. */
export async function startObservedService(
  collector: Collector | null = null,
  limits: Partial<Config["limits"]> = {},
  connection: Connection = workerDatabase.connection,
): Promise<ObservedService> {
  const { log, text, lines } = createMemoryLog("debug");
  const upstream = await startRecordingUpstream();
  const defaults = loadConfig({});
  const config: Config = {
    ...defaults,
    publicUrl,
    ticketing: { url: upstream.url, apiKey: "platform-secret-3f9a1c77e2" },
    limits: { rest: 1_000_000, ticketing: 1_000_000, mcp: 1_000_000, ...limits },
  };
  const metrics = await createMetrics();
  const observer = createDatabaseObserver(log, metrics);
  const serviceDb = openServiceDatabase(connection, { observer });
  const db = openDatabase(connection, { poolSize: 4, onIdleError: () => {} });
  const traces =
    collector === null
      ? null
      : createTraces({ endpoint: collector.url, headers: collector.headers, serviceName: "svc-test", ratio: 1 }, log, {
          queue: 1_000,
          batch: 10,
          intervalMs: 20,
          timeoutMs: 5_000,
        });
  const app = buildApp(config, serviceDb, log, {}, createOperations(log, serviceDb, { metrics, traces }));
  await app.listen({ port: 0, host: "127.0.0.1" });
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
  const make = makerOn(db);
  const finished = () => lines().filter(({ msg }) => msg === "request" || msg === "request failed");
  return {
    db,
    url,
    server: app.server,
    make,
    metrics,
    upstream,
    call: (path, options) => call(url, path, options),
    logged: () => ({ text: text(), lines: lines() }),
    async requestLines(count) {
      while (finished().length < count) await new Promise((resolve) => setTimeout(resolve, 5));
      return finished();
    },
    async linkedEvent(organizationId) {
      const id = await make.event(await make.conference(), { hosts: [organizationId] });
      await db.query(sql`update events set ticketing_event_id = ${`evt-${id}`} where id = ${id}`);
      return id;
    },
    async close() {
      await app.close();
      await traces?.close();
      await upstream.close();
      await Promise.all([serviceDb.close(), db.close()]);
    },
  };
}

// biome-ignore lint/suspicious/noExplicitAny: spans are read as JSON.
type Json = any;

export type Collector = {
  url: string;
  headers: Record<string, string>;
  received: { path: string; headers: IncomingHttpHeaders; text: string }[];
  spans(): Json[];
  respondWith(status: number): void;
  close(): Promise<void>;
};

/** A small OpenTelemetry collector: OTLP over HTTP in JSON. */
export async function startCollector(): Promise<Collector> {
  const received: Collector["received"] = [];
  let status = 200;
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request) text += String(chunk);
    received.push({ path: request.url ?? "", headers: request.headers, text });
    response.writeHead(status, { "content-type": "application/json" }).end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/otlp`,
    headers: { authorization: "Bearer collector-token" },
    received,
    spans: () =>
      received.flatMap(({ text }) =>
        (JSON.parse(text) as Json).resourceSpans.flatMap((each: Json) =>
          each.scopeSpans.flatMap(({ spans }: Json) => spans),
        ),
      ),
    respondWith(next) {
      status = next;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
