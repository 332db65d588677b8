import { randomUUID } from "node:crypto";
import type { FastifyReply } from "fastify";
import { messageOf, ServiceError } from "../../contract/errors.js";
import type { OrganizationCaller } from "../access/caller.js";
import type { Database } from "../infra/database/db.js";
import type { Log } from "../infra/observability/log.js";
import { createOutage, type Outage } from "../infra/observability/outage.js";
import { onClosed } from "../infra/response-closed.js";
import {
  type CallFailures,
  type Cancellation,
  cancel,
  createCallFailures,
  createCancellation,
  type UpstreamResponse,
} from "./exchange.js";
import type { TicketingLimits } from "./limits.js";
import type { TicketingOperation, UpstreamCall } from "./operations.js";
import type { TicketedEvent } from "./proxy-call.js";
import { buildUpstreamRequest, type TicketingRequest, type UpstreamRequest } from "./request.js";
import { readResponse, relayResponse } from "./response.js";
import type { Upstream, UpstreamCallState } from "./upstream.js";
import { type OutcomeRecorder, recordWrite, type TicketingWrite } from "./write-records.js";

/** A call that has passed every check except that of its ticket types. */
type ProxyCall = {
  db: Database;
  upstream: Upstream;
  caller: OrganizationCaller;
  operation: TicketingOperation;
  event: TicketedEvent;
  input: TicketingRequest;
};

type Forwarder = { forward: ForwardProxyCall; slotsInUse(): number };

type ForwardProxyCall = (call: ProxyCall, reply: FastifyReply) => Promise<FastifyReply>;

const ticketTypeListLimitBytes = 4 * 1024 * 1024;

type ForwarderDependencies = {
  log: Log;
  limits: TicketingLimits;
  outcomes: OutcomeRecorder;
  operations: readonly TicketingOperation[];
};

/** Forwards calls to the platform and relays its responses, with limited slots. */
export function createForwarder({ log, limits, outcomes, operations }: ForwarderDependencies): Forwarder {
  const keyRejection = createOutage(log, "ticketing platform", {
    started: "the ticketing platform rejected the service's key: check TICKETING_API_KEY",
    ended: "the ticketing platform accepts the service's key again",
  });
  const slots = createSlots(limits);
  const listTicketTypes = getListTicketTypes(operations);
  const forward: ForwardProxyCall = async (call, reply) => {
    const { upstream, operation, event, input } = call;
    const { organizationId } = call.caller;
    const release = await slots.acquire(organizationId);
    const cancellation = cancelOnDisconnect(reply);
    const state = { organizationId, cancellation };
    const failuresOf = (method: string) => createCallFailures(method, cancellation, limits.responseTimeoutMs);
    const relay = (response: UpstreamResponse, failures: CallFailures) =>
      relayResponse(refuseLimited(checkKeyAccepted(response, keyRejection)), {
        reply,
        failures,
        keyMask: upstream.keyMask,
        callerIdleMs: limits.callerIdleMs,
        onEnd: release,
      });
    try {
      if (input.ticketTypeIds.length > 0) {
        const failures = failuresOf("GET");
        const failed = await checkTicketTypes(call, listTicketTypes, state, failures);
        if (failed !== undefined) return await relay(failed, failures);
      }
      const request = buildUpstreamRequest(operation.call, input, event.ticketingEventId);
      await upstream.admit(state);
      const response =
        request.method === "GET"
          ? await upstream.send(request, state)
          : await sendWrite(outcomes, { ...call, requestId: reply.request.id }, request, state);
      return await relay(response, failuresOf(request.method));
    } catch (error) {
      release();
      throw error;
    }
  };
  return { forward, slotsInUse: slots.inUse };
}

function cancelOnDisconnect(reply: FastifyReply): Cancellation {
  const cancellation = createCancellation();
  if (reply.raw.destroyed || reply.request.raw.socket.destroyed) cancel(cancellation, "caller");
  onClosed(reply.raw, () => {
    if (!reply.raw.writableFinished) cancel(cancellation, "caller");
  });
  return cancellation;
}

function getListTicketTypes(operations: readonly TicketingOperation[]): UpstreamCall {
  const operation = operations.find(({ operationId }) => operationId === "listTicketTypes");
  if (operation === undefined) throw new Error("no operation lists ticket types");
  return operation.call;
}

/**
 * The platform accepts ticket type ids without their event, and its key reaches every event, so only ids on the event's
 * own list are let through. Ticket types never change events: the list stays valid until the permitted request arrives.
 * Returns the platform's response if it did not return the list.
 */
