import type { IncomingHttpHeaders } from "node:http";
import { serviceVersion } from "../version.js";
import type { Log } from "./log.js";
import type { FinishedRequest } from "./metrics.js";
import type { ObservedSpan, RequestTrace } from "./observation.js";
import { createOutage } from "./outage.js";
import { randomHex, traceParentOf } from "./request-id.js";

export type TraceOptions = {
  /** The base URL of a collector: spans are sent to `/v1/traces` below it, as OTLP over HTTP in JSON. */
  endpoint: string;
  headers: Record<string, string>;
  serviceName: string;
  /** The part of requests that is traced, from 0 to 1. */
  ratio: number;
};

export type Traces = {
  /** Starts the trace of a request; null if it is not sampled. */
  start(headers: IncomingHttpHeaders): RequestTrace | null;
  request(request: FinishedRequest & { requestId: string }): void;
  dropped(): number;
  close(): Promise<void>;
};

const traceLimits = { queue: 4_096, batch: 512, intervalMs: 2_000, timeoutMs: 5_000 };

/** Exports spans to an OpenTelemetry collector. What does not fit the queue, or cannot be sent, is dropped and counted. */
export function createTraces(options: TraceOptions, log: Log, limits = traceLimits): Traces {
  const outage = createOutage(log, "trace collector", {
    started: "the trace collector is unavailable: spans are dropped",
  });
  let queue: OtlpSpan[] = [];
  let sending: Promise<void> | undefined;
  let dropped = 0;
  let closing = false;

  async function send(spans: OtlpSpan[]): Promise<boolean> {
    try {
      await exportSpans(options, spans, limits.timeoutMs);
      outage.succeeded();
      return true;
    } catch (error) {
      dropped += spans.length;
      outage.failed(error);
      return false;
    }
  }

  async function sendAll(): Promise<void> {
    while (queue.length > 0) {
      const batch = queue.slice(0, limits.batch);
      queue = queue.slice(limits.batch);
      const sent = await send(batch);
      // A collector that does not respond delays the end of the process by one timeout, not by one per batch.
      if (closing && !sent) {
        dropped += queue.length;
        queue = [];
      }
    }
  }

  function flush(): Promise<void> {
    sending ??= sendAll().finally(() => {
      sending = undefined;
    });
    return sending;
  }

  const timer = setInterval(flush, limits.intervalMs).unref();
  return {
    start(headers) {
      const parent = traceParentOf(headers);
      return parent.sampled && isSampled(parent.traceId, options.ratio) ? { parent, spans: [] } : null;
    },
    request(request) {
      const { trace } = request.observation;
      if (trace === null) return;
      const spans = spansOf(request, trace);
      if (queue.length + spans.length > limits.queue) dropped += spans.length;
      else queue.push(...spans);
      if (queue.length >= limits.batch) void flush();
    },
    dropped: () => dropped,
    async close() {
      closing = true;
      clearInterval(timer);
      await flush();
    },
  };
}

/** Throws unless the collector takes them. None is a valid request, too. */
async function exportSpans(options: TraceOptions, spans: OtlpSpan[], timeoutMs: number): Promise<void> {
  const response = await fetch(`${options.endpoint}/v1/traces`, {
    method: "POST",
    headers: { ...options.headers, "content-type": "application/json" },
    body: JSON.stringify(exportRequest(options.serviceName, spans)),
    signal: AbortSignal.timeout(timeoutMs),
    redirect: "error",
  });
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`it responded with ${response.status}`);
}

/** Sends no span. Throws if the collector does not take it. */
export function checkCollector(options: TraceOptions): Promise<void> {
  return exportSpans(options, [], traceLimits.timeoutMs);
}

/** By the trace id, so that every service decides alike for one trace. */
function isSampled(traceId: string, ratio: number): boolean {
  return Number.parseInt(traceId.slice(-8), 16) < ratio * 2 ** 32;
}

type Attribute = { key: string; value: { stringValue: string } | { intValue: string } };

type OtlpSpan = {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: Attribute[];
  status: { code: number };
};

const kinds = { internal: 1, server: 2, client: 3 };
const statusCodes = { unset: 0, error: 2 };

/** Only names, ids and numbers: no key, body, query or value of a statement is ever part of a span. */
function spansOf(
  { observation, requestId, method, route, status, ms }: FinishedRequest & { requestId: string },
  { parent, spans }: RequestTrace,
): OtlpSpan[] {
  const { traceId } = parent;
  const root: OtlpSpan = {
    traceId,
    spanId: randomHex(8),
    ...(parent.parentSpanId === null ? {} : { parentSpanId: parent.parentSpanId }),
    name: `${method} ${route}`,
    kind: kinds.server,
    ...times(performance.now() - ms, ms),
    attributes: attributes({
      "http.request.method": method,
      "http.route": route,
      "http.response.status_code": status,
      "svc.request_id": requestId,
      "svc.key_id": observation.keyId,
      "svc.user_id": observation.userId,
      "svc.organization_id": observation.organizationId,
      "svc.tool.outcome": observation.tool?.outcome,
    }),
    status: { code: status >= 500 ? statusCodes.error : statusCodes.unset },
  };
  const tool = spans.find(({ kind }) => kind === "tool");
  const toolSpan = tool && childSpan(tool, traceId, root.spanId);
  const others = spans.filter((span) => span !== tool);
  const parentOf = (span: ObservedSpan) =>
    tool !== undefined && toolSpan !== undefined && span.startedAt >= tool.startedAt ? toolSpan.spanId : root.spanId;
  return [root, ...(toolSpan ? [toolSpan] : []), ...others.map((span) => childSpan(span, traceId, parentOf(span)))];
}

function childSpan(span: ObservedSpan, traceId: string, parentSpanId: string): OtlpSpan {
  return {
    traceId,
    spanId: randomHex(8),
    parentSpanId,
    name: `${span.kind} ${span.name}`,
    kind: span.kind === "tool" ? kinds.internal : kinds.client,
    ...times(span.startedAt, span.ms),
    attributes: attributes(span.kind === "database" ? { "db.system.name": "postgresql" } : {}),
    status: { code: span.failed ? statusCodes.error : statusCodes.unset },
  };
}

function times(startedAt: number, ms: number): Pick<OtlpSpan, "startTimeUnixNano" | "endTimeUnixNano"> {
  const nanoseconds = (at: number) => `${Math.round((performance.timeOrigin + at) * 1_000)}000`;
  return { startTimeUnixNano: nanoseconds(startedAt), endTimeUnixNano: nanoseconds(startedAt + ms) };
}

function attributes(values: Record<string, string | number | null | undefined>): Attribute[] {
  return Object.entries(values).flatMap(([key, value]) => {
    if (value === null || value === undefined) return [];
    return [{ key, value: typeof value === "number" ? { intValue: String(value) } : { stringValue: value } }];
  });
}

function exportRequest(serviceName: string, spans: OtlpSpan[]) {
  const resource = attributes({ "service.name": serviceName, "service.version": serviceVersion });
  return {
    resourceSpans: [
      { resource: { attributes: resource }, scopeSpans: [{ scope: { name: "svc", version: serviceVersion }, spans }] },
    ],
  };
}
