import { Pool } from "undici";
import { messageOf, ServiceError } from "../platform/errors.js";
import type { Log } from "../platform/log.js";
import { createOutage } from "../platform/outage.js";
import { type Cancellation, cancel, exchange, type UpstreamResponse } from "./exchange.js";
import type { UpstreamRequest } from "./request.js";

export type UpstreamOptions = {
  url: string;
  apiKey: string;
  log: Log;
  /** Called for each request that was answered or has failed. */
  onCall?: (outcome: string, ms: number) => void;
  connections: number;
  /** From the first attempt until the status and headers of a response have arrived. */
  responseTimeoutMs: number;
  connectTimeoutMs: number;
  /** Between two chunks of a response. */
  idleTimeoutMs: number;
  /** For the whole response, even if the caller reads slowly. */
  transferTimeoutMs: number;
};

export type Upstream = {
  /** Cancelling closes the connection, also while the body is arriving. */
  send(request: UpstreamRequest, cancellation: Cancellation): Promise<UpstreamResponse>;
  /** Needed to mask the key in responses. */
  apiKey: string;
  /** Whether the platform responds, as far as the last requests have shown. */
  available(): boolean;
  close(): Promise<void>;
};

export const upstreamDefaults = {
  connections: 50,
  responseTimeoutMs: 10_000,
  connectTimeoutMs: 5_000,
  idleTimeoutMs: 10_000,
  transferTimeoutMs: 120_000,
};

/** The external platform, reached through a pool of keep-alive connections. Redirects are not followed. */
export function connectUpstream(options: UpstreamOptions): Upstream {
  const base = new URL(options.url);
  const outage = createOutage(options.log, "ticketing platform");
  const basePath = base.pathname.replace(/\/+$/, "");
  const pool = new Pool(base.origin, {
    connections: options.connections,
    pipelining: 1,
    headersTimeout: 0,
    bodyTimeout: options.idleTimeoutMs,
    connect: { timeout: options.connectTimeoutMs },
    keepAliveTimeout: 30_000,
  });

  const readHeaders = {
    "x-luma-api-key": options.apiKey,
    accept: "application/json",
    "accept-encoding": "identity",
    "user-agent": "svc-ticketing-proxy",
  };
  const writeHeaders = { ...readHeaders, "content-type": "application/json" };

  function attempt(request: UpstreamRequest, cancellation: Cancellation): Promise<UpstreamResponse> {
    const { method, query, body } = request;
    const path = `${basePath}/${request.path}${query === "" ? "" : `?${query}`}`;
    return exchange(pool, { method, path, headers: body === null ? readHeaders : writeHeaders, body }, cancellation);
  }

  async function send(request: UpstreamRequest, cancellation: Cancellation): Promise<UpstreamResponse> {
    const expire = () => cancel(cancellation, "deadline");
    const timer = setTimeout(expire, options.responseTimeoutMs);
    const startedAt = performance.now();
    const report = (outcome: string) => options.onCall?.(outcome, performance.now() - startedAt);
    try {
      const response = await attempt(request, cancellation).catch((error: unknown) => {
        // The platform has no idempotency keys and sends e-mail, so only reads are retried.
        if (request.method !== "GET" || !isBrokenConnection(error)) throw error;
        return attempt(request, cancellation);
      });
      clearAtEnd(response.body, setTimeout(expire, options.transferTimeoutMs));
      outage.succeeded();
      report(`${Math.floor(response.status / 100)}xx`);
      return response;
    } catch (error) {
      report(cancellation.cause === null ? "failed" : outcomeOfCancellation[cancellation.cause]);
      if (cancellation.cause === "caller")
        throw new ServiceError("unavailable", "The caller disconnected", { details: { outcome: "unknown" } });
      const failure =
        cancellation.cause === "deadline"
          ? timedOut(request.method, options.responseTimeoutMs)
          : unreachable(request.method, error);
      outage.failed(withoutKey(`${failure.message} (${codeOf(error)}: ${messageOf(error)})`, options.apiKey));
      throw failure;
    } finally {
      clearTimeout(timer);
    }
  }

  return { send, apiKey: options.apiKey, available: outage.available, close: () => pool.close() };
}

const outcomeOfCancellation = { caller: "cancelled", deadline: "timeout" };

function clearAtEnd(body: UpstreamResponse["body"], timer: NodeJS.Timeout): void {
  const clear = () => clearTimeout(timer);
  if (body instanceof Promise) body.then(clear, clear);
  else body.once("close", clear);
}

const brokenConnectionCodes = new Set(["UND_ERR_SOCKET", "ECONNRESET", "EPIPE"]);
const notSentCodes = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
]);

function isBrokenConnection(error: unknown): boolean {
  return brokenConnectionCodes.has(codeOf(error));
}

function timedOut(method: string, responseTimeoutMs: number): ServiceError {
  const message = `The ticketing platform did not respond within ${responseTimeoutMs / 1000} s`;
  return new ServiceError("gateway_timeout", message + retryWarning(method), { details: { outcome: "unknown" } });
}

function unreachable(method: string, error: unknown): ServiceError {
  const code = codeOf(error);
  if (notSentCodes.has(code)) {
    return new ServiceError("bad_gateway", "The ticketing platform cannot be reached", {
      details: { outcome: "not_sent" },
    });
  }
  const problem = code.startsWith("HPE_") ? "sent an invalid HTTP response" : "closed the connection";
  return new ServiceError("bad_gateway", `The ticketing platform ${problem}${retryWarning(method)}`, {
    details: { outcome: "unknown" },
  });
}

function retryWarning(method: string): string {
  return method === "GET" ? "" : ". The change may or may not have been applied: check before you retry";
}

function withoutKey(text: string, apiKey: string): string {
  return apiKey === "" ? text : text.replaceAll(apiKey, "[key]");
}

function codeOf(error: unknown): string {
  const { code } = error as { code?: unknown };
  if (typeof code === "string") return code;
  return error instanceof AggregateError && error.errors.length > 0 ? codeOf(error.errors[0]) : "unknown";
}
