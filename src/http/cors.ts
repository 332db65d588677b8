import type { FastifyInstance } from "fastify";
import { ignoredFieldsHeader, ignoredParametersHeader } from "../infra/ignored-names.js";

const exposed = [
  "allow",
  "deprecation",
  "etag",
  "link",
  "mcp-session-id",
  "retry-after",
  "sunset",
  "www-authenticate",
  ignoredFieldsHeader,
  ignoredParametersHeader,
  "x-ratelimit-limit",
  "x-ratelimit-remaining",
  "x-ratelimit-reset",
  "x-request-id",
].join(", ");

/** Allows browser requests from these origins. Without any, no CORS headers are sent. */
export function addCors(app: FastifyInstance, origins: string[]): void {
  if (origins.length === 0) return;
  const allowed = new Set(origins);
  app.addHook("onRequest", async (request, reply) => {
    const { origin } = request.headers;
    reply.header("vary", "Origin");
    if (origin === undefined || !allowed.has(origin)) return;
    reply.header("access-control-allow-origin", origin);
    reply.header("access-control-expose-headers", exposed);
    const method = request.headers["access-control-request-method"];
    if (request.method !== "OPTIONS" || method === undefined) return;
    reply.header("access-control-allow-methods", method);
    reply.header("access-control-allow-headers", request.headers["access-control-request-headers"] ?? "authorization");
    reply.header("access-control-max-age", "600");
  });
}
