import type { FastifyInstance, FastifyRequest } from "fastify";
import { fieldError, ServiceError } from "../../contract/errors.js";
import { authenticate } from "../access/api-key.js";
import type { KeyCaller, OrganizationCaller } from "../access/caller.js";
import { countRequest, type KeyChecks, requireRole, requireScope } from "../access/check-request.js";
import { refuseSecrets } from "../access/misplaced-secrets.js";
import type { Database } from "../infra/database/db.js";
import { hasBody } from "../infra/http-body.js";
import { ignoredParametersHeader, nameIgnored } from "../infra/ignored-names.js";
import type { Log } from "../infra/observability/log.js";
import { type Observation, observe, observedDatabase } from "../infra/observability/observation.js";
import type { RateLimiter } from "../infra/rate-limit.js";
import { createForwarder } from "./forward.js";
import type { TicketingLimits } from "./limits.js";
import { findOperations, type TicketingOperation, ticketingPrefix } from "./operations.js";
import {
  createProxyCallLoader,
  type LoadedProxyCall,
  refuseOtherEventIds,
  requireTicketedEvent,
} from "./proxy-call.js";
import { parseTicketingRequest, type RawTicketingRequest, type TicketingRequest } from "./request.js";
import type { Upstream } from "./upstream.js";
import { createOutcomeRecorder } from "./write-records.js";

export type TicketingDependencies = {
  db: Database;
  keyChecks: KeyChecks;
  limiter: RateLimiter;
  /** What is forwarded. */
  operations: readonly TicketingOperation[];
  /** Null if no platform is configured. */
  upstream: Upstream | null;
  limits: TicketingLimits;
  log: Log;
};

/** `slotsInUse` counts the calls that are being forwarded. */
export type TicketingEndpoint = { slotsInUse(): number };

const bodyLimitBytes = 256 * 1024;

type AuthorizedCall = {
  caller: OrganizationCaller;
  operation: TicketingOperation;
  upstream: Upstream;
  /** Undefined if the body has yet to be read. */
  parsed: ParsedCall | undefined;
};

type ParsedCall = { input: TicketingRequest; event: LoadedProxyCall["event"] };

/** Checks path and method, key, rate limit, tier, scope and role, input, event and hosting, in this order, then forwards. */
export function addTicketingEndpoint(app: FastifyInstance, dependencies: TicketingDependencies): TicketingEndpoint {
  const { db, keyChecks, limiter, operations, upstream } = dependencies;
  const outcomes = createOutcomeRecorder(dependencies);
  const { forward, slotsInUse } = createForwarder({ ...dependencies, outcomes });
  app.addHook("onClose", () => outcomes.close());
  const loadProxyCall = createProxyCallLoader(db.lookups);
  const loadCallerAndEvent = ({ headers, observation }: FastifyRequest, eventReference: string | null) =>
    authenticate(headers.authorization, (keyHash) =>
      observe(observation, "database", "load proxy calls", () => loadProxyCall({ keyHash, eventReference })),
    );
  const parseCall = async (operation: TicketingOperation, request: FastifyRequest): Promise<ParsedCall> => {
    const input = parseTicketingRequest(operation, rawRequestOf(request));
    return { input, event: (await loadCallerAndEvent(request, input.eventReference)).event };
  };
  const authorizedCalls = new WeakMap<FastifyRequest, AuthorizedCall>();
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => done(null, body));
    for (const url of [ticketingPrefix, `${ticketingPrefix}/*`]) {
      scope.route({
        method: app.supportedMethods,
        url,
        exposeHeadRoute: false,
        bodyLimit: bodyLimitBytes,
        // Authorize before the body is read.
        onRequest: async (request, reply) => {
          refuseSecrets({ path: pathOf(request) });
          const candidates = findOperations(operations, pathOf(request));
          if (candidates.length === 0)
            throw new ServiceError("not_found", "Not found: the ticketing proxy has no such path");
          if (request.method === "OPTIONS") return reply.code(204).header("allow", allowHeader(candidates)).send();
          const operation = getOperation(request.method, candidates);
          request.observation.route = operation.path;
          const query = operation.call.method === "GET" ? parseQuery(operation, request) : undefined;
          const { caller, event } = await loadCallerAndEvent(request, query?.input?.eventReference ?? null);
          await countRequest(keyChecks, limiter, caller, rateLimitKey(caller), reply);
          requireOrganization(caller);
          requireScope(caller, operation.call.scope);
          requireRole(caller, operation.call.role);
          if (upstream === null) throw notConfigured();
          checkBodyHeaders(request);
          const parsed = query && { input: inputOf(query), event };
          const observed = observedUpstream(upstream, operation, request.observation);
          authorizedCalls.set(request, { caller, operation, upstream: observed, parsed });
        },
        handler: async (request, reply) => {
          const call = authorizedCalls.get(request);
          if (call === undefined) throw new Error("a ticketing request reached its handler unauthorized");
          const { input, event: referenced } = call.parsed ?? (await parseCall(call.operation, request));
          const requestDb = observedDatabase(db, request.observation);
          nameIgnored(reply, ignoredParametersHeader, input.ignoredParameters);
          const event = requireTicketedEvent(referenced, input.eventReference);
          await refuseOtherEventIds(requestDb, call.caller, input.otherUuids);
          return forward({ ...call, db: requestDb, event, input }, reply);
        },
      });
    }
  });
  return { slotsInUse };
}

