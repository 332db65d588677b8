import type { FastifyReply } from "fastify";
import type { OrganizationCaller } from "../access/caller.js";
import type { Database } from "../platform/db.js";
import { messageOf, ServiceError } from "../platform/errors.js";
import type { Log } from "../platform/log.js";
import { type Cancellation, cancel, createCancellation, type UpstreamAnswer } from "./exchange.js";
import { type ForwardedRequest, forwardedRequest, type TicketingRequest } from "./input.js";
import { listTicketTypesCall, type Operation } from "./operations.js";
import type { TicketedEvent } from "./proxy-call.js";
import { readAnswer, relay } from "./response.js";
import type { Upstream } from "./upstream.js";
import { type Outcome, recordOutcome, recordWrite, type Write } from "./write-record.js";

export type Visit = {
  upstream: Upstream;
  caller: OrganizationCaller;
  operation: Operation;
  event: TicketedEvent;
  input: TicketingRequest;
  attemptId: string;
};

export type Forward = (visit: Visit, reply: FastifyReply) => Promise<FastifyReply>;

const ticketTypeListLimitBytes = 4 * 1024 * 1024;

/** Sends what has passed all checks to the platform and its answer back, with no more than so many under way at once. */
export function createForwarder(options: { db: Database; log: Log; maximumInFlight: number }): Forward {
  const { db, log } = options;
  let inFlight = 0;

  function takeSlot(): () => void {
    if (inFlight >= options.maximumInFlight) {
      throw new ServiceError(
        "unavailable",
        "Too many requests to the ticketing platform are under way. Try again in 1 s",
        {
          headers: { "retry-after": "1" },
        },
      );
    }
    inFlight += 1;
    let taken = true;
    return () => {
      if (taken) inFlight -= 1;
      taken = false;
    };
  }

  return async (visit, reply) => {
    const { upstream, operation, event, input } = visit;
    const release = takeSlot();
    const cancellation = cancellationBy(reply);
    try {
      if (input.ticketTypeIds.length > 0) {
        const refused = await checkTicketTypes(visit, cancellation);
        if (refused !== undefined) return await relay(reply, checkKeyAccepted(refused, log), upstream.apiKey, release);
      }
      const request = forwardedRequest(operation.call, input.fields, event.ticketingEventId);
      const answer =
        request.method === "GET"
          ? await upstream.send(request, cancellation)
          : await sendWrite(db, log, visit, request, cancellation);
      return await relay(reply, checkKeyAccepted(answer, log), upstream.apiKey, release);
    } catch (error) {
      release();
      throw error;
    }
  };
}

/** Comes when the caller hangs up before it has the whole answer. */
function cancellationBy(reply: FastifyReply): Cancellation {
  const cancellation = createCancellation();
  if (reply.raw.destroyed || reply.request.raw.socket.destroyed) cancel(cancellation, "caller");
  reply.raw.once("close", () => {
    if (!reply.raw.writableFinished) cancel(cancellation, "caller");
  });
  return cancellation;
}

/**
 * The platform takes ticket-type ids without their event, and its key reaches every event: what the event's own list
 * does not hold is refused. Ticket types never move to another event, so the list cannot turn wrong before the request
 * that it permits arrives. Where the list cannot be had, the platform's answer to it is returned.
 */
async function checkTicketTypes(
  { upstream, event, input }: Visit,
  cancellation: Cancellation,
): Promise<UpstreamAnswer | undefined> {
  const request = forwardedRequest(listTicketTypesCall, { include_hidden: "true" }, event.ticketingEventId);
  const answer = await upstream.send(request, cancellation);
  if (answer.status !== 200) return answer;
  const known = ticketTypeIds(await readAnswer(answer, ticketTypeListLimitBytes));
  const foreign = input.ticketTypeIds.find((id) => !known.has(id));
  if (foreign !== undefined)
    throw new ServiceError("not_found", `Ticket type not found: this event has none with the id ${foreign}`);
  return undefined;
}

function ticketTypeIds(text: string): Set<string> {
  try {
    const { ticket_types: types } = JSON.parse(text) as { ticket_types: { id: string }[] };
    return new Set(types.map(({ id }) => id));
  } catch {
    throw new ServiceError("bad_gateway", "The ticketing platform sent a list of ticket types that cannot be read");
  }
}

async function sendWrite(
  db: Database,
  log: Log,
  visit: Visit,
  request: ForwardedRequest,
  cancellation: Cancellation,
): Promise<UpstreamAnswer> {
  const write: Write = { ...visit, fields: visit.input.fields };
  const finish = (outcome: Outcome) =>
    recordOutcome(db, write, outcome).catch((error: unknown) =>
      log.error(
        { attempt_id: write.attemptId, outcome, reason: messageOf(error) },
        "could not record a ticketing outcome",
      ),
    );
  await recordWrite(db, write);
  let answer: UpstreamAnswer;
  try {
    answer = await visit.upstream.send(request, cancellation);
  } catch (error) {
    const known = error instanceof ServiceError && error.details.outcome === "not_sent";
    await finish({ state: known ? "not_sent" : "unknown", error: messageOf(error) });
    throw error;
  }
  await finish({ state: "answered", status: answer.status });
  return answer;
}

/** The caller's own key was accepted long before: this one is about the service's key. */
function checkKeyAccepted(answer: UpstreamAnswer, log: Log): UpstreamAnswer {
  if (answer.status !== 401 && answer.status !== 403) return answer;
  answer.discard();
  log.error({ status: answer.status }, "the ticketing platform refuses the service's key: check TICKETING_API_KEY");
  throw new ServiceError(
    "bad_gateway",
    "The ticketing platform refuses this service's access. Its operator has to look",
  );
}
