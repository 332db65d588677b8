import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { z } from "zod";
import type { Caller } from "../access/caller.js";
import { checkKeyAndLimit, type KeyChecks, requireRole, requireScope } from "../access/check-request.js";
import { refuseSecrets } from "../access/misplaced-secrets.js";
import { ServiceError } from "../platform/errors.js";
import { observedDatabase } from "../platform/observation.js";
import type { RateLimiter } from "../platform/rate-limit.js";
import type { RemovedEndpoint, Route, RouteContext } from "../route.js";
import { describeIssues, issuesOf } from "../schema/issues.js";
import { send } from "./send.js";

export type RestEndpoint = {
  keyChecks: KeyChecks;
  limiter: RateLimiter;
  context: RouteContext;
  routes: Route[];
  removedEndpoints: RemovedEndpoint[];
};

const bodyLimitBytes = 64 * 1024;

/** Runs every declared route: path and method (by Fastify) → key → rate limit → scope and role → input → handler. */
export function addRestRoutes(app: FastifyInstance, rest: RestEndpoint): void {
  for (const route of rest.routes) addRoute(app, rest, route);
  for (const [path, methods] of methodsByPath(rest.routes)) addOtherMethods(app, path, methods);
  for (const endpoint of rest.removedEndpoints) addRemovedEndpoint(app, rest, endpoint);
}

function addRoute(app: FastifyInstance, rest: RestEndpoint, route: Route): void {
  const callers = new WeakMap<FastifyRequest, Caller>();
  app.route({
    method: route.method,
    url: route.path,
    bodyLimit: bodyLimitBytes,
    // Authenticate before parsing the body.
    onRequest: async (request, reply) => {
      if (route.access === "public") return;
      const caller = await authenticate(rest, request, reply);
      requireScope(caller, route.scope);
      requireRole(caller, route.role ?? "member");
      callers.set(request, caller);
    },
    handler: async (request, reply) => {
      for (const given of [request.params, request.query, request.body]) refuseSecrets(given);
      const input = {
        params: parse(route.params, request.params, ""),
        query: parse(route.query, request.query, ""),
        body: parse(route.body, request.body, "body"),
      };
      const context = { ...rest.context, db: observedDatabase(rest.context.db, request.observation) };
      if (route.access === "public") return send(request, reply, await route.handle(context, input));
      const caller = callers.get(request);
      if (caller === undefined) throw new Error("the handler of an authenticated route ran without a caller");
      return send(request, reply, await route.handle({ ...context, caller }, input));
    },
  });
}

function authenticate(rest: RestEndpoint, request: FastifyRequest, reply: FastifyReply): Promise<Caller> {
  return checkKeyAndLimit(rest.keyChecks, rest.limiter, request.headers.authorization, reply);
}

function parse(schema: z.ZodObject | undefined, value: unknown, name: string): Record<string, unknown> | undefined {
  if (schema === undefined) return undefined;
  if (name !== "" && (typeof value !== "object" || value === null || Array.isArray(value))) {
    throw new ServiceError("invalid_input", `${name}: expected a JSON object`);
  }
  const result = schema.safeParse(value);
  if (!result.success) throw new ServiceError("invalid_input", describeIssues(issuesOf(result.error)));
  return result.data;
}

function methodsByPath(routes: Route[]): Map<string, string[]> {
  const paths = new Map<string, string[]>();
  for (const route of routes) {
    const methods = route.method === "GET" ? ["GET", "HEAD"] : [route.method];
    paths.set(route.path, [...(paths.get(route.path) ?? []), ...methods]);
  }
  return paths;
}

/** OPTIONS lists the methods of a path; any other undeclared method is a 405. */
function addOtherMethods(app: FastifyInstance, path: string, declared: string[]): void {
  const allow = [...declared, "OPTIONS"].join(", ");
  app.options(path, async (_request, reply) => reply.code(204).header("allow", allow).send());
  const others = app.supportedMethods.filter((method) => !declared.includes(method) && method !== "OPTIONS");
  app.route({
    method: others,
    url: path,
    onRequest: async (request) => {
      throw new ServiceError("method_not_allowed", `${request.method} is not allowed here: use one of ${allow}`, {
        headers: { allow },
      });
    },
    handler: async () => undefined,
  });
}

function addRemovedEndpoint(app: FastifyInstance, rest: RestEndpoint, endpoint: RemovedEndpoint): void {
  const successor = rest.context.baseUrl + endpoint.successor;
  app.route({
    method: app.supportedMethods,
    url: endpoint.path,
    onRequest: async (request, reply) => {
      await authenticate(rest, request, reply);
      throw new ServiceError("gone", `This endpoint is deprecated and was removed: use ${successor} instead`, {
        headers: {
          deprecation: `@${endpoint.deprecatedAt.getTime() / 1000}`,
          sunset: endpoint.removedAt.toUTCString(),
          link: `<${successor}>; rel="successor-version"`,
        },
      });
    },
    handler: async () => undefined,
  });
}
