import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { z } from "zod";
import { fieldError, ServiceError } from "../../contract/errors.js";
import type { SecretHash } from "../access/api-key.js";
import type { KeyCaller } from "../access/caller.js";
import { changeScope } from "../access/changes.js";
import { checkKeyAndLimit, type KeyChecks, requireRole, requireScope } from "../access/check-request.js";
import { refuseSecrets } from "../access/misplaced-secrets.js";
import type { Compressor } from "../infra/compress.js";
import { digestOf, findMatch, namesTag } from "../infra/etag.js";
import { uuidPattern } from "../infra/ids.js";
import { ignoredFieldsHeader, ignoredParametersHeader, nameIgnored } from "../infra/ignored-names.js";
import { observedDatabase } from "../infra/observability/observation.js";
import type { RateLimiter } from "../infra/rate-limit.js";
import { jsonType, representationOf } from "../infra/representation.js";
import { addVary, ifNoneMatchOf, sendContent, sendNotModified } from "../infra/send-content.js";
import type { Content, KeyContext, KeyRoute, RemovedEndpoint, Route, RouteContext, RouteResponse } from "../route.js";
import { parseInput } from "../schema/issues.js";
import type { CacheUse, ReadResponse, ResponseCache } from "./response-cache.js";

type RestEndpoint = {
  keyChecks: KeyChecks;
  limiter: RateLimiter;
  context: RouteContext;
  routes: Route[];
  removedEndpoints: RemovedEndpoint[];
  compress: Compressor;
  /** Null: every response is read again. */
  cache: ResponseCache | null;
};

const bodyLimitBytes = 64 * 1024;

/** Runs every declared route: path and method (by Fastify) → key → rate limit → scope and role → input → handler. */
export function addRestRoutes(app: FastifyInstance, rest: RestEndpoint): void {
  for (const route of rest.routes) addRoute(app, rest, route);
  for (const [path, methods] of methodsByPath(rest.routes)) addOtherMethods(app, path, methods);
  for (const endpoint of rest.removedEndpoints) addRemovedEndpoint(app, rest, endpoint);
}

function addRoute(app: FastifyInstance, rest: RestEndpoint, route: Route): void {
  const checked = new WeakMap<FastifyRequest, Checked>();
  const parameters = new Set(Object.keys(route.query?.shape ?? {}));
  app.route({
    method: route.method,
    url: route.path,
    bodyLimit: bodyLimitBytes,
    // Authenticate before parsing the body.
    onRequest: async (request, reply) => {
      if (route.access === "public") return;
      const cache = route.cache && rest.cache;
      let use: CacheUse | undefined;
      const caller = await authenticate(rest, request, reply, (keyHash) => {
        use = cache?.startUse(request.url, keyHash);
      });
      requireScope(caller, route.scope);
      requireRole(caller, route.role ?? "member");
      const cached = use && (await cache?.find(use, caller));
      if (cached !== undefined) return sendCached(request, reply, cached, rest.compress);
      checked.set(request, { caller, use });
    },
    handler: async (request, reply) => {
      for (const given of [request.params, request.query, request.body]) refuseSecrets(given);
      const query = readQuery(parameters, request, reply);
      const input = {
        params: parseInput(route.params, request.params),
        query: parseInput(route.query, query),
        body: readBody(route.body, request, reply),
      };
      const context = { ...rest.context, db: observedDatabase(rest.context.db, request.observation) };
      if (route.access === "public") return send(request, reply, await route.handle(context, input), rest.compress);
      const { caller, use } = checked.get(request) ?? {};
      if (caller === undefined) throw new Error("the handler of an authenticated route ran without a caller");
      const read = async () => {
        const response = await route.handle(keyContext(context, caller, request), input);
        return { response, link: linkToNext(rest, request, query, response) };
      };
      // Parameters that the route does not have would fill the cache with copies.
      if (rest.cache !== null && use !== undefined && !reply.hasHeader(ignoredParametersHeader)) {
        const build = async () => cachedResponse(route, caller, input, await read());
        const cached = await rest.cache.read(use, caller, build);
        return sendCached(request, reply, cached, rest.compress);
      }
      const { response, link } = await read();
      if (link !== undefined) reply.header("link", link);
      return send(request, reply, response, rest.compress);
    },
  });
}

/** What the checks before the handler have found. */
type Checked = { caller: KeyCaller; use: CacheUse | undefined };

function cachedResponse(
  route: KeyRoute,
  caller: KeyCaller,
  input: Parameters<KeyRoute["handle"]>[1],
  { response, link }: { response: RouteResponse; link: string | undefined },
): ReadResponse {
  if (route.cache === undefined || !("readAt" in response)) {
    throw new Error(`${route.operationId} does not say when it has read its response`);
  }
  const { list, conferenceId } = route.cache;
  const representation = representationOf(response);
  return { list, scope: changeScope(caller, conferenceId?.(input)), readAt: response.readAt, representation, link };
}

