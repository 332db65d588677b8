import { randomBytes, randomUUID } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { withoutSecrets } from "../secrets.js";

/** Without `_`, `.` and `@`: an e-mail address is not taken for a request id, which is logged and sent back. */
const requestIdPattern = /^[0-9A-Za-z-]{8,64}$/;

/** W3C Trace Context, version 00: trace id, id of the caller's span, flags. */
const traceparentPattern = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})$/;

/** The caller's request id, or else its trace id, or else a new one. */
export function requestIdOf(headers: IncomingHttpHeaders): string {
  const given = headers["x-request-id"];
  if (typeof given === "string" && requestIdPattern.test(given) && withoutSecrets(given) === given) return given;
  return readTraceparent(headers)?.traceId ?? randomUUID();
}

export type TraceParent = { traceId: string; parentSpanId: string | null; sampled: boolean };

/** The caller's trace, or a new one. */
export function traceParentOf(headers: IncomingHttpHeaders): TraceParent {
  return readTraceparent(headers) ?? { traceId: randomHex(16), parentSpanId: null, sampled: true };
}

export function randomHex(bytes: number): string {
  return randomBytes(bytes).toString("hex");
}

function readTraceparent(headers: IncomingHttpHeaders): TraceParent | undefined {
  const given = headers.traceparent;
  const [, traceId, parentSpanId, flags] = (typeof given === "string" && traceparentPattern.exec(given)) || [];
  if (traceId === undefined || parentSpanId === undefined || flags === undefined) return undefined;
  return { traceId, parentSpanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 };
}
