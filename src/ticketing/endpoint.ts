import type { FastifyInstance, FastifyRequest } from "fastify";
import { authenticate } from "../access/api-key.js";
import type { Caller, OrganizationCaller } from "../access/caller.js";
import { countRequest, type KeyChecks, requireScope } from "../access/check-request.js";
import type { Database } from "../platform/db.js";
import { ServiceError } from "../platform/errors.js";
import type { Log } from "../platform/log.js";
import type { RateLimiter } from "../platform/rate-limit.js";
import { createForwarder } from "./forward.js";
import { type RawInput, readRequest, type TicketingRequest } from "./input.js";
import { type Operation, operationsOf } from "./operations.js";
import { refuseEventsElsewhere, requireTicketedEvent, type Visitor, visitorFinder } from "./proxy-call.js";
import type { Upstream } from "./upstream.js";

export type TicketingDoor = {
  db: Database;
  keyChecks: KeyChecks;
  limiter: RateLimiter;
  /** Null where no platform is configured. */
  upstream: Upstream | null;
  maximumInFlight: number;
  log: Log;
};

const prefix = "/api/ticketing/";
const bodyLimitBytes = 1024 * 1024;

type Entered = {
  caller: OrganizationCaller;
  operation: Operation;
  upstream: Upstream;
  /** Undefined while the body is still to be read. */
  asked: Asked | undefined;
};

type Asked = { input: TicketingRequest; event: Visitor["event"] };

/** Path and method → key → rate limit → tier and scope → input → event → hosting → the platform. */
export function addTicketingDoor(app: FastifyInstance, door: TicketingDoor): void {
  const forward = createForwarder(door);
  const findVisitor = visitorFinder(door.db);
  const visitorOf = ({ headers }: FastifyRequest, eventReference: string | null) =>
    authenticate(headers.authorization, (keyHash) => findVisitor({ keyHash, eventReference }));
  const readWhole = async (operation: Operation, request: FastifyRequest): Promise<Asked> => {
    const input = readRequest(operation, rawInputOf(request));
    return { input, event: (await visitorOf(request, input.eventReference)).event };
  };
  const entered = new WeakMap<FastifyRequest, Entered>();
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => done(null, body));
    for (const url of ["/api/ticketing", `${prefix}*`]) {
      scope.route({
        method: app.supportedMethods,
        url,
        exposeHeadRoute: false,
        bodyLimit: bodyLimitBytes,
        // Before the body is read: who has no access gets no parsing done.
        onRequest: async (request, reply) => {
          const allowed = operationsOf(pathOf(request));
          if (allowed.length === 0)
            throw new ServiceError("not_found", "Not found: the ticketing proxy has no such path");
          if (request.method === "OPTIONS") return reply.code(204).header("allow", allowOf(allowed)).send();
          const operation = chooseOperation(request.method, allowed);
          const reading = operation.call.method === "GET" ? readQuery(operation, request) : undefined;
          const { caller, event } = await visitorOf(request, reading?.input?.eventReference ?? null);
          await countRequest(door.keyChecks, door.limiter, caller, whoIsCounted(caller), reply);
          requireOrganization(caller);
          requireScope(caller, operation.call.scope);
          if (door.upstream === null) throw notConfigured();
          checkBodyHeaders(request);
          const asked = reading && { input: inputOf(reading), event };
          entered.set(request, { caller, operation, upstream: door.upstream, asked });
        },
        handler: async (request, reply) => {
          const visit = entered.get(request);
          if (visit === undefined) throw new Error("a ticketing request ran without its caller");
          const { caller, operation, upstream } = visit;
          const { input, event: named } = visit.asked ?? (await readWhole(operation, request));
          await refuseEventsElsewhere(door.db, input.otherUuids);
          const event = requireTicketedEvent(named, input.eventReference);
          return forward({ upstream, caller, operation, event, input, attemptId: request.id }, reply);
        },
      });
    }
  });
}

type Reading = { input: TicketingRequest } | { input?: undefined; refusal: unknown };

/** A read is understood before its key is looked up, so that its event is looked up with it; a refusal waits its turn. */
function readQuery(operation: Operation, request: FastifyRequest): Reading {
  try {
    return { input: readRequest(operation, { query: queryOf(request), body: null }) };
  } catch (refusal) {
    return { refusal };
  }
}

function inputOf(reading: Reading): TicketingRequest {
  if ("refusal" in reading) throw reading.refusal;
  return reading.input;
}

function rawInputOf(request: FastifyRequest): RawInput {
  const body = request.body instanceof Buffer && request.body.length > 0 ? request.body : null;
  return { query: queryOf(request), body };
}

/** The raw text of the request line: a router's idea of the path may have been decoded. */
function pathOf(request: FastifyRequest): string {
  const path = (request.raw.url ?? "").split("?", 1)[0] ?? "";
  return path.startsWith(prefix) ? path.slice(prefix.length) : "";
}

function queryOf(request: FastifyRequest): string {
  const url = request.raw.url ?? "";
  const mark = url.indexOf("?");
  return mark === -1 ? "" : url.slice(mark + 1);
}

function chooseOperation(method: string, allowed: readonly Operation[]): Operation {
  const operation = allowed.find((candidate) => candidate.method === method);
  if (operation !== undefined) return operation;
  const allow = allowOf(allowed);
  throw new ServiceError("method_not_allowed", `${method} is not allowed here: use one of ${allow}`, {
    headers: { allow },
  });
}

function allowOf(allowed: readonly Operation[]): string {
  return [...allowed.map(({ method }) => method), "OPTIONS"].join(", ");
}

function requireOrganization(caller: Caller): asserts caller is OrganizationCaller {
  if (caller.tier === "organization") return;
  throw new ServiceError("forbidden", "The ticketing proxy takes organization keys only");
}

/** All keys of an organization share one window. */
function whoIsCounted(caller: Caller): string {
  return caller.tier === "organization" ? `organization ${caller.organizationId}` : `key ${caller.via.keyId}`;
}

function notConfigured(): ServiceError {
  return new ServiceError(
    "unavailable",
    "No ticketing platform is configured: the operator of this service sets TICKETING_URL and TICKETING_API_KEY",
  );
}

function checkBodyHeaders({ method, headers }: FastifyRequest): void {
  const length = headers["content-length"];
  const hasBody = headers["transfer-encoding"] !== undefined || (length !== undefined && length !== "0");
  if (!hasBody) return;
  if (method === "GET")
    throw new ServiceError("invalid_input", "body: a GET takes none; put its fields into the query");
  if (headers["content-encoding"] !== undefined) {
    throw new ServiceError("unsupported_media_type", "Content-Encoding: expects a body that is not compressed");
  }
  if (!/^application\/json *(; *charset="?utf-8"? *)?$/i.test(headers["content-type"] ?? "")) {
    throw new ServiceError("unsupported_media_type", "Content-Type: expects application/json");
  }
}
