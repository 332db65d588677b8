import { pipeline, type Readable, type Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import type { FastifyReply } from "fastify";
import { ServiceError } from "../platform/errors.js";
import type { UpstreamResponse } from "./exchange.js";
import { incompleteResponse, maskAndLimit, maskKey } from "./mask-and-limit.js";

export const responseLimitBytes = 32 * 1024 * 1024;

/** Relays the platform's status and body unchanged, streaming large bodies. Calls `onEnd` unless it throws. */
export async function relayResponse(
  reply: FastifyReply,
  response: UpstreamResponse,
  apiKey: string,
  onEnd: () => void,
): Promise<FastifyReply> {
  const { status, headers, body } = response;
  const encoding = encodingOf(headers);
  const lengthBytes = lengthOf(headers);
  if (status > 599 || encoding === "unknown" || (lengthBytes ?? 0) > responseLimitBytes) {
    response.discard();
    throw unusableResponse(status, encoding);
  }
  reply.code(status).headers(relayedHeaders(headers, apiKey)).header("cache-control", "private, no-store");
  if (headers["content-type"] === undefined) reply.type("application/octet-stream");
  if (status === 204 || status === 304) {
    response.discard();
    onEnd();
    return reply.removeHeader("content-type").send();
  }
  if (body instanceof Promise) {
    const bytes = await bufferedBody(body);
    onEnd();
    return reply.send(maskKey(bytes, apiKey));
  }
  if (encoding === "identity" && lengthBytes !== undefined) reply.header("content-length", lengthBytes);
  const stream = decode(body, encoding, maskAndLimit({ limitBytes: responseLimitBytes, apiKey }));
  stream.once("close", onEnd);
  return reply.send(stream);
}

/** Reads a response that this service itself interprets. */
export async function readResponse(response: UpstreamResponse, limitBytes: number): Promise<string> {
  if (response.body instanceof Promise) return (await bufferedBody(response.body)).toString("utf8");
  const encoding = encodingOf(response.headers);
  if (encoding === "unknown") {
    response.discard();
    throw unusableResponse(response.status, encoding);
  }
  const chunks: Buffer[] = [];
  const stream = decode(response.body, encoding, maskAndLimit({ limitBytes, apiKey: "" }));
  try {
    for await (const chunk of stream) chunks.push(chunk as Buffer);
  } catch {
    throw new ServiceError("bad_gateway", "The ticketing platform sent an unreadable response");
  }
  return Buffer.concat(chunks).toString("utf8");
}

function bufferedBody(body: Promise<Buffer>): Promise<Buffer> {
  return body.catch(() => {
    throw incompleteResponse();
  });
}

type Encoding = "identity" | "gzip" | "deflate" | "br" | "unknown";

const decoders = { gzip: createGunzip, deflate: createInflate, br: createBrotliDecompress };

/** The limit and the mask apply to the decoded bytes. */
function decode(body: Readable, encoding: Encoding, maskAndLimitStage: Transform): Readable {
  const decoder = encoding === "identity" || encoding === "unknown" ? [] : [decoders[encoding]()];
  // An error destroys every stage, including the platform's connection, and is reported by the last one.
  return pipeline([body, ...decoder, maskAndLimitStage], () => {}) as unknown as Transform;
}

/** The proxy requests uncompressed responses, but decodes compressed ones so that limit and mask still apply. */
function encodingOf(headers: UpstreamResponse["headers"]): Encoding {
  const name = String(headers["content-encoding"] ?? "identity")
    .trim()
    .toLowerCase();
  if (name === "" || name === "identity") return "identity";
  if (name === "x-gzip") return "gzip";
  return name === "gzip" || name === "deflate" || name === "br" ? name : "unknown";
}

function lengthOf(headers: UpstreamResponse["headers"]): number | undefined {
  return headers["content-length"] === undefined ? undefined : Number(headers["content-length"]);
}

function unusableResponse(status: number, encoding: Encoding): ServiceError {
  return new ServiceError("bad_gateway", `The ticketing platform sent ${describeUnusable(status, encoding)}`);
}

function describeUnusable(status: number, encoding: Encoding): string {
  if (encoding === "unknown") return "a response with an unsupported content encoding";
  if (status > 599) return "an invalid HTTP response";
  return `a response larger than ${responseLimitBytes / 1024 / 1024} MiB`;
}

/** Hop-by-hop headers, cookies, rate limits of the platform's key, and headers that this service sets itself. */
const blockedHeaders =
  /^(connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|set-cookie2?|(x-)?rate-?limit.*|content-length|content-encoding|cache-control|date|server|via|vary|x-request-id|x-powered-by|access-control-.*|content-security-policy.*|strict-transport-security|x-frame-options|x-content-type-options|referrer-policy|permissions-policy|www-authenticate|clear-site-data|alt-svc|report-to|reporting-endpoints|nel)$/;
const validHeaderName = /^[\w!#$%&'*+.^`|~-]+$/;
const invalidHeaderValue = /[^\t\x20-\x7e\x80-\xff]/;

function relayedHeaders(headers: UpstreamResponse["headers"], apiKey: string): Record<string, string | string[]> {
  const hopByHop = String(headers.connection ?? "")
    .toLowerCase()
    .split(/[\s,]+/);
  const relayed: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || blockedHeaders.test(name) || hopByHop.includes(name) || !validHeaderName.test(name))
      continue;
    const text = String(value);
    if (invalidHeaderValue.test(text) || (apiKey !== "" && text.includes(apiKey))) continue;
    relayed[name] = value;
  }
  return relayed;
}
