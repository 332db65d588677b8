import type { FastifyReply, FastifyRequest } from "fastify";
import type { Compressor } from "./compress.js";
import { type Coding, etagOf, findMatch } from "./etag.js";
import type { Representation } from "./representation.js";

/** Sends a body with a strong ETag, compressed, or a 304 to a GET whose client already has this representation. */
export function sendContent(
  request: FastifyRequest,
  reply: FastifyReply,
  representation: Representation,
  compress: Compressor,
): FastifyReply | Promise<FastifyReply> {
  if (representation.compressible) addVary(reply, "Accept-Encoding");
  const ifNoneMatch = ifNoneMatchOf(request);
  const known = ifNoneMatch === undefined ? undefined : findMatch(ifNoneMatch, representation.digest(), true);
  if (known !== undefined) return sendNotModified(reply, known === "*" ? etagOf(representation.digest()) : known);
  const acceptEncoding = request.headers["accept-encoding"];
  if (!representation.compressible || acceptEncoding === undefined)
    return sendBody(reply, representation, representation);
  return compress(representation, acceptEncoding).then((compressed) => sendBody(reply, representation, compressed));
}

function sendBody(
  reply: FastifyReply,
  { contentType, digest }: Representation,
  { body, coding }: { body: Buffer; coding?: Coding | undefined },
): FastifyReply {
  if (coding !== undefined) reply.header("content-encoding", coding);
  return reply.type(contentType).header("etag", etagOf(digest(), coding)).send(body);
}

export function ifNoneMatchOf({ method, headers }: FastifyRequest): string | undefined {
  return method === "GET" || method === "HEAD" ? headers["if-none-match"] : undefined;
}

export function sendNotModified(reply: FastifyReply, etag: string): FastifyReply {
  return reply.header("etag", etag).code(304).send();
}

export function addVary(reply: FastifyReply, name: string): void {
  const vary = reply.getHeader("vary");
  reply.header("vary", vary === undefined ? name : `${String(vary)}, ${name}`);
}
