import { Readable } from "node:stream";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Provider } from "oidc-provider";
import { storable } from "../../contract/schema/fields.js";
import type { Scope } from "../../contract/scopes.js";
import { networkOf } from "../infra/network-of.js";
import type { RateLimiter } from "../infra/rate-limit.js";
import { problemPage } from "./authorization-server.js";
import { knownScopes, readRegistration } from "./registration.js";

/** The authorization server. */
export type Handler = ReturnType<Provider["callback"]>;

export type OAuthEndpoint = {
  publicUrl: string;
  /** The path of the MCP endpoint. */
  resourcePath: string;
  /** What apps can ask for. */
  scopes: readonly Scope[];
  handler: () => Promise<Handler>;
  /** Requests of a network. */
  limiter: RateLimiter;
  /** Registrations of a network. */
  registrations: RateLimiter;
};

const serverMetadataPath = "/.well-known/oauth-authorization-server";
const resourceMetadataPath = "/.well-known/oauth-protected-resource";

const bodyLimitBytes = 64 * 1024;

/** Of a parameter of a request: it is kept until the person decides. */
const longestParameter = 2_000;

/** What clients of an authorization server read: its errors have the form of RFC 6749. */
export function addOAuthEndpoint(app: FastifyInstance, endpoint: OAuthEndpoint): void {
  const { publicUrl, scopes } = endpoint;
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    // The authorization server reads its bodies itself, but for registrations.
    scope.addContentTypeParser("*", (_request, _payload, done) => done(null));
    const limited = { onRequest: limitTo(endpoint.limiter) };
    scope.get("/oauth/authorize", limited, (request, reply) => {
      const query = new URL(request.raw.url ?? "", publicUrl).searchParams;
      if (![...query].every(([, value]) => value.length <= longestParameter && storable(value))) {
        return reply.redirect(problemPage());
      }
      query.set("scope", knownScopes(query.get("scope") ?? undefined, scopes));
      // People are asked each time, whatever an app wants.
      query.delete("prompt");
      return passOn(endpoint, request, reply, { url: `/oauth/authorize?${query}` });
    });
    scope.get("/oauth/authorize/:uid", limited, (request, reply) => passOn(endpoint, request, reply));
    for (const path of ["/oauth/token", "/oauth/revoke"]) {
      const handler = (request: FastifyRequest, reply: FastifyReply) =>
        passOn(endpoint, request, reply, { accept: "application/json" });
      scope.route({ method: ["POST", "OPTIONS"], url: path, ...limited, handler });
    }
    scope.get("/oauth/jwks", limited, (request, reply) => passOn(endpoint, request, reply));
    for (const path of [serverMetadataPath, serverMetadataPath + endpoint.resourcePath]) {
      scope.get(path, (request, reply) =>
        passOn(endpoint, request, reply.header("cache-control", "max-age=3600"), { url: serverMetadataPath }),
      );
    }
    const resource = {
      resource: publicUrl + endpoint.resourcePath,
      resource_name: "Event platform",
      resource_documentation: `${publicUrl}/docs/connect-your-agent`,
      authorization_servers: [publicUrl],
      scopes_supported: scopes,
      bearer_methods_supported: ["header"],
    };
    for (const path of [resourceMetadataPath, resourceMetadataPath + endpoint.resourcePath]) {
      scope.get(path, async (_request, reply) =>
        reply.headers({ "cache-control": "max-age=3600", "access-control-allow-origin": "*" }).send(resource),
      );
    }
  });
  app.register(async (scope) => {
    scope.post(
      "/oauth/register",
      { onRequest: limitTo(endpoint.registrations), bodyLimit: bodyLimitBytes },
      (request, reply) => {
        const read = readRegistration(request.body);
        if ("problem" in read) {
          const error = { error: "invalid_client_metadata", error_description: read.problem };
          return reply.code(400).header("cache-control", "no-store").send(error);
        }
        return passOn(endpoint, request, reply, {
          accept: "application/json",
          body: JSON.stringify(read.metadata),
        });
      },
    );
  });
}

function limitTo(limiter: RateLimiter) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const verdict = await limiter.consume(networkOf(request.ip));
    if (verdict.allowed) return;
    request.observation.rateLimited = true;
    const error_description = `Too many requests. Try again in ${verdict.retryAfterSeconds} s`;
    return reply
      .code(429)
      .header("retry-after", verdict.retryAfterSeconds)
      .send({ error: "temporarily_unavailable", error_description });
  };
}

/** Lets the authorization server respond, with the headers that every response has. */
async function passOn(
  { handler, publicUrl }: OAuthEndpoint,
  request: FastifyRequest,
  reply: FastifyReply,
  changed: { url?: string; accept?: string; body?: string } = {},
): Promise<FastifyReply> {
  const handle = await handler();
  const { raw } = request;
  // It believes these headers: they say what PUBLIC_URL says, whatever a client or proxy has sent.
  const { protocol, host } = new URL(publicUrl);
  raw.headers["x-forwarded-proto"] = protocol.slice(0, -1);
  raw.headers["x-forwarded-host"] = host;
  if (changed.url !== undefined) raw.url = changed.url;
  if (changed.accept !== undefined) raw.headers.accept = changed.accept;
  for (const [name, value] of Object.entries(reply.getHeaders()))
    if (value !== undefined) reply.raw.setHeader(name, value);
  reply.hijack();
  await handle(changed.body === undefined ? raw : withBody(raw, changed.body), reply.raw);
  return reply;
}

/** A request whose body was read already, with another one. */
function withBody(request: FastifyRequest["raw"], body: string): FastifyRequest["raw"] {
  const { method, url, headers, socket, httpVersion } = request;
  const bytes = Buffer.from(body);
  const changed = { method, url, socket, httpVersion };
  return Object.assign(Readable.from([bytes]), changed, {
    headers: { ...headers, "content-type": "application/json", "content-length": String(bytes.length) },
  }) as unknown as FastifyRequest["raw"];
}
