import type { FastifyReply } from "fastify";
import type { OrganizationCaller } from "../access/caller.js";
import type { Database } from "../platform/db.js";
import { messageOf, ServiceError } from "../platform/errors.js";
import type { Log } from "../platform/log.js";
import { createOutage, type Outage } from "../platform/outage.js";
import { type Cancellation, cancel, createCancellation, type UpstreamResponse } from "./exchange.js";
import { listTicketTypesCall, type TicketingOperation } from "./operations.js";
import type { TicketedEvent } from "./proxy-call.js";
import { buildUpstreamRequest, type TicketingRequest, type UpstreamRequest } from "./request.js";
import { readResponse, relayResponse } from "./response.js";
import type { Upstream } from "./upstream.js";
import { recordOutcome, recordWrite, type TicketingWrite, type WriteOutcome } from "./write-record.js";

/** A call that has passed every check except that of its ticket types. */
export type ProxyCall = {
  db: Database;
  upstream: Upstream;
  caller: OrganizationCaller;
  operation: TicketingOperation;
  event: TicketedEvent;
  input: TicketingRequest;
  attemptId: string;
};

export type Forwarder = { forward: ForwardProxyCall; slotsInUse(): number };

type ForwardProxyCall = (call: ProxyCall, reply: FastifyReply) => Promise<FastifyReply>;

const ticketTypeListLimitBytes = 4 * 1024 * 1024;

/** Forwards calls to the platform and relays its responses, with at most `maximumInFlight` at once. */
export function createForwarder(options: { log: Log; maximumInFlight: number }): Forwarder {
  const { log } = options;
  const keyRejection = createOutage(log, "ticketing platform", {
    started: "the ticketing platform rejected the service's key: check TICKETING_API_KEY",
    ended: "the ticketing platform accepts the service's key again",
  });
  let inFlight = 0;

  function acquireSlot(): () => void {
    if (inFlight >= options.maximumInFlight) {
      throw new ServiceError("unavailable", "Too many concurrent requests to the ticketing platform. Retry in 1 s", {
        headers: { "retry-after": "1" },
      });
    }
    inFlight += 1;
    let held = true;
    return () => {
      if (held) inFlight -= 1;
      held = false;
    };
  }

  const forward: ForwardProxyCall = async (call, reply) => {
    const { upstream, operation, event, input } = call;
    const release = acquireSlot();
    const cancellation = cancelOnDisconnect(reply);
    try {
      if (input.ticketTypeIds.length > 0) {
        const failed = await checkTicketTypes(call, cancellation);
        if (failed !== undefined)
          return await relayResponse(reply, checkKeyAccepted(failed, keyRejection), upstream.apiKey, release);
      }
      const request = buildUpstreamRequest(operation.call, input.fields, event.ticketingEventId);
      const response =
        request.method === "GET"
          ? await upstream.send(request, cancellation)
          : await sendWrite(call.db, log, call, request, cancellation);
      return await relayResponse(reply, checkKeyAccepted(response, keyRejection), upstream.apiKey, release);
    } catch (error) {
      release();
      throw error;
    }
  };
  return { forward, slotsInUse: () => inFlight };
}

function cancelOnDisconnect(reply: FastifyReply): Cancellation {
  const cancellation = createCancellation();
  if (reply.raw.destroyed || reply.request.raw.socket.destroyed) cancel(cancellation, "caller");
  reply.raw.once("close", () => {
    if (!reply.raw.writableFinished) cancel(cancellation, "caller");
  });
  return cancellation;
}

/**
 * The platform accepts ticket type ids without their event, and its key reaches every event, so only ids on the event's
 * own list are let through. Ticket types never change events: the list stays valid until the permitted request arrives.
 * Returns the platform's response if it did not return the list.
 */
async function checkTicketTypes(
  { upstream, event, input }: ProxyCall,
  cancellation: Cancellation,
): Promise<UpstreamResponse | undefined> {
  const request = buildUpstreamRequest(listTicketTypesCall, { include_hidden: "true" }, event.ticketingEventId);
  const response = await upstream.send(request, cancellation);
  if (response.status !== 200) return response;
  const known = parseTicketTypeIds(await readResponse(response, ticketTypeListLimitBytes));
  const foreign = input.ticketTypeIds.find((id) => !known.has(id));
  if (foreign !== undefined)
    throw new ServiceError("not_found", `Ticket type not found: this event has none with the id ${foreign}`);
  return undefined;
}

function parseTicketTypeIds(text: string): Set<string> {
  try {
    const { ticket_types: types } = JSON.parse(text) as { ticket_types: { id: string }[] };
    return new Set(types.map(({ id }) => id));
  } catch {
    throw new ServiceError("bad_gateway", "The ticketing platform sent an unreadable list of ticket types");
  }
}

/** A write that cannot be recorded is not sent; an outcome that cannot be recorded is logged. */
async function sendWrite(
  db: Database,
  log: Log,
  call: ProxyCall,
  request: UpstreamRequest,
  cancellation: Cancellation,
): Promise<UpstreamResponse> {
  const write: TicketingWrite = { ...call, fields: call.input.fields };
  const finish = (outcome: WriteOutcome) =>
    recordOutcome(db, write, outcome).catch((error: unknown) =>
      log.error(
        { attempt_id: write.attemptId, outcome, reason: messageOf(error) },
        "could not record the outcome of a ticketing write",
      ),
    );
  await recordWrite(db, write);
  let response: UpstreamResponse;
  try {
    response = await call.upstream.send(request, cancellation);
  } catch (error) {
    const notSent = error instanceof ServiceError && error.details.outcome === "not_sent";
    await finish({ state: notSent ? "not_sent" : "unknown", error: messageOf(error) });
    throw error;
  }
  await finish({ state: "answered", status: response.status });
  return response;
}

/** The caller's own key was checked before, so a 401 or 403 from the platform concerns the service's key. */
function checkKeyAccepted(response: UpstreamResponse, keyRejection: Outage): UpstreamResponse {
  if (response.status !== 401 && response.status !== 403) {
    keyRejection.succeeded();
    return response;
  }
  response.discard();
  keyRejection.failed(`it responded with ${response.status}`);
  throw new ServiceError(
    "bad_gateway",
    "The ticketing platform rejected this service's key. The operator of this service has to fix it",
  );
}