function keyContext(context: RouteContext, caller: KeyCaller, request: FastifyRequest): KeyContext {
  return {
    ...context,
    caller,
    requireMatch(current) {
      const wanted = request.headers["if-match"];
      if (wanted === undefined || findMatch(wanted, digestOf(current), false) !== undefined) return;
      throw new ServiceError(
        "precondition_failed",
        "If-Match: the row has changed since it was read, or the ETag is not one of this row. Nothing was changed: read it again",
        { field: "If-Match" },
      );
    },
  };
}

function authenticate(
  rest: RestEndpoint,
  request: FastifyRequest,
  reply: FastifyReply,
  onKey?: (keyHash: SecretHash) => void,
): Promise<KeyCaller> {
  return checkKeyAndLimit(rest.keyChecks, rest.limiter, request.headers.authorization, reply, onKey);
}

/** The declared fields of a body. The others are ignored, and a header names them. */
function readBody(
  schema: z.ZodObject | undefined,
  { body }: FastifyRequest,
  reply: FastifyReply,
): Record<string, unknown> | undefined {
  if (schema === undefined) return undefined;
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    throw fieldError("body", "expected a JSON object");
  }
  const ignored = Object.keys(body).filter((name) => !Object.hasOwn(schema.shape, name));
  nameIgnored(reply, ignoredFieldsHeader, ignored);
  return parseInput(schema, body);
}

type Query = Record<string, string>;

/** The known parameters of a request that have a value. The others are ignored, and a header names them: they may be misspelled. */
function readQuery(known: ReadonlySet<string>, request: FastifyRequest, reply: FastifyReply): Query {
  const given = request.query as Record<string, string | string[]>;
  const ignored = Object.keys(given).filter((name) => !known.has(name));
  nameIgnored(reply, ignoredParametersHeader, ignored);
  const query: Query = {};
  for (const [name, value] of Object.entries(given)) {
    if (!known.has(name) || value === "") continue;
    if (Array.isArray(value)) throw fieldError(name, `expected once, but it is given ${value.length} times`);
    query[name] = value;
  }
  return query;
}

function linkToNext(
  { context }: RestEndpoint,
  request: FastifyRequest,
  query: Query,
  response: RouteResponse,
): string | undefined {
  if (!("nextCursor" in response) || !response.nextCursor) return undefined;
  const path = request.url.split("?", 1)[0];
  const parameters = new URLSearchParams({ ...query, cursor: response.nextCursor });
  return `<${context.baseUrl}${path}?${parameters}>; rel="next"`;
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
  app.route({
    method: app.supportedMethods,
    url: endpoint.path,
    onRequest: async (request, reply) => {
      await authenticate(rest, request, reply);
      const successor = rest.context.baseUrl + withParameters(endpoint.successor, request.params as Query);
      throw new ServiceError("gone", `This endpoint is deprecated and was removed: use ${successor} instead`, {
        headers: {
          deprecation: `@${endpoint.deprecatedAt.getTime() / 1000}`,
          sunset: endpoint.removedAt.toUTCString(),
          link: `<${encodeURI(successor)}>; rel="successor-version"`,
        },
      });
    },
    handler: async () => undefined,
  });
}

/** Only ids are repeated: other text of the caller's could be of any length. */
function withParameters(path: string, params: Query): string {
  return path.replace(/:(\w+)/g, (_match, name: string) => {
    const value = params[name] ?? "";
    return uuidPattern.test(value) ? value : `{${name}}`;
  });
}

/** Sends a response with a strong ETag, or a 304 to a GET whose client already has this representation. */
async function send(
  request: FastifyRequest,
  reply: FastifyReply,
  response: RouteResponse,
  compress: Compressor,
): Promise<FastifyReply> {
  const { cacheControl } = response;
  const isRead = request.method === "GET" || request.method === "HEAD";
  if (isRead) reply.header("cache-control", cacheControl ?? "private, no-cache");
  if (isRead && cacheControl === undefined) addVary(reply, "Authorization");
  if ("read" in response) return sendStored(reply, response, ifNoneMatchOf(request));
  return sendContent(request, reply, representationOf(response), compress);
}

/** Sends a response of the cache, as `send` would. */
function sendCached(
  request: FastifyRequest,
  reply: FastifyReply,
  { representation, link }: ReadResponse,
  compress: Compressor,
): FastifyReply | Promise<FastifyReply> {
  reply.header("cache-control", "private, no-cache");
  addVary(reply, "Authorization");
  if (link !== undefined) reply.header("link", link);
  return sendContent(request, reply, representation, compress);
}

/** Content with a known ETag, which is read only if the client does not have it. */
async function sendStored(
  reply: FastifyReply,
  { etag, read }: { etag: string; read(): Promise<Content> },
  ifNoneMatch: string | undefined,
): Promise<FastifyReply> {
  if (namesTag(ifNoneMatch, etag)) return sendNotModified(reply, etag);
  const { body, contentType } = await read();
  // "*" asks whether the representation exists, which only reading it can tell.
  if (ifNoneMatch?.trim() === "*") return sendNotModified(reply, etag);
  return reply
    .type(contentType ?? jsonType)
    .header("etag", etag)
    .send(body);
}