function observedUpstream(upstream: Upstream, operation: TicketingOperation, observation: Observation): Upstream {
  return {
    ...upstream,
    send: (request, call) => observe(observation, "platform", operation.call.path, () => upstream.send(request, call)),
  };
}

type QueryResult = { input: TicketingRequest } | { input?: undefined; error: unknown };

/** Reads are parsed first so that key and event share one lookup; an input error is thrown only after authorization. */
function parseQuery(operation: TicketingOperation, request: FastifyRequest): QueryResult {
  try {
    return { input: parseTicketingRequest(operation, { query: queryOf(request), body: null }) };
  } catch (error) {
    return { error };
  }
}

function inputOf(result: QueryResult): TicketingRequest {
  if ("error" in result) throw result.error;
  return result.input;
}

function rawRequestOf(request: FastifyRequest): RawTicketingRequest {
  const body = request.body instanceof Buffer && request.body.length > 0 ? request.body : null;
  return { query: queryOf(request), body };
}

/** From the raw request line, because the router may have decoded its own copy. */
function pathOf(request: FastifyRequest): string {
  return (request.raw.url ?? "").split("?", 1)[0] ?? "";
}

function queryOf(request: FastifyRequest): string {
  const url = request.raw.url ?? "";
  const mark = url.indexOf("?");
  return mark === -1 ? "" : url.slice(mark + 1);
}

function getOperation(method: string, candidates: readonly TicketingOperation[]): TicketingOperation {
  // The server sends no body in response to a HEAD.
  const wanted = method === "HEAD" ? "GET" : method;
  const operation = candidates.find((candidate) => candidate.method === wanted);
  if (operation !== undefined) return operation;
  const allow = allowHeader(candidates);
  throw new ServiceError("method_not_allowed", `${method} is not allowed here: use one of ${allow}`, {
    headers: { allow },
  });
}

function allowHeader(operations: readonly TicketingOperation[]): string {
  const methods = operations.flatMap(({ method }) => (method === "GET" ? ["GET", "HEAD"] : [method]));
  return [...methods, "OPTIONS"].join(", ");
}

function requireOrganization(caller: KeyCaller): asserts caller is KeyCaller & OrganizationCaller {
  if (caller.tier === "organization") return;
  throw new ServiceError("forbidden", "The ticketing proxy accepts organization keys only");
}

/** All keys of an organization share one rate limit. */
function rateLimitKey(caller: KeyCaller): string {
  return caller.tier === "organization" ? `organization ${caller.organizationId}` : `key ${caller.via.keyId}`;
}

function notConfigured(): ServiceError {
  return new ServiceError(
    "unavailable",
    "No ticketing platform is configured: the operator of this service sets TICKETING_URL and TICKETING_API_KEY",
  );
}

function checkBodyHeaders({ method, headers }: FastifyRequest): void {
  if (!hasBody(headers)) return;
  if (method === "GET" || method === "HEAD")
    throw fieldError("body", `expected none on a ${method}; put its fields into the query`);
  if (!/^application\/json *(; *charset="?utf-8"? *)?$/i.test(headers["content-type"] ?? "")) {
    throw fieldError("Content-Type", "expected application/json", "unsupported_media_type");
  }
}
