import type { OrganizationCaller } from "../access/caller.js";
import type { Queryable } from "../platform/db.js";
import { insertRecord } from "../tools/recorded-change.js";
import type { Operation } from "./operations.js";
import type { TicketedEvent } from "./proxy-call.js";

export type Write = {
  /** What ties the two records of one write together. */
  attemptId: string;
  caller: OrganizationCaller;
  operation: Operation;
  event: TicketedEvent;
  fields: Record<string, unknown>;
};

/** `unknown`: it was sent, or partly, and no answer came, so that the platform may have done it or not. */
export type Outcome = { state: "answered"; status: number } | { state: "not_sent" | "unknown"; error: string };

/** Stored before a write is sent: a crash while it is under way leaves this behind, without a second record. */
export function recordWrite(db: Queryable, write: Write): Promise<unknown> {
  return record(
    db,
    write,
    { ticketing_event_id: write.event.ticketingEventId, fields: withoutCredentials(write.fields) },
    {
      state: "sending",
    },
  );
}

export function recordOutcome(db: Queryable, write: Write, outcome: Outcome): Promise<unknown> {
  return record(db, write, {}, outcome);
}

function record(
  db: Queryable,
  write: Write,
  request: Record<string, unknown>,
  result: { state: string },
): Promise<unknown> {
  const { attemptId, caller, operation, event } = write;
  return insertRecord(db, caller, {
    tool: `ticketing:${operation.path}`,
    event_id: event.id,
    request: {
      attempt_id: attemptId,
      method: operation.method,
      upstream_path: operation.call.path,
      ...request,
    },
    before: undefined,
    after: undefined,
    result,
  });
}

/** A check-in code is a ticket: whoever can read it can enter with it. */
function withoutCredentials(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutCredentials);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) =>
      /qr.?code|check.?in.?code|proxy.?key/i.test(name) ? [name, "[left out]"] : [name, withoutCredentials(inner)],
    ),
  );
}
