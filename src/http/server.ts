import { METHODS } from "node:http";
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import { fieldError, ServiceError } from "../../contract/errors.js";
import { hasBody } from "../infra/http-body.js";
import { ignoredFieldsHeader, ignoredParametersHeader } from "../infra/ignored-names.js";
import { timeInLog } from "../infra/observability/log.js";
import type { FinishedRequest } from "../infra/observability/metrics.js";
import { createObservation } from "../infra/observability/observation.js";
import type { Operations } from "../infra/observability/operations.js";
import { requestIdOf } from "../infra/observability/request-id.js";
import { parseJson } from "../infra/parse-json.js";
import { onClosed } from "../infra/response-closed.js";
import { sendError } from "../infra/send-error.js";
import { mergePatchType } from "../schema/json-schema.js";
import { type ConnectionLimits, connectionLimits, createConnections } from "./connections.js";
import { addHealthRoutes } from "./health.js";

/** Constants: a general-purpose header library costs more than the rest of a request. */
const securityHeaders = {
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
};

/** The HTTP server without routes: what is the same for every path. */
export function createServer(options: {
  operations: Operations;
  baseUrl: string;
  corsOrigins: string[];
  /** See Config; by default none. */
  trustedProxy?: number | string | false;
  connectionLimits: Pick<ConnectionLimits, "connections"> & Partial<ConnectionLimits>;
  /** Paths that do not exist and where clients look for something, with where it is. */
  misplacedPaths?: ReadonlyMap<string, string>;
  /** Responds to an unknown path with a page if a person asks for it; false: the request gets the error. */
  sendMissingPage?: (request: FastifyRequest, reply: FastifyReply) => boolean;
}): FastifyInstance {
  const { operations, baseUrl, corsOrigins } = options;
  const connections = createConnections({ ...connectionLimits, ...options.connectionLimits });
  const app = fastify({
    logger: false,
    trustProxy: trustOf(options.trustedProxy),
    genReqId: ({ headers }) => requestIdOf(headers),
    requestTimeout: 60_000,
    keepAliveTimeout: 72_000,
    forceCloseConnections: "idle",
    // Requests that arrive while draining are served; their connections close with the response.
    return503OnClosing: false,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 1_000 },
    // Node would reject a request without Host with an empty body.
    http: { requireHostHeader: false },
    frameworkErrors: (error, request, reply) => {
      beginRequest(request, reply);
      sendError(error, request, reply);
    },
    clientErrorHandler: connections.respondToMalformedRequest,
  });
  for (const method of METHODS) {
    if (!app.supportedMethods.includes(method) && method !== "CONNECT") app.addHttpMethod(method, { hasBody: true });
  }
  // Unknown expectations are ignored; Node would reject them with an empty body.
  app.server.on("checkExpectation", (request, response) => app.server.emit("request", request, response));
  acceptJsonBodies(app);
  connections.limit(app);
  const report = createRequestReporter(app, operations);
  function beginRequest(request: FastifyRequest, reply: FastifyReply): void {
    report(request, reply);
    addCommonHeaders(request, reply);
  }
  app.addHook("onRequest", (request, reply, done) => {
    beginRequest(request, reply);
    done();
  });
  addCors(app, corsOrigins);
  app.setErrorHandler((error, request, reply) => sendError(error, request, reply));
  const notFound = (path: string) => {
    const moved = options.misplacedPaths?.get(path.replace(/\/$/, ""));
    const hint = moved === undefined ? "" : `; ${moved}`;
    return new ServiceError("not_found", `Not found. ${baseUrl}/api/svc lists all endpoints${hint}`);
  };
  // Before the body is read, so that the body of a request to an unknown path is not validated.
  app.addHook("onRequest", (request, reply, done) => {
    const hostIsMissing = request.headers.host === undefined && request.raw.httpVersion === "1.1";
    if (hostIsMissing) done(fieldError("Host", "expected a Host header"));
    else if (request.is404 && options.sendMissingPage?.(request, reply)) return;
    // The router takes "*" for the root.
    else done(request.is404 || request.raw.url === "*" ? notFound(pathOf(request)) : undefined);
  });
  app.setNotFoundHandler((request) => {
    throw notFound(pathOf(request));
  });
  addHealthRoutes(app, operations.readiness);
  return app;
}

function pathOf(request: FastifyRequest): string {
  return request.url.split("?", 1)[0] ?? "";
}

/** Hop 0 is the connection itself. */
function trustOf(proxy: number | string | false = false) {
  return typeof proxy === "number" ? (_address: string, hop: number) => hop < proxy : proxy;
}

function addCommonHeaders(request: FastifyRequest, reply: FastifyReply): void {
  reply.headers(securityHeaders);
  reply.header("x-request-id", request.id);
}

/** Only uncompressed JSON bodies are accepted; a PATCH may call its body a merge patch, which it is. */
function acceptJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  const types = ["application/json", mergePatchType];
  app.addContentTypeParser<Buffer>(types, { parseAs: "buffer" }, (request, body, done) => {
    try {
      done(null, parseBody(request, body));
    } catch (error) {
      done(error as Error);
    }
  });
  app.addHook("preParsing", async ({ method, headers }) => {
    const encoding = headers["content-encoding"];
    // The body of a GET is ignored, whatever it is.
    if (
      method === "GET" ||
      method === "HEAD" ||
      encoding === undefined ||
      encoding.toLowerCase() === "identity" ||
      !hasBody(headers)
    )
      return;
    throw new ServiceError("unsupported_media_type", "Content-Encoding: expected an uncompressed body", {
      field: "Content-Encoding",
      headers: { "accept-encoding": "identity" },
    });
  });
}

/** Twice the longest list that a tool accepts. */
const maximumValues = 2_000;

function parseBody({ method, headers }: FastifyRequest, body: Buffer): unknown {
  if (method !== "PATCH" && headers["content-type"]?.toLowerCase().startsWith(mergePatchType)) {
    throw fieldError("Content-Type", "expected application/json", "unsupported_media_type");
  }
  if (body.length === 0) throw fieldError("body", "expected a JSON object, but it is empty");
  return parseJson(body, { maximumValues });
}

const exposed = [
  "allow",
  "deprecation",
  "etag",
  "link",
  "mcp-session-id",
  "retry-after",
  "sunset",
  "www-authenticate",
  ignoredFieldsHeader,
  ignoredParametersHeader,
  "x-ratelimit-limit",
  "x-ratelimit-remaining",
  "x-ratelimit-reset",
  "x-request-id",
].join(", ");

/** Allows browser requests from these origins. Without any, no CORS headers are sent. */
function addCors(app: FastifyInstance, origins: string[]): void {
  if (origins.length === 0) return;
  const allowed = new Set(origins);
  app.addHook("onRequest", async (request, reply) => {
    const { origin } = request.headers;
    reply.header("vary", "Origin");
    if (origin === undefined || !allowed.has(origin)) return;
    reply.header("access-control-allow-origin", origin);
    reply.header("access-control-expose-headers", exposed);
    const method = request.headers["access-control-request-method"];
    if (request.method !== "OPTIONS" || method === undefined) return;
    reply.header("access-control-allow-methods", method);
    reply.header("access-control-allow-headers", request.headers["access-control-request-headers"] ?? "authorization");
    reply.header("access-control-max-age", "600");
  });
}

/** Probes come every second and say nothing about the product. */
const quietRoutes = new Set(["/livez", "/readyz"]);

/** Gives every request its observation, and reports it once, when its response is complete or its caller is gone. */
function createRequestReporter(app: FastifyInstance, operations: Operations) {
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
