import { hash } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Answer } from "../route.js";

/** Sends an answer. A GET gets a strong ETag, and a 304 where the client has these bytes already. */
export function send(request: FastifyRequest, reply: FastifyReply, answer: Answer): FastifyReply {
  reply.type(answer.contentType ?? "application/json; charset=utf-8");
  if (request.method !== "GET" && request.method !== "HEAD") return reply.send(answer.body);
  const etag = `"${hash("sha1", answer.body, "base64url")}"`;
  reply.header("etag", etag);
  reply.header("cache-control", answer.cacheControl ?? "private, no-cache");
  if (answer.cacheControl === undefined) {
    const vary = reply.getHeader("vary");
    reply.header("vary", vary === undefined ? "Authorization" : `${String(vary)}, Authorization`);
  }
  if (matches(request.headers["if-none-match"], etag)) {
    reply.removeHeader("content-type");
    return reply.code(304).send();
  }
  return reply.send(answer.body);
}

function matches(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  return ifNoneMatch.split(",").some((part) => {
    const candidate = part.trim();
    return candidate === "*" || candidate.replace(/^W\//, "") === etag;
  });
}
