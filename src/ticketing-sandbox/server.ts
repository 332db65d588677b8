import { timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { type ErrorCode, ServiceError } from "../../contract/errors.js";
import { createCoupon, listCoupons, updateCoupon } from "./coupons.js";
import { addGuests, getGuest, getGuests, updateGuestStatus } from "./guests.js";
import { getEventByFields, type SandboxContext, type SandboxFields, type SandboxHandler } from "./handler.js";
import {
  createTicketType,
  deleteTicketType,
  getTicketType,
  listTicketTypes,
  updateTicketType,
} from "./ticket-types.js";

type SandboxOptions = SandboxContext & {
  port: number;
  apiKey: string;
  /** Null disables the rate limit. */
  requestsPerMinute: number | null;
  /** Average response time, to simulate a remote platform; responses take from 50 % to 150 % of it. */
  latencyMs: number;
};

export type Sandbox = { url: string; outboxUrl: string; close(): Promise<void> };

const getEvent: SandboxHandler = {
  method: "GET",
  handle(context, fields) {
    const { event, hosts } = getEventByFields(context, fields, ["id", "api_id"]);
    return { body: { event, hosts } };
  },
};

const handlers: Record<string, SandboxHandler> = {
  "/v1/event/get": getEvent,
  "/v1/event/get-guests": getGuests,
  "/v1/event/get-guest": getGuest,
  "/v1/event/add-guests": addGuests,
  "/v1/event/update-guest-status": updateGuestStatus,
  "/v1/event/ticket-types/list": listTicketTypes,
  "/v1/event/ticket-types/get": getTicketType,
  "/v1/event/ticket-types/create": createTicketType,
  "/v1/event/ticket-types/update": updateTicketType,
  "/v1/event/ticket-types/delete": deleteTicketType,
  "/v1/event/coupons": listCoupons,
  "/v1/event/create-coupon": createCoupon,
  "/v1/event/update-coupon": updateCoupon,
};

const host = "127.0.0.1";
const bodyLimitBytes = 2 * 1024 * 1024;

/** A stand-in for the external platform, on loopback only. Its unsent e-mail is at `outboxUrl`, without authentication. */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const rateBlock = options.requestsPerMinute === null ? null : createRateBlock(options.requestsPerMinute);
  const nextFraction = evenFractions();
  const server = createServer((request, response) => {
    respond(request)
      .catch(toErrorResponse)
      .then((result) => send(response, result));
  });

  async function respond(request: IncomingMessage): Promise<SandboxResponse> {
    const url = new URL(request.url ?? "/", `http://${host}`);
    if (url.pathname === "/sandbox/outbox") return { status: 200, body: { entries: options.state.outbox } };
    if (!keyMatches(request.headers["x-luma-api-key"], options.apiKey)) {
      return { status: 401, body: { message: "Invalid API key" } };
    }
    const seconds = rateBlock?.consume(options.now().getTime()) ?? null;
    if (seconds !== null) {
      return { status: 429, body: { message: "Rate limit exceeded" }, headers: { "retry-after": String(seconds) } };
    }
    if (options.latencyMs > 0) await wait(options.latencyMs * (0.5 + nextFraction()));
    const handler = Object.hasOwn(handlers, url.pathname) ? handlers[url.pathname] : undefined;
    if (handler === undefined) return { status: 404, body: { message: "Not found" } };
    if (handler.method !== request.method) return { status: 405, body: { message: "Method not allowed" } };
    const fields = handler.method === "GET" ? Object.fromEntries(url.searchParams) : await readBody(request);
    const { body, changes } = handler.handle(options, fields);
    options.state.commit(changes ?? []);
    return { status: 200, body };
  }

  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port, host, resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${host}:${port}/v1`,
    outboxUrl: `http://${host}:${port}/sandbox/outbox`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Evenly distributed fractions of 1: random ones would make short benchmark runs differ by chance. */
function evenFractions(): () => number {
  const goldenRatio = (Math.sqrt(5) - 1) / 2;
  let fraction = 0;
  return () => {
    fraction = (fraction + goldenRatio) % 1;
    return fraction;
  };
}

type SandboxResponse = { status: number; body: object; headers?: Record<string, string> };

function send(response: ServerResponse, { status, body, headers = {} }: SandboxResponse): void {
  const text = JSON.stringify(body);
  response.writeHead(status, {
    ...headers,
    "content-type": "application/json; charset=utf-8",
    "content-length": Buffer.byteLength(text),
  });
  response.end(text);
}

const statuses: Partial<Record<ErrorCode, number>> = { invalid_input: 400, not_found: 404, too_large: 413 };

function toErrorResponse(error: unknown): SandboxResponse {
  const status = error instanceof ServiceError ? statuses[error.code] : undefined;
  if (error instanceof ServiceError && status !== undefined) return { status, body: { message: error.message } };
  return { status: 500, body: { message: "Internal server error" } };
}

function keyMatches(given: string | string[] | undefined, key: string): boolean {
  const [left, right] = [Buffer.from(String(given ?? "")), Buffer.from(key)];
  return left.length === right.length && timingSafeEqual(left, right);
}

async function readBody(request: IncomingMessage): Promise<SandboxFields> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    sizeBytes += chunk.length;
    if (sizeBytes > bodyLimitBytes) throw new ServiceError("too_large", "Request body too large");
    chunks.push(chunk);
  }
  let value: unknown;
  try {
    value = JSON.parse(Buffer.concat(chunks).toString("utf8"));
  } catch {
    throw new ServiceError("invalid_input", "Invalid JSON body");
  }
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as SandboxFields;
  throw new ServiceError("invalid_input", "Invalid JSON body");
}

/** The platform's rate limit: exceeding it blocks the key for a minute. */
type RateBlock = {
  /** Seconds to wait, or null if the request is allowed. */
  consume(nowMs: number): number | null;
};

const windowMs = 60_000;
const blockMs = 60_000;

function createRateBlock(requestsPerMinute: number): RateBlock {
  let windowEndsAt = 0;
  let blockedUntil = 0;
  let used = 0;
  return {
    consume(nowMs) {
      if (nowMs >= blockedUntil && nowMs >= windowEndsAt) {
        windowEndsAt = nowMs + windowMs;
        used = 0;
      }
      if (nowMs >= blockedUntil) {
        used += 1;
        if (used <= requestsPerMinute) return null;
        blockedUntil = nowMs + blockMs;
        windowEndsAt = 0;
      }
      return Math.ceil((blockedUntil - nowMs) / 1000);
    },
  };
}
