import { timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { type ErrorCode, ServiceError } from "../platform/errors.js";
import { eventOf, type Fields, type SandboxCall, type Surroundings } from "./call.js";
import { createCoupon, listCoupons, updateCoupon } from "./coupons.js";
import { addGuests, getGuest, getGuests, updateGuestStatus } from "./guests.js";
import { createRateBlock } from "./rate-block.js";
import {
  createTicketType,
  deleteTicketType,
  getTicketType,
  listTicketTypes,
  updateTicketType,
} from "./ticket-types.js";

export type SandboxOptions = Surroundings & {
  port: number;
  apiKey: string;
  /** Null lifts the platform's limit. */
  requestsAMinute: number | null;
  /** How long an answer takes on average, as from a platform far away: between half of it and one and a half times. */
  latencyMs: number;
};

export type Sandbox = { url: string; outboxUrl: string; close(): Promise<void> };

const getEvent: SandboxCall = {
  method: "GET",
  run(surroundings, fields) {
    const { event, hosts } = eventOf(surroundings, fields, ["id", "api_id"]);
    return { body: { event, hosts } };
  },
};

const calls: Record<string, SandboxCall> = {
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

/** A stand-in of the external platform, on loopback only. What it would e-mail is read at `outboxUrl`, without a key. */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const rateBlock = options.requestsAMinute === null ? null : createRateBlock(options.requestsAMinute);
  const nextShare = evenShares();
  const server = createServer((request, response) => {
    handle(request)
      .catch(asAnswer)
      .then((answer) => send(response, answer));
  });

  async function handle(request: IncomingMessage): Promise<Answer> {
    const url = new URL(request.url ?? "/", `http://${host}`);
    if (url.pathname === "/sandbox/outbox") return { status: 200, body: { entries: options.state.outbox } };
    if (!keyMatches(request.headers["x-luma-api-key"], options.apiKey)) {
      return { status: 401, body: { message: "Invalid API key" } };
    }
    const seconds = rateBlock?.consume(options.now().getTime()) ?? null;
    if (seconds !== null) {
      return { status: 429, body: { message: "Rate limit exceeded" }, headers: { "retry-after": String(seconds) } };
    }
    if (options.latencyMs > 0) await wait(options.latencyMs * (0.5 + nextShare()));
    const call = Object.hasOwn(calls, url.pathname) ? calls[url.pathname] : undefined;
    if (call === undefined) return { status: 404, body: { message: "Not found" } };
    if (call.method !== request.method) return { status: 405, body: { message: "Method not allowed" } };
    const fields = call.method === "GET" ? Object.fromEntries(url.searchParams) : await readBody(request);
    const { body, changes } = call.run(options, fields);
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

/** Shares of 1 that fill it evenly from the first few on: by chance, two short runs would differ by more than they show. */
function evenShares(): () => number {
  const goldenRatio = (Math.sqrt(5) - 1) / 2;
  let share = 0;
  return () => {
    share = (share + goldenRatio) % 1;
    return share;
  };
}

type Answer = { status: number; body: object; headers?: Record<string, string> };

function send(response: ServerResponse, { status, body, headers = {} }: Answer): void {
  const text = JSON.stringify(body);
  response.writeHead(status, {
    ...headers,
    "content-type": "application/json; charset=utf-8",
    "content-length": Buffer.byteLength(text),
  });
  response.end(text);
}

const statuses: Partial<Record<ErrorCode, number>> = { invalid_input: 400, not_found: 404, too_large: 413 };

function asAnswer(error: unknown): Answer {
  const status = error instanceof ServiceError ? statuses[error.code] : undefined;
  if (error instanceof ServiceError && status !== undefined) return { status, body: { message: error.message } };
  return { status: 500, body: { message: "Internal server error" } };
}

function keyMatches(given: string | string[] | undefined, key: string): boolean {
  const [left, right] = [Buffer.from(String(given ?? "")), Buffer.from(key)];
  return left.length === right.length && timingSafeEqual(left, right);
}

async function readBody(request: IncomingMessage): Promise<Fields> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of request as AsyncIterable<Buffer>) {
    size += piece.length;
    if (size > bodyLimitBytes) throw new ServiceError("too_large", "Request body too large");
    pieces.push(piece);
  }
  let value: unknown;
  try {
    value = JSON.parse(Buffer.concat(pieces).toString("utf8"));
  } catch {
    throw new ServiceError("invalid_input", "Invalid JSON body");
  }
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Fields;
  throw new ServiceError("invalid_input", "Invalid JSON body");
}
