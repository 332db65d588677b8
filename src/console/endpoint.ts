import type { IncomingHttpHeaders } from "node:http";
import { Readable } from "node:stream";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { ServiceError } from "../../contract/errors.js";
import type { Role } from "../../contract/roles.js";
import { parseUrl } from "../../contract/urls.js";
import { type DoorLink, doorCaller } from "../access/door-links.js";
import { refuseSecrets } from "../access/misplaced-secrets.js";
import { type Person, requireMembership, requirePlatformAdmin } from "../access/session.js";
import { type ConsoleContext, type ConsoleResponse, type ConsoleRoute, eventStream } from "../console-route.js";
import type { Compressor } from "../infra/compress.js";
import type { Database } from "../infra/database/db.js";
import { networkOf } from "../infra/network-of.js";
import { observedDatabase } from "../infra/observability/observation.js";
import type { RateLimiter } from "../infra/rate-limit.js";
import { readFile } from "../infra/read-file.js";
import { representationOf } from "../infra/representation.js";
import { onClosed } from "../infra/response-closed.js";
import { sendContent } from "../infra/send-content.js";
import { sendError } from "../infra/send-error.js";
import { parseInput } from "../schema/issues.js";

type ConsoleEndpoint<Services> = {
  db: Database;
  baseUrl: string;
  findSession(cookie: string | undefined): Promise<Person | undefined>;
  findDoor(cookie: string | undefined): Promise<DoorLink | undefined>;
  /** Requests of a person, of all who have opened a door link, and of visitors by network. */
  limiter: RateLimiter;
  /** Requests with all door links of an organization. */
  doorLimiter: RateLimiter;
  routes: ConsoleRoute<Services>[];
  services: Services;
  compress: Compressor;
};

const defaultBodyLimitBytes = 64 * 1024;

/** Runs every declared console route: Origin → session → rate limit → access → input → handler. */
export function addConsoleEndpoint<Services>(app: FastifyInstance, endpoint: ConsoleEndpoint<Services>): void {
  app.register(async (scope) => {
    for (const route of endpoint.routes) {
      const { file } = route;
      if (file === undefined) addRoute(scope, endpoint, route);
      else scope.register(async (files) => addFileRoute(files, endpoint, { ...route, file }));
    }
  });
}

/** Takes files instead of JSON. The handler reads them, after its own checks. */
function addFileRoute<Services>(
  app: FastifyInstance,
  endpoint: ConsoleEndpoint<Services>,
  route: ConsoleRoute<Services> & { file: { types: readonly string[] } },
): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser([...route.file.types], (_request, _body, done) => done(null));
  addRoute(app, endpoint, route);
}

/** What the checks before the body found out, for the handler. */
type Checked = Record<string, unknown>;

function addRoute<Services>(
  app: FastifyInstance,
  endpoint: ConsoleEndpoint<Services>,
  route: ConsoleRoute<Services>,
): void {
  const checked = new WeakMap<FastifyRequest, Checked>();
  app.route({
    method: route.method,
    url: route.path,
    bodyLimit: route.file?.maximumBytes ?? route.bodyLimitBytes ?? defaultBodyLimitBytes,
    // The pages show what a version conflict found, which can be more of a guest than volunteers see.
    errorHandler: (error, request, reply) =>
      sendError(error, request, reply, { withDetails: route.access !== "volunteer" }),
    ...(route.file === undefined ? {} : { config: { contentTypes: route.file.types } }),
    onRequest: async (request, reply) => {
      reply.header("cache-control", "no-store");
      checkOrigin(endpoint.baseUrl, request.method, request.headers);
      checked.set(request, await checkAccess(endpoint, route, request));
    },
    handler: async (request, reply) => {
      for (const given of [request.params, request.query, request.body]) refuseSecrets(given);
      const input = {
        params: parseInput(route.params, request.params),
        query: parseInput(route.query, request.query),
        body: parseInput(route.body, request.body ?? {}),
      };
      const context = { ...contextOf(endpoint, route, request, reply), ...checked.get(request) };
      // The context has what the route's access promises: checkAccess has just looked it up.
      const handle = route.handle as (context: unknown, input: unknown) => Promise<ConsoleResponse>;
      return respond(endpoint, request, reply, await handle(context, input));
    },
  });
}

