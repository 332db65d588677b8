import { pipeline, type Readable, Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import type { FastifyReply } from "fastify";
import type { ServiceError } from "../../contract/errors.js";
import type { CallFailures, UpstreamResponse } from "./exchange.js";

const responseLimitBytes = 32 * 1024 * 1024;

/** How a response is relayed to its caller. */
type Relay = {
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

/** A stage of a response stream: fails once the response exceeds its limit, and masks the platform's key. */
export function maskAndLimit(options: {
  limitBytes: number;
  keyMask: KeyMask;
  failure: () => ServiceError;
}): Transform {
  const { limitBytes, keyMask, failure } = options;
  let receivedBytes = 0;
  /** The end of what has arrived, in which the key could begin. */
  let held: Buffer = Buffer.alloc(0);
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      receivedBytes += chunk.length;
      if (receivedBytes > limitBytes) return done(new Error("response too large"));
      const bytes = keyMask.mask(held.length === 0 ? chunk : Buffer.concat([held, chunk]));
      const end = Math.max(0, bytes.length - (keyMask.longest - 1));
      held = Buffer.from(bytes.subarray(end));
      done(null, bytes.subarray(0, end));
    },
    flush(done) {
      done(null, held);
    },
    // Sent as a 502 if nothing has been relayed yet; otherwise the caller's connection is closed mid-response.
    destroy(error, done) {
      done(error && failure());
    },
  });
}

/** A shorter key could match unrelated response text, so it is not masked. */
const shortestMaskedKey = 8;

/** Finds the platform's key in what the platform sends: a caller who learned it could reach every event. */
export type KeyMask = {
  /** Replaces the key in place with asterisks, so that the length stays the same. */
  mask(bytes: Buffer): Buffer;
  isIn(text: string): boolean;
  /** The length of the longest text that is masked. */
  longest: number;
};

/** Covers the key as it is, with any of its characters escaped as in JSON or URLs, in base64 and in hex. */
export function createKeyMask(apiKey: string): KeyMask {
  const key = Buffer.from(apiKey);
  if (key.length < shortestMaskedKey) return { mask: (bytes) => bytes, isIn: () => false, longest: 1 };
  const forms = [[...key].map(escapedByte).join(""), key.toString("hex").replace(/[a-f]/g, anyCase)];
  for (const shift of [0, 1, 2]) forms.push(base64Form(key, shift));
  const pattern = new RegExp(forms.join("|"), "g");
  return {
    mask(bytes) {
      // Latin-1 has one character per byte.
      for (const { 0: found, index } of bytes.toString("latin1").matchAll(pattern)) {
        bytes.fill("*", index, index + found.length);
      }
      return bytes;
    },
    isIn: (text) => text.search(pattern) !== -1,
    longest: key.length * "\\u0000".length,
  };
}

function escapedByte(byte: number): string {
  const character = String.fromCharCode(byte);
  const hex = byte.toString(16).padStart(2, "0").replace(/[a-f]/g, anyCase);
  const literal = `\\x${byte.toString(16).padStart(2, "0")}`;
  return `(?:${character === "/" ? "\\\\?" : ""}${literal}|\\\\u00${hex}|%${hex})`;
}

/** The characters that the key determines alone, if `shift` bytes of a group of three precede it. */
function base64Form(key: Buffer, shift: number): string {
  const encoded = Buffer.concat([Buffer.alloc(shift), key]).toString("base64");
  const determined = encoded.slice(Math.ceil((shift * 8) / 6), Math.floor(((shift + key.length) * 8) / 6));
  return determined.replaceAll("+", "(?:[+-]|%2[bB])").replaceAll("/", "(?:\\\\?/|_|%2[fF])");
}

function anyCase(letter: string): string {
  return `[${letter}${letter.toUpperCase()}]`;
}
