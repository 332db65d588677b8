import { hash } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { RouteResponse } from "../route.js";

/** Sends a response. A GET gets a strong ETag, and a 304 when the client already has this representation. */
export function send(request: FastifyRequest, reply: FastifyReply, response: RouteResponse): FastifyReply {
  reply.type(response.contentType ?? "application/json; charset=utf-8");
  if (request.method !== "GET" && request.method !== "HEAD") return reply.send(response.body);
  const etag = `"${hash("sha1", response.body, "base64url")}"`;
  reply.header("etag", etag);
  reply.header("cache-control", response.cacheControl ?? "private, no-cache");
  if (response.cacheControl === undefined) {
    const vary = reply.getHeader("vary");
    reply.header("vary", vary === undefined ? "Authorization" : `${String(vary)}, Authorization`);
  }
  if (matches(request.headers["if-none-match"], etag)) {
    reply.removeHeader("content-type");
    return reply.code(304).send();
  }
  return reply.send(response.body);
}

function matches(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  return ifNoneMatch.split(",").some((part) => {
    const candidate = part.trim();
    return candidate === "*" || candidate.replace(/^W\//, "") === etag;
  });
}