async function checkAccess<Services>(
  endpoint: ConsoleEndpoint<Services>,
  { access }: ConsoleRoute<Services>,
  request: FastifyRequest,
): Promise<Checked> {
  if (access === "volunteer") return checkVolunteer(endpoint, request);
  const person = await endpoint.findSession(request.headers.cookie);
  if (person === undefined && access !== "public") {
    throw new ServiceError("unauthorized", "Sign in first: there is no session, or it has ended");
  }
  request.observation.userId = person?.userId ?? null;
  await countRequest(endpoint.limiter, person?.userId ?? `address ${networkOf(request.ip)}`, request);
  if (person === undefined || access === "public" || access === "signed_in") return { person };
  if (access === "platform_admin") return { person, caller: requirePlatformAdmin(person) };
  const { organization } = request.params as { organization: string };
  const db = observedDatabase(endpoint.db, request.observation);
  const membership = await requireMembership(db.lookups, person, organization, access satisfies Role);
  request.observation.organizationId = membership.organization.id;
  return { person, ...membership };
}

/** A session of a person does not count here, nor one of a door link anywhere else. */
async function checkVolunteer<Services>(
  endpoint: ConsoleEndpoint<Services>,
  request: FastifyRequest,
): Promise<Checked> {
  const door = await endpoint.findDoor(request.headers.cookie);
  if (door === undefined) {
    throw new ServiceError("unauthorized", "Open the door link first: it was not opened on this device, or has ended");
  }
  request.observation.organizationId = door.organizationId;
  await countRequest(endpoint.limiter, `door link ${door.id}`, request);
  await countRequest(endpoint.doorLimiter, door.organizationId, request);
  return { door, caller: doorCaller(door) };
}

async function countRequest(limiter: RateLimiter, countedAs: string, request: FastifyRequest): Promise<void> {
  const verdict = await limiter.consume(countedAs);
  if (verdict.allowed) return;
  request.observation.rateLimited = true;
  throw new ServiceError("rate_limited", `Too many requests. Try again in ${verdict.retryAfterSeconds} s`, {
    retryAfterSeconds: verdict.retryAfterSeconds,
  });
}

function contextOf<Services>(
  { db, baseUrl, services }: ConsoleEndpoint<Services>,
  { file }: ConsoleRoute<Services>,
  request: FastifyRequest,
  reply: FastifyReply,
): ConsoleContext<Services> {
  const gone = new AbortController();
  onClosed(reply.raw, () => gone.abort());
  return {
    db: observedDatabase(db, request.observation),
    baseUrl,
    services,
    request: {
      cookie: request.headers.cookie,
      ip: request.ip,
      userAgent: request.headers["user-agent"],
      signal: gone.signal,
      observation: request.observation,
      readFile: () => readFile(request.raw, file?.maximumBytes ?? 0),
    },
  };
}

async function respond<Services>(
  { compress }: ConsoleEndpoint<Services>,
  request: FastifyRequest,
  reply: FastifyReply,
  { status = 200, body, contentType, filename, setCookie, redirectTo }: ConsoleResponse,
): Promise<FastifyReply> {
  for (const cookie of setCookie ?? []) reply.header("set-cookie", cookie);
  if (redirectTo !== undefined) return reply.redirect(redirectTo);
  if (filename !== undefined) reply.header("content-disposition", `attachment; filename="${filename}"`);
  if (body === undefined) return reply.code(204).send();
  if (body instanceof Readable) {
    // A stream of events ends with its connection, and no proxy may collect it.
    if (contentType === eventStream) reply.headers({ connection: "close", "x-accel-buffering": "no" });
    return reply.type(contentType ?? "application/octet-stream").send(body);
  }
  // Kept by the browser for comparison only: a page asks again each time, and gets a 304 if nothing has changed.
  if (request.method === "GET") reply.header("cache-control", "private, no-cache");
  const representation = representationOf({ body, ...(contentType === undefined ? {} : { contentType }) });
  return sendContent(request, reply.code(status), representation, compress);
}

/**
 * Protects people who are signed in from other sites: a browser names the page that a request comes from. A page of this
 * service has the same host as the request, or the one of PUBLIC_URL where a reverse proxy changes the host.
 */
function checkOrigin(publicUrl: string, method: string, headers: IncomingHttpHeaders): void {
  if (method === "GET" || method === "HEAD") return;
  const { origin, host } = headers;
  // A browser always names a host; without one, an Origin that is no URL must not pass for the same.
  const named = origin === undefined ? undefined : parseUrl(origin)?.host;
  const isOwn = origin === new URL(publicUrl).origin || (named !== undefined && named === host);
  if (isOwn) return;
  throw new ServiceError(
    "forbidden",
    "Origin: expected a request from a page of the console. Scripts use the REST API or MCP with an API key",
  );
}
