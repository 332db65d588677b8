import { setTimeout as sleep } from "node:timers/promises";
import type { Pool } from "undici";
import { messageOf, ServiceError } from "../../contract/errors.js";
import type { FairWindow } from "../infra/fair-window.js";
import { loadOnDemand } from "../infra/load-on-demand.js";
import type { Log } from "../infra/observability/log.js";
import { createOutage } from "../infra/observability/outage.js";
import {
  type CallFailures,
  type Cancellation,
  cancel,
  createCallFailures,
  exchange,
  type UpstreamResponse,
} from "./exchange.js";
import type { TicketingLimits } from "./limits.js";
import type { UpstreamRequest } from "./request.js";
import { createKeyMask, type KeyMask } from "./response.js";

export type UpstreamOptions = {
  url: string;
  apiKey: string;
  log: Log;
  /** Called for each request that was answered or has failed. */
  onCall?: (outcome: string, ms: number) => void;
  /** Counts every request to the platform, of all organizations and processes. */
  window: FairWindow;
  limits: TicketingLimits;
};

/** Whose call it is, and whether it goes on. */
export type UpstreamCallState = { organizationId: string; cancellation: Cancellation };

export type Upstream = {
  /** Counts one request against the platform's limit, and waits a moment if it is reached. To be called before `send`. */
  admit(call: UpstreamCallState): Promise<void>;
  /** Cancelling closes the connection, also while the body is arriving. */
  send(request: UpstreamRequest, call: UpstreamCallState): Promise<UpstreamResponse>;
  /** Whether the platform responds, as far as the last requests have shown. */
  available(): boolean;
  keyMask: KeyMask;
  close(): Promise<void>;
};

/** The external platform, reached through a pool of keep-alive connections. Redirects are not followed. */
export function connectUpstream(options: UpstreamOptions): Upstream {
  const { limits } = options;
  const base = new URL(options.url);
  const outage = createOutage(options.log, "ticketing platform");
  const basePath = base.pathname.replace(/\/+$/, "");
  let openedPool: Pool | undefined;
  function pool(): Pool {
    openedPool ??= openPool(base.origin, limits);
    return openedPool;
  }

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
    return exchange(pool(), { method, path, headers: body === null ? readHeaders : writeHeaders, body }, cancellation);
  }

  async function admit({ organizationId, cancellation }: UpstreamCallState): Promise<void> {
    let waitedMs = 0;
    while (cancellation.cause === null) {
      const waitMs = await options.window.take(organizationId);
      if (waitMs === 0) break;
      if (waitedMs + waitMs > limits.platformWaitMs) throw limitReached(limits, Math.ceil(waitMs / 1000));
      await sleep(waitMs);
      waitedMs += waitMs;
    }
    // The platform gets its whole time.
    cancellation.startedAtMs += waitedMs;
    if (cancellation.cause === "caller") throw callerDisconnected("not_sent");
  }

  /** The platform has no idempotency keys and sends e-mail, so only reads are retried. */
  async function attemptWithRetry(request: UpstreamRequest, call: UpstreamCallState): Promise<UpstreamResponse> {
    try {
      return await attempt(request, call.cancellation);
    } catch (error) {
      if (request.method !== "GET" || !isBrokenConnection(error)) throw error;
      await admit(call);
      return attempt(request, call.cancellation);
    }
  }

  async function send(request: UpstreamRequest, call: UpstreamCallState): Promise<UpstreamResponse> {
    const { cancellation } = call;
    const expireAfter = (limitMs: number) => {
      const leftMs = limitMs - (performance.now() - cancellation.startedAtMs);
      return setTimeout(() => cancel(cancellation, "deadline"), Math.max(0, leftMs));
    };
    const timer = expireAfter(limits.responseTimeoutMs);
    const startedAt = performance.now();
    const report = (outcome: string) => options.onCall?.(outcome, performance.now() - startedAt);
    try {
      const response = await attemptWithRetry(request, call);
      const isBuffered = response.body instanceof Promise;
      if (!isBuffered) clearTimeout(timer);
      clearAtEnd(response.body, isBuffered ? timer : expireAfter(limits.callTimeoutMs));
      outage.succeeded();
      report(`${Math.floor(response.status / 100)}xx`);
      return response;
    } catch (error) {
      clearTimeout(timer);
      if (error instanceof ServiceError) throw error;
      report(cancellation.cause === null ? "failed" : outcomeOfCancellation[cancellation.cause]);
      if (cancellation.cause === "caller") throw callerDisconnected("unknown");
      const failures = createCallFailures(request.method, cancellation, limits.responseTimeoutMs);
      const failure = cancellation.cause === "deadline" ? failures.timedOut() : unreachable(failures, error);
      outage.failed(withoutKey(`${failure.message} (${codeOf(error)}: ${messageOf(error)})`, options.apiKey));
      throw failure;
    }
  }

  return {
    admit,
    send,
    available: outage.available,
    keyMask: createKeyMask(options.apiKey),
    close: async () => openedPool?.close(),
  };
}

function openPool(origin: string, limits: TicketingLimits): Pool {
  const { Pool }: typeof import("undici") = loadOnDemand("undici");
  return new Pool(origin, {
    connections: limits.connections,
    pipelining: 1,
    headersTimeout: 0,
    bodyTimeout: limits.idleTimeoutMs,
    connect: { timeout: limits.connectTimeoutMs },
    keepAliveTimeout: 30_000,
  });
}

function callerDisconnected(outcome: "not_sent" | "unknown"): ServiceError {
  return new ServiceError("unavailable", "The caller disconnected", { details: { outcome } });
}

function limitReached(limits: TicketingLimits, retryAfterSeconds: number): ServiceError {
  const limit = `${limits.platformRequests} requests in ${limits.platformWindowSeconds} s`;
  return new ServiceError(
    "unavailable",
    `All organizations together have reached the limit of ${limit} to the ticketing platform. Nothing was sent. Retry in ${retryAfterSeconds} s`,
    { retryAfterSeconds, details: { outcome: "not_sent" } },
  );
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

function unreachable(failures: CallFailures, error: unknown): ServiceError {
  const code = codeOf(error);
  if (notSentCodes.has(code)) {
    return new ServiceError("bad_gateway", "The ticketing platform cannot be reached", {
      details: { outcome: "not_sent" },
    });
  }
  return failures.unusable(code.startsWith("HPE_") ? "sent an invalid HTTP response" : "closed the connection");
}

function withoutKey(text: string, apiKey: string): string {
  return apiKey === "" ? text : text.replaceAll(apiKey, "[key]");
}

function codeOf(error: unknown): string {
  const { code } = error as { code?: unknown };
  if (typeof code === "string") return code;
  return error instanceof AggregateError && error.errors.length > 0 ? codeOf(error.errors[0]) : "unknown";
}
