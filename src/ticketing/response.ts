import { pipeline, type Readable, type Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import type { FastifyReply } from "fastify";
import { ServiceError } from "../platform/errors.js";
import type { UpstreamAnswer } from "./exchange.js";
import { brokenOff, guardAnswer, maskKey } from "./guard.js";

export const answerLimitBytes = 32 * 1024 * 1024;

/** Hands the platform's answer on: its status and body as they are, streamed where it is large. */
export async function relay(
  reply: FastifyReply,
  answer: UpstreamAnswer,
  apiKey: string,
  onEnd: () => void,
): Promise<FastifyReply> {
  const { status, headers, body } = answer;
  const encoding = encodingOf(headers);
  const lengthBytes = lengthOf(headers);
  if (status > 599 || encoding === "unknown" || (lengthBytes ?? 0) > answerLimitBytes) {
    answer.discard();
    throw new ServiceError("bad_gateway", unusable(status, encoding));
  }
  reply.code(status).headers(passedHeaders(headers, apiKey)).header("cache-control", "private, no-store");
  if (headers["content-type"] === undefined) reply.type("application/octet-stream");
  if (status === 204 || status === 304) {
    answer.discard();
    onEnd();
    return reply.removeHeader("content-type").send();
  }
  if (body instanceof Promise) {
    const bytes = await wholeBody(body);
    onEnd();
    return reply.send(maskKey(bytes, apiKey));
  }
  if (encoding === "identity" && lengthBytes !== undefined) reply.header("content-length", lengthBytes);
  const stream = readable(body, encoding, guardAnswer({ limitBytes: answerLimitBytes, apiKey }));
  stream.once("close", onEnd);
  return reply.send(stream);
}

/** Reads a whole answer that the service itself wants to understand. */
export async function readAnswer(answer: UpstreamAnswer, limitBytes: number): Promise<string> {
  if (answer.body instanceof Promise) return (await wholeBody(answer.body)).toString("utf8");
  const encoding = encodingOf(answer.headers);
  if (encoding === "unknown") {
    answer.discard();
    throw new ServiceError("bad_gateway", unusable(answer.status, encoding));
  }
  const guard = guardAnswer({ limitBytes, apiKey: "" });
  const pieces: Buffer[] = [];
  try {
    for await (const piece of readable(answer.body, encoding, guard)) pieces.push(piece as Buffer);
  } catch {
    throw new ServiceError("bad_gateway", "The ticketing platform sent an answer that cannot be read");
  }
  return Buffer.concat(pieces).toString("utf8");
}

/** A small answer that breaks off is still a clean 502: nothing of it has been passed on. */
function wholeBody(body: Promise<Buffer>): Promise<Buffer> {
  return body.catch(() => {
    throw brokenOff();
  });
}

type Encoding = "identity" | "gzip" | "deflate" | "br" | "unknown";

const decoders = { gzip: createGunzip, deflate: createInflate, br: createBrotliDecompress };

function readable(body: Readable, encoding: Encoding, guard: Transform): Readable {
  const decoder = encoding === "identity" || encoding === "unknown" ? [] : [decoders[encoding]()];
  // An error anywhere destroys every stage, up to the platform's connection; whoever reads the last one sees it too.
  return pipeline([body, ...decoder, guard], () => {}) as unknown as Transform;
}

/** The proxy asks for plain answers; one that is compressed nevertheless is opened, so that its limit and mask hold. */
function encodingOf(headers: UpstreamAnswer["headers"]): Encoding {
  const named = String(headers["content-encoding"] ?? "identity")
    .trim()
    .toLowerCase();
  if (named === "" || named === "identity") return "identity";
  if (named === "x-gzip") return "gzip";
  return named === "gzip" || named === "deflate" || named === "br" ? named : "unknown";
}

function lengthOf(headers: UpstreamAnswer["headers"]): number | undefined {
  return headers["content-length"] === undefined ? undefined : Number(headers["content-length"]);
}

function unusable(status: number, encoding: Encoding): string {
  if (encoding === "unknown") return "The ticketing platform sent an answer in an encoding that is not known here";
  if (status > 599) return "The ticketing platform sent an answer that is not HTTP";
  return `The ticketing platform sent an answer above ${answerLimitBytes / 1024 / 1024} MiB`;
}

/** Hop-by-hop headers, cookies, rate limits of the platform's own key, and what this service says for itself. */
const keptBack =
  /^(connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|set-cookie2?|(x-)?rate-?limit.*|content-length|content-encoding|cache-control|date|server|via|vary|x-request-id|x-powered-by|access-control-.*|content-security-policy.*|strict-transport-security|x-frame-options|x-content-type-options|referrer-policy|permissions-policy|www-authenticate|clear-site-data|alt-svc|report-to|reporting-endpoints|nel)$/;

function passedHeaders(headers: UpstreamAnswer["headers"], apiKey: string): Record<string, string | string[]> {
  const named = String(headers.connection ?? "")
    .toLowerCase()
    .split(/[\s,]+/);
  const passed: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || keptBack.test(name) || named.includes(name) || !/^[\w!#$%&'*+.^`|~-]+$/.test(name))
      continue;
    const text = String(value);
    if (/[^\t\x20-\x7e\x80-\xff]/.test(text) || (apiKey !== "" && text.includes(apiKey))) continue;
    passed[name] = value;
  }
  return passed;
}
