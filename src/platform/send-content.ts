import type { FastifyReply, FastifyRequest } from "fastify";
import { type Compressor, mayCompress } from "./compress.js";
import { etagOf, findMatch } from "./etag.js";

export const jsonType = "application/json; charset=utf-8";

/** Sends a body with a strong ETag, compressed, or a 304 to a GET whose client already has this representation. */
export async function sendContent(
  request: FastifyRequest,
  reply: FastifyReply,
  { body, contentType }: { body: string | Buffer; contentType?: string },
  compress: Compressor,
): Promise<FastifyReply> {
  reply.type(contentType ?? jsonType);
  const text = typeof body === "string" ? body : undefined;
  if (text !== undefined && mayCompress(text)) addVary(reply, "Accept-Encoding");
  const known = findMatch(ifNoneMatchOf(request), body, true);
  if (known !== undefined) return sendNotModified(reply, known === "*" ? etagOf(body) : known);
  const { coding, ...sent } =
    text === undefined ? { body, coding: undefined } : await compress(text, request.headers["accept-encoding"]);
  if (coding !== undefined) reply.header("content-encoding", coding);
  return reply.header("etag", etagOf(body, coding)).send(sent.body);
}

export function ifNoneMatchOf({ method, headers }: FastifyRequest): string | undefined {
  return method === "GET" || method === "HEAD" ? headers["if-none-match"] : undefined;
}

export function sendNotModified(reply: FastifyReply, etag: string): FastifyReply {
  return reply.removeHeader("content-type").header("etag", etag).code(304).send();
}

export function addVary(reply: FastifyReply, name: string): void {
  const vary = reply.getHeader("vary");
  reply.header("vary", vary === undefined ? name : `${String(vary)}, ${name}`);
}
