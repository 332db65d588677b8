import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { z } from "zod";
import type { Caller } from "../access/caller.js";
import { checkKeyAndLimit, type KeyChecks, requireScope } from "../access/check-request.js";
import { ServiceError } from "../platform/errors.js";
import type { RateLimiter } from "../platform/rate-limit.js";
import type { RemovedEndpoint, Route, RouteContext } from "../route.js";
import { describeIssues, issuesOf } from "../schema/issues.js";
import { send } from "./send.js";

export type RestDoor = {
  keyChecks: KeyChecks;
  limiter: RateLimiter;
  context: RouteContext;
  routes: Route[];
  removedEndpoints: RemovedEndpoint[];
};

const bodyLimitBytes = 64 * 1024;

/** Runs every declared route: key → rate limit → scope → input → handler. Fastify has matched path and method before. */
export function addRestRoutes(app: FastifyInstance, door: RestDoor): void {
  for (const route of door.routes) addRoute(app, door, route);
  for (const [path, methods] of methodsByPath(door.routes)) addOtherMethods(app, path, methods);
  for (const endpoint of door.removedEndpoints) addRemovedEndpoint(app, door, endpoint);
}

function addRoute(app: FastifyInstance, door: RestDoor, route: Route): void {
  const callers = new WeakMap<FastifyRequest, Caller>();
  app.route({
    method: route.method,
    url: route.path,
    bodyLimit: bodyLimitBytes,
    // Before the body is read: who has no access gets no parsing done.
    onRequest: async (request, reply) => {
      if (route.access === "public") return;
      const caller = await enterRest(door, request, reply);
      requireScope(caller, route.scope);
      callers.set(request, caller);
    },
    handler: async (request, reply) => {
      const input = {
        params: parse(route.params, request.params, ""),
        query: parse(route.query, request.query, ""),
        body: parse(route.body, request.body, "body"),
      };
      if (route.access === "public") return send(request, reply, await route.handle(door.context, input));
      const caller = callers.get(request);
      if (caller === undefined) throw new Error("a key route ran without its caller");
      return send(request, reply, await route.handle({ ...door.context, caller }, input));
    },
  });
}

function enterRest(door: RestDoor, request: FastifyRequest, reply: FastifyReply): Promise<Caller> {
  return checkKeyAndLimit(door.keyChecks, door.limiter, request.headers.authorization, reply);
}

function parse(schema: z.ZodObject | undefined, value: unknown, name: string): Record<string, unknown> | undefined {
  if (schema === undefined) return undefined;
  if (name !== "" && (typeof value !== "object" || value === null || Array.isArray(value))) {
    throw new ServiceError("invalid_input", `${name}: expects a JSON object`);
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

/** OPTIONS tells what a path takes; any other method that is not declared is a 405. */
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

function addRemovedEndpoint(app: FastifyInstance, door: RestDoor, endpoint: RemovedEndpoint): void {
  const successor = door.context.baseUrl + endpoint.successor;
  app.route({
    method: app.supportedMethods,
    url: endpoint.path,
    onRequest: async (request, reply) => {
      await enterRest(door, request, reply);
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
