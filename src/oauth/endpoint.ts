import { Readable } from "node:stream";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Provider } from "oidc-provider";
import type { Scope } from "../../contract/scopes.js";
import { networkOf } from "../infra/network-of.js";
import type { RateLimiter } from "../infra/rate-limit.js";
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

const authorizationServerPath = "/.well-known/oauth-authorization-server";
const resourcePath = "/.well-known/oauth-protected-resource";

const bodyLimitBytes = 64 * 1024;

/** Errors have the form of RFC 6749 here, because that is what clients of an authorization server read. */
export function addOAuthEndpoint(app: FastifyInstance, endpoint: OAuthEndpoint): void {
  const { publicUrl, scopes } = endpoint;
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    // The authorization server reads its bodies itself, but for registrations.
    scope.addContentTypeParser("*", (_request, _payload, done) => done(null));
    const limited = { onRequest: limitTo(endpoint.limiter) };
    const forward = (request: FastifyRequest, reply: FastifyReply) => passOn(endpoint, request, reply);
    scope.get("/oauth/authorize", limited, (request, reply) => {
      const url = new URL(request.raw.url ?? "", publicUrl);
      url.searchParams.set("scope", knownScopes(url.searchParams.get("scope") ?? undefined, scopes));
      return passOn(endpoint, request, reply, { url: url.pathname + url.search });
    });
    scope.get("/oauth/authorize/:uid", limited, forward);
    for (const path of ["/oauth/token", "/oauth/revoke"]) {
      scope.route({ method: ["POST", "OPTIONS"], url: path, ...limited, handler: forward });
    }
    scope.get("/oauth/jwks", limited, forward);
    for (const path of [authorizationServerPath, authorizationServerPath + endpoint.resourcePath]) {
      scope.get(path, limited, (request, reply) => passOn(endpoint, request, reply, { url: authorizationServerPath }));
    }
    const resource = {
      resource: publicUrl + endpoint.resourcePath,
      resource_name: "Event platform",
      resource_documentation: `${publicUrl}/docs/connect-your-agent`,
      authorization_servers: [publicUrl],
      scopes_supported: scopes,
      bearer_methods_supported: ["header"],
    };
    for (const path of [resourcePath, resourcePath + endpoint.resourcePath]) {
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
        return passOn(endpoint, request, reply, { body: JSON.stringify(read.metadata) });
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
  changed: { url?: string; body?: string } = {},
): Promise<FastifyReply> {
  const handle = await handler();
  const { raw } = request;
  // It believes these headers: they say what PUBLIC_URL says, whatever a client or proxy has sent.
  const { protocol, host } = new URL(publicUrl);
  raw.headers["x-forwarded-proto"] = protocol.slice(0, -1);
  raw.headers["x-forwarded-host"] = host;
  if (changed.url !== undefined) raw.url = changed.url;
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
