import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Caller, OrganizationCaller } from "../access/caller.js";
import { enter, type Gate, requireScope } from "../http/gate.js";
import { readRequest } from "../modules/ticketing/input.js";
import { type Operation, operationsOf } from "../modules/ticketing/operations.js";
import { getTicketedEvent, refuseEventsElsewhere } from "../modules/ticketing/store.js";
import { ServiceError } from "../platform/errors.js";
import type { Log } from "../platform/log.js";
import type { RateLimiter } from "../platform/rate-limit.js";
import { createForwarder } from "./forward.js";
import type { Upstream } from "./upstream.js";

export type TicketingDoor = {
  gate: Gate;
  limiter: RateLimiter;
  /** Null where no platform is configured. */
  upstream: Upstream | null;
  maximumInFlight: number;
  log: Log;
};

const prefix = "/api/ticketing/";
const bodyLimitBytes = 1024 * 1024;

/** Path and method → key → rate limit → tier and scope → input → event → hosting → the platform. */
export function addTicketingDoor(app: FastifyInstance, door: TicketingDoor): void {
  const forward = createForwarder(door);
  const entered = new WeakMap<
    FastifyRequest,
    { caller: OrganizationCaller; operation: Operation; upstream: Upstream }
  >();
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
          const caller = await enterProxy(door, request, reply);
          requireScope(caller, operation.call.scope);
          if (door.upstream === null) throw notConfigured();
          checkBodyHeaders(request);
          entered.set(request, { caller, operation, upstream: door.upstream });
        },
        handler: async (request, reply) => {
          const visit = entered.get(request);
          if (visit === undefined) throw new Error("a ticketing request ran without its caller");
          const { caller, operation, upstream } = visit;
          const body = request.body instanceof Buffer && request.body.length > 0 ? request.body : null;
          const input = readRequest(operation, { query: queryOf(request), body });
          await refuseEventsElsewhere(door.gate.db, input.otherUuids);
          const event = await getTicketedEvent(door.gate.db, caller, input.eventReference);
          return forward({ upstream, caller, operation, event, input, attemptId: request.id }, reply);
        },
      });
    }
  });
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

async function enterProxy(
  door: TicketingDoor,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<OrganizationCaller> {
  const caller = await enter(door.gate, door.limiter, whoIsCounted, request.headers.authorization, reply);
  if (caller.tier === "organization") return caller;
  throw new ServiceError("forbidden", "The ticketing proxy takes organization keys only");
}

/** All keys of an organization share one window. */
function whoIsCounted(caller: Caller): string {
  return caller.tier === "organization" ? `organization ${caller.organizationId}` : `key ${caller.keyId}`;
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
