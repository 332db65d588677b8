import { hash } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Content, RouteResponse } from "../route.js";

/** Sends a response. A GET gets a strong ETag, and a 304 when the client already has this representation. */
export async function send(
  request: FastifyRequest,
  reply: FastifyReply,
  response: RouteResponse,
): Promise<FastifyReply> {
  const ifNoneMatch = request.headers["if-none-match"];
  // "*" asks whether the representation exists, which only reading it can tell.
  if ("read" in response && ifNoneMatch?.trim() !== "*" && matches(ifNoneMatch, response.etag)) {
    return sendNotModified(reply, response.etag, response.cacheControl);
  }
  const content: Content = "read" in response ? await response.read() : response;
  reply.type(content.contentType ?? "application/json; charset=utf-8");
  if (request.method !== "GET" && request.method !== "HEAD") return reply.send(content.body);
  const etag = "read" in response ? response.etag : `"${hash("sha1", content.body, "base64url")}"`;
  if (matches(ifNoneMatch, etag)) return sendNotModified(reply, etag, response.cacheControl);
  return addCacheHeaders(reply, etag, response.cacheControl).send(content.body);
}

function sendNotModified(reply: FastifyReply, etag: string, cacheControl: string | undefined): FastifyReply {
  reply.removeHeader("content-type");
  return addCacheHeaders(reply, etag, cacheControl).code(304).send();
}

function addCacheHeaders(reply: FastifyReply, etag: string, cacheControl = "private, no-cache"): FastifyReply {
  reply.header("etag", etag);
  reply.header("cache-control", cacheControl);
  if (cacheControl.startsWith("private")) {
    const vary = reply.getHeader("vary");
    reply.header("vary", vary === undefined ? "Authorization" : `${String(vary)}, Authorization`);
  }
  return reply;
}

function matches(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  return ifNoneMatch.split(",").some((part) => {
    const candidate = part.trim();
    return candidate === "*" || candidate.replace(/^W\//, "") === etag;
  });
}
