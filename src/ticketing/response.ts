import { pipeline, type Readable, type Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import type { FastifyReply } from "fastify";
import type { UpstreamResponse } from "./exchange.js";
import type { CallFailures } from "./failures.js";
import { createKeyMask, type KeyMask } from "./key-mask.js";
import { maskAndLimit } from "./mask-and-limit.js";

const responseLimitBytes = 32 * 1024 * 1024;

/** How a response is relayed to its caller. */
export type Relay = {
  reply: FastifyReply;
  keyMask: KeyMask;
  failures: CallFailures;
  /** A caller that takes nothing for this long is disconnected. */
  callerIdleMs: number;
  /** Called when nothing more of the response is needed, unless relaying throws. */
  onEnd: () => void;
};

/** Relays the platform's status and body unchanged, streaming large bodies. */
export async function relayResponse(response: UpstreamResponse, relay: Relay): Promise<FastifyReply> {
  const { reply, keyMask, failures, onEnd } = relay;
  const { status, headers, body } = response;
  const encoding = encodingOf(headers);
  const lengthBytes = lengthOf(headers);
  if (status > 599 || encoding === "unknown" || (lengthBytes ?? 0) > responseLimitBytes) {
    response.discard();
    throw failures.unusable(describeUnusable(status, encoding));
  }
  reply.code(status).headers(relayedHeaders(headers, keyMask)).header("cache-control", "private, no-store");
  reply.type(relayedType(headers["content-type"]));
  if (status === 204 || status === 304) {
    response.discard();
    onEnd();
    return reply.removeHeader("content-type").send();
  }
  if (body instanceof Promise) {
    const bytes = await bufferedBody(body, failures);
    onEnd();
    return reply.send(keyMask.mask(bytes));
  }
  if (encoding === "identity" && lengthBytes !== undefined) reply.header("content-length", lengthBytes);
  const limit = { limitBytes: responseLimitBytes, keyMask, failure: failures.incomplete };
  const stream = decode(body, encoding, maskAndLimit(limit));
  stream.once("close", onEnd);
  // The server closes stalled connections; this response gets less time than others, because it occupies a slot.
  reply.raw.setTimeout(relay.callerIdleMs);
  return reply.send(stream);
}

/** Reads a response that this service itself interprets. */
export async function readResponse(
  response: UpstreamResponse,
  limitBytes: number,
  failures: CallFailures,
): Promise<string> {
  if (response.body instanceof Promise) return (await bufferedBody(response.body, failures)).toString("utf8");
  const encoding = encodingOf(response.headers);
  if (encoding === "unknown") {
    response.discard();
    throw failures.unusable(describeUnusable(response.status, encoding));
  }
  const chunks: Buffer[] = [];
  const failure = () => failures.unusable("sent an unreadable response");
  const stream = decode(response.body, encoding, maskAndLimit({ limitBytes, keyMask: createKeyMask(""), failure }));
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

function bufferedBody(body: Promise<Buffer>, failures: CallFailures): Promise<Buffer> {
  return body.catch(() => {
    throw failures.incomplete();
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

/** Completes "The ticketing platform …". */
function describeUnusable(status: number, encoding: Encoding): string {
  if (encoding === "unknown") return "sent a response with an unsupported content encoding";
  if (status > 599) return "sent an invalid HTTP response";
  return `sent a response larger than ${responseLimitBytes / 1024 / 1024} MiB`;
}

/** Types that a browser would render or execute as content of this service are relayed as text. */
function relayedType(type: string | string[] | undefined): string {
  if (type === undefined) return "application/octet-stream";
  return String(type).replace(/^[^;]*(html|xml|svg|script|css|pdf)[^;]*/i, "text/plain");
}

/** Hop-by-hop headers, cookies, rate limits of the platform's key, what makes a browser act, and what this service sets itself. */
const blockedHeaders =
  /^(connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|set-cookie2?|(x-)?rate-?limit.*|content-length|content-encoding|content-type|refresh|link|service-worker-allowed|sourcemap|x-sourcemap|cache-control|date|server|via|vary|x-request-id|x-powered-by|access-control-.*|content-security-policy.*|strict-transport-security|x-frame-options|x-content-type-options|referrer-policy|permissions-policy|www-authenticate|clear-site-data|alt-svc|report-to|reporting-endpoints|nel)$/;
const validHeaderName = /^[\w!#$%&'*+.^`|~-]+$/;
const invalidHeaderValue = /[^\t\x20-\x7e\x80-\xff]/;

function relayedHeaders(headers: UpstreamResponse["headers"], keyMask: KeyMask): Record<string, string | string[]> {
  const hopByHop = String(headers.connection ?? "")
    .toLowerCase()
    .split(/[\s,]+/);
  const relayed: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || blockedHeaders.test(name) || hopByHop.includes(name) || !validHeaderName.test(name))
      continue;
    const text = String(value);
    if (invalidHeaderValue.test(text) || keyMask.isIn(text)) continue;
    relayed[name] = value;
  }
  return relayed;
}
