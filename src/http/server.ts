import { isUtf8 } from "node:buffer";
import { METHODS } from "node:http";
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import { ServiceError } from "../platform/errors.js";
import { exceededLimit, jsonDepth } from "../platform/json-limits.js";
import type { Operations } from "../platform/operations.js";
import { requestIdOf } from "../platform/request-id.js";
import { type ConnectionLimits, connectionLimits, createConnections } from "./connections.js";
import { addCors } from "./cors.js";
import { sendError } from "./errors.js";
import { addHealthRoutes } from "./health.js";
import { createRequestReporter } from "./report-requests.js";

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
  connectionLimits?: Partial<ConnectionLimits>;
}): FastifyInstance {
  const { operations, baseUrl, corsOrigins } = options;
  const connections = createConnections({ ...connectionLimits, ...options.connectionLimits });
  const app = fastify({
    logger: false,
    genReqId: (request) => requestIdOf(request.headers),
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
  const notFound = () => new ServiceError("not_found", `Not found. ${baseUrl}/api/svc lists all endpoints`);
  // Before the body is read, so that the body of a request to an unknown path is not validated.
  app.addHook("onRequest", (request, _reply, done) => {
    const hostIsMissing = request.headers.host === undefined && request.raw.httpVersion === "1.1";
    if (hostIsMissing) done(new ServiceError("invalid_input", "Host: expected a Host header"));
    else done(request.is404 ? notFound() : undefined);
  });
  app.setNotFoundHandler(() => {
    throw notFound();
  });
  addHealthRoutes(app, operations.readiness);
  return app;
}

function addCommonHeaders(request: FastifyRequest, reply: FastifyReply): void {
  reply.headers(securityHeaders);
  reply.header("x-request-id", request.id);
}

/** Twice the longest list that a tool accepts. */
const bodyLimits = { values: 2_000, depth: jsonDepth };

/**
 * Only JSON bodies are accepted, and only valid UTF-8: invalid bytes are rejected, not replaced. The number of values is
 * checked before any of them, because each invalid one would become a validation issue.
 */
function acceptJsonBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser("error", "error");
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<Buffer>("application/json", { parseAs: "buffer" }, (request, body, done) => {
    if (!isUtf8(body)) return done(new ServiceError("invalid_input", "body: expected UTF-8"));
    const text = body.toString();
    const exceeded = exceededLimit(text, bodyLimits);
    if (exceeded === undefined) parse(request, text, done);
    else done(new ServiceError("invalid_input", `body: ${exceeded}`));
  });
}
