import type { FastifyReply, FastifyRequest } from "fastify";
import type { Compressor } from "../infra/compress.js";
import { namesTag } from "../infra/etag.js";
import { jsonType, representationOf } from "../infra/representation.js";
import { addVary, ifNoneMatchOf, sendContent, sendNotModified } from "../infra/send-content.js";
import type { Content, RouteResponse } from "../route.js";
import type { ReadResponse } from "./response-cache.js";

/** Sends a response with a strong ETag, or a 304 to a GET whose client already has this representation. */
export async function send(
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
export function sendCached(
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
