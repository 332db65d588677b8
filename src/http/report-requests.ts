import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { timeInLog } from "../infra/observability/log.js";
import type { FinishedRequest } from "../infra/observability/metrics.js";
import { createObservation } from "../infra/observability/observation.js";
import type { Operations } from "../infra/observability/operations.js";
import { onClosed } from "../infra/response-closed.js";

/** Probes come every second and say nothing about the product. */
const quietRoutes = new Set(["/livez", "/readyz"]);

/** Gives every request its observation, and reports it once, when its response is complete or its caller is gone. */
export function createRequestReporter(app: FastifyInstance, operations: Operations) {
  const { metrics, traces } = operations;
  app.decorateRequest("observation");
  return (request: FastifyRequest, reply: FastifyReply): void => {
    const startedAt = performance.now();
    request.observation = createObservation(traces?.start(request.headers) ?? null);
    onClosed(reply.raw, () => {
      const finished: FinishedRequest = {
        observation: request.observation,
        method: request.method,
        route: request.observation.route ?? request.routeOptions.url ?? "unmatched",
        status: reply.statusCode,
        aborted: !reply.raw.writableFinished,
        ms: performance.now() - startedAt,
      };
      logRequest(operations, request.id, finished);
      metrics.request(finished);
      traces?.request({ ...finished, requestId: request.id });
    });
  };
}

/** Routes, names, ids and numbers only: the path, the query, headers and bodies may contain secrets. */
function logRequest({ log }: Operations, requestId: string, finished: FinishedRequest): void {
  const { observation, method, route, status, aborted, ms } = finished;
  const level = levelOf(finished);
  if (!log.isLevelEnabled(level)) return;
  const { keyId, appId, userId, organizationId, tool, trace, error } = observation;
  // What is undefined is left out.
  const line = {
    request_id: requestId,
    trace_id: trace?.parent.traceId,
    method,
    route,
    tool: tool?.name,
    outcome: tool?.outcome,
    status,
    aborted: aborted || undefined,
    ms: timeInLog(ms),
    db_ms: timeInLog(observation.databaseMs),
    key_id: keyId,
    app_id: appId ?? undefined,
    user_id: userId ?? undefined,
    organization_id: organizationId,
    err: error,
  };
  log[level](line, level === "error" ? "request failed" : "request");
}

function levelOf({ route, observation: { error } }: FinishedRequest): "error" | "info" | "debug" {
  if (error !== undefined) return "error";
  return quietRoutes.has(route) ? "debug" : "info";
}
