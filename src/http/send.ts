import type { FastifyReply, FastifyRequest } from "fastify";
import { type Compressor, mayCompress } from "../platform/compress.js";
import { etagOf, findMatch, namesTag } from "../platform/etag.js";
import type { Content, RouteResponse } from "../route.js";

/** Sends a response with a strong ETag, or a 304 to a GET whose client already has this representation. */
export async function send(
  request: FastifyRequest,
  reply: FastifyReply,
  response: RouteResponse,
  compress: Compressor,
): Promise<FastifyReply> {
  const { cacheControl } = response;
  const isRead = request.method === "GET" || request.method === "HEAD";
  const ifNoneMatch = isRead ? request.headers["if-none-match"] : undefined;
  if (isRead) reply.header("cache-control", cacheControl ?? "private, no-cache");
  if (isRead && cacheControl === undefined) addVary(reply, "Authorization");
  if ("read" in response) return sendStored(reply, response, ifNoneMatch);
  const { body, contentType } = response;
  reply.type(contentType ?? jsonType);
  const text = typeof body === "string" ? body : undefined;
  if (text !== undefined && mayCompress(text)) addVary(reply, "Accept-Encoding");
  const known = findMatch(ifNoneMatch, body, true);
  if (known !== undefined) return sendNotModified(reply, known === "*" ? etagOf(body) : known);
  const { coding, ...sent } =
    text === undefined ? { body, coding: undefined } : await compress(text, request.headers["accept-encoding"]);
  if (coding !== undefined) reply.header("content-encoding", coding);
  return reply.header("etag", etagOf(body, coding)).send(sent.body);
}

const jsonType = "application/json; charset=utf-8";

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

function sendNotModified(reply: FastifyReply, etag: string): FastifyReply {
  return reply.removeHeader("content-type").header("etag", etag).code(304).send();
}

function addVary(reply: FastifyReply, name: string): void {
  const vary = reply.getHeader("vary");
  reply.header("vary", vary === undefined ? name : `${String(vary)}, ${name}`);
}
