import { Pool } from "undici";
import { messageOf, ServiceError } from "../platform/errors.js";
import type { Log } from "../platform/log.js";
import { type Cancellation, cancel, exchange, type UpstreamAnswer } from "./exchange.js";
import type { ForwardedRequest } from "./input.js";

export type UpstreamOptions = {
  url: string;
  apiKey: string;
  log: Log;
  connections: number;
  /** From the first attempt until the head of an answer has arrived. */
  answerTimeoutMs: number;
  connectTimeoutMs: number;
  /** Between two pieces of an answer. */
  idleTimeoutMs: number;
  /** For the whole answer, however slowly the caller takes it. */
  transferTimeoutMs: number;
};

export type Upstream = {
  /** Cancelled when the caller hangs up or time is over: the connection closes, also while the body still arrives. */
  send(request: ForwardedRequest, cancellation: Cancellation): Promise<UpstreamAnswer>;
  /** Known to the door so that it can keep the key out of what callers get. */
  apiKey: string;
  close(): Promise<void>;
};

export const upstreamDefaults = {
  connections: 50,
  answerTimeoutMs: 10_000,
  connectTimeoutMs: 5_000,
  idleTimeoutMs: 10_000,
  transferTimeoutMs: 120_000,
};

/** The external platform behind a pool of connections that are kept open. Redirects are not followed. */
export function connectUpstream(options: UpstreamOptions): Upstream {
  const base = new URL(options.url);
  const prefix = base.pathname.replace(/\/+$/, "");
  const pool = new Pool(base.origin, {
    connections: options.connections,
    pipelining: 1,
    headersTimeout: 0,
    bodyTimeout: options.idleTimeoutMs,
    connect: { timeout: options.connectTimeoutMs },
    keepAliveTimeout: 30_000,
  });

  const headersOfRead = {
    "x-luma-api-key": options.apiKey,
    accept: "application/json",
    "accept-encoding": "identity",
    "user-agent": "svc-ticketing-proxy",
  };
  const headersOfWrite = { ...headersOfRead, "content-type": "application/json" };

  function attempt(request: ForwardedRequest, cancellation: Cancellation): Promise<UpstreamAnswer> {
    const { method, query, body } = request;
    const path = `${prefix}/${request.path}${query === "" ? "" : `?${query}`}`;
    return exchange(
      pool,
      { method, path, headers: body === null ? headersOfRead : headersOfWrite, body },
      cancellation,
    );
  }

  async function send(request: ForwardedRequest, cancellation: Cancellation): Promise<UpstreamAnswer> {
    const tooLate = () => cancel(cancellation, "deadline");
    const timer = setTimeout(tooLate, options.answerTimeoutMs);
    try {
      const answer = await attempt(request, cancellation).catch((error: unknown) => {
        // The platform knows no idempotency key and sends e-mail: what is not a read is never sent twice.
        if (request.method !== "GET" || !isBrokenConnection(error)) throw error;
        return attempt(request, cancellation);
      });
      endWith(answer.body, setTimeout(tooLate, options.transferTimeoutMs));
      return answer;
    } catch (error) {
      if (cancellation.cause === "caller")
        throw new ServiceError("unavailable", "The caller went away", { details: { outcome: "unknown" } });
      if (cancellation.cause === "deadline") throw timedOut(request.method, options.answerTimeoutMs);
      throw unreachable(request.method, error, options);
    } finally {
      clearTimeout(timer);
    }
  }

  return { send, apiKey: options.apiKey, close: () => pool.close() };
}

function endWith(body: UpstreamAnswer["body"], timer: NodeJS.Timeout): void {
  const end = () => clearTimeout(timer);
  if (body instanceof Promise) body.then(end, end);
  else body.once("close", end);
}

const brokenConnection = new Set(["UND_ERR_SOCKET", "ECONNRESET", "EPIPE"]);
const neverSent = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
]);

function isBrokenConnection(error: unknown): boolean {
  return brokenConnection.has(codeOf(error));
}

function timedOut(method: string, answerTimeoutMs: number): ServiceError {
  const text = `The ticketing platform did not answer within ${answerTimeoutMs / 1000} s`;
  return new ServiceError("gateway_timeout", text + warningAfter(method), { details: { outcome: "unknown" } });
}

function unreachable(method: string, error: unknown, { log, apiKey }: UpstreamOptions): ServiceError {
  const code = codeOf(error);
  log.warn({ code, reason: withoutKey(messageOf(error), apiKey) }, "the ticketing platform cannot be reached");
  if (neverSent.has(code)) {
    return new ServiceError("bad_gateway", "The ticketing platform cannot be reached", {
      details: { outcome: "not_sent" },
    });
  }
  const what = code.startsWith("HPE_") ? "sent an answer that is not HTTP" : "broke the connection off";
  return new ServiceError("bad_gateway", `The ticketing platform ${what}${warningAfter(method)}`, {
    details: { outcome: "unknown" },
  });
}

function warningAfter(method: string): string {
  return method === "GET" ? "" : ". It may have carried out the change or not: look before you send it again";
}

function withoutKey(text: string, apiKey: string): string {
  return apiKey === "" ? text : text.replaceAll(apiKey, "[key]");
}

function codeOf(error: unknown): string {
  const { code } = error as { code?: unknown };
  if (typeof code === "string") return code;
  return error instanceof AggregateError && error.errors.length > 0 ? codeOf(error.errors[0]) : "unknown";
}