async function checkTicketTypes(
  { upstream, event, input }: ProxyCall,
  listTicketTypes: UpstreamCall,
  state: UpstreamCallState,
  failures: CallFailures,
): Promise<UpstreamResponse | undefined> {
  await upstream.admit(state);
  const all = { fields: { include_hidden: "true" }, fieldsIn: "query" } as const;
  const request = buildUpstreamRequest(listTicketTypes, all, event.ticketingEventId);
  const response = await upstream.send(request, state);
  if (response.status !== 200) return response;
  const known = parseTicketTypeIds(await readResponse(response, ticketTypeListLimitBytes, failures));
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

/** A write that cannot be recorded is not sent; an outcome that cannot be recorded in time is recorded later. */
async function sendWrite(
  outcomes: OutcomeRecorder,
  call: ProxyCall & { requestId: string },
  request: UpstreamRequest,
  state: UpstreamCallState,
): Promise<UpstreamResponse> {
  const write: TicketingWrite = { ...call, attemptId: randomUUID(), fields: call.input.fields };
  await recordWrite(call.db.changes, write);
  let response: UpstreamResponse;
  try {
    response = await call.upstream.send(request, state);
  } catch (error) {
    const notSent = error instanceof ServiceError && error.details.outcome === "not_sent";
    await outcomes.record(write, { state: notSent ? "not_sent" : "unknown", error: messageOf(error) });
    throw error;
  }
  await outcomes.record(write, { state: "answered", status: response.status });
  return response;
}

/** It is the service's key that the platform limits, not the caller. */
function refuseLimited(response: UpstreamResponse): UpstreamResponse {
  if (response.status !== 429) return response;
  response.discard();
  const given = Number(response.headers["retry-after"]);
  const retryAfterSeconds = Number.isInteger(given) && given > 0 && given <= 3600 ? given : defaultRetrySeconds;
  throw new ServiceError(
    "unavailable",
    `The ticketing platform accepts no more requests of this service at the moment. Nothing was changed. Retry in ${retryAfterSeconds} s`,
    { retryAfterSeconds },
  );
}

/** For how long the platform blocks a key that is above its limit. */
const defaultRetrySeconds = 60;

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

type Slots = {
  /** Waits a moment for a slot. Resolves to the function that releases it, which may be called more than once. */
  acquire(organizationId: string): Promise<() => void>;
  /** Of all organizations. */
  inUse(): number;
};

type SlotLimits = Pick<
  TicketingLimits,
  "connections" | "slotsPerOrganization" | "waitingPerOrganization" | "slotWaitMs"
>;

type Waiting = { organizationId: string; grant(release: () => void): void };

/** Bounds the calls in flight, so that neither one organization nor all of them together exhaust the connections. */
export function createSlots(limits: SlotLimits): Slots {
  const held = new Map<string, number>();
  const waiting: Waiting[] = [];
  let inUse = 0;

  const ownOf = (organizationId: string) => held.get(organizationId) ?? 0;
  const isFree = (organizationId: string) =>
    inUse < limits.connections && ownOf(organizationId) < limits.slotsPerOrganization;

  function take(organizationId: string): () => void {
    inUse += 1;
    held.set(organizationId, ownOf(organizationId) + 1);
    let isHeld = true;
    return () => {
      if (isHeld) release(organizationId);
      isHeld = false;
    };
  }

  function release(organizationId: string): void {
    inUse -= 1;
    const left = ownOf(organizationId) - 1;
    if (left === 0) held.delete(organizationId);
    else held.set(organizationId, left);
    const next = waiting.findIndex((one) => isFree(one.organizationId));
    for (const one of next === -1 ? [] : waiting.splice(next, 1)) one.grant(take(one.organizationId));
  }

  function noFreeSlot(organizationId: string): ServiceError {
    const own = ownOf(organizationId);
    const problem =
      own >= limits.slotsPerOrganization
        ? `Your organization has ${own} requests to the ticketing platform in flight, the most it may have`
        : `All organizations together have ${inUse} requests to the ticketing platform in flight, the most they may have`;
    return new ServiceError("unavailable", `${problem}. Retry in 1 s`, { retryAfterSeconds: 1 });
  }

  return {
    async acquire(organizationId) {
      if (isFree(organizationId)) return take(organizationId);
      const own = waiting.filter((one) => one.organizationId === organizationId).length;
      if (own >= limits.waitingPerOrganization) throw noFreeSlot(organizationId);
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          waiting.splice(waiting.indexOf(one), 1);
          reject(noFreeSlot(organizationId));
        }, limits.slotWaitMs);
        const one: Waiting = {
          organizationId,
          grant(released) {
            clearTimeout(timer);
            resolve(released);
          },
        };
        waiting.push(one);
      });
    },
    inUse: () => inUse,
  };
}
