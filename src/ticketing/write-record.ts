import sql from "sql-template-tag";
import type { OrganizationCaller } from "../access/caller.js";
import type { Queryable } from "../infra/database/db.js";
import { insertRecord, requireRecordBudget } from "../records/recorded-change.js";
import type { TicketingOperation } from "./operations.js";
import type { TicketedEvent } from "./proxy-call.js";

export type TicketingWrite = {
  /** Shared by the two records of one write. */
  attemptId: string;
  /** For those who follow a request from the log to its record. Callers can choose it, so it identifies nothing. */
  requestId: string;
  caller: OrganizationCaller;
  operation: TicketingOperation;
  event: TicketedEvent;
  fields: Record<string, unknown>;
};

/** `unknown`: sent at least in part without a response, so the platform may or may not have applied it. */
export type WriteOutcome = { state: "answered"; status: number } | { state: "not_sent" | "unknown"; error: string };

/** Stored before the write is sent, so that a crash while sending leaves a record without an outcome. */
export async function recordWrite(db: Queryable, write: TicketingWrite): Promise<void> {
  await requireRecordBudget(db, write.caller);
  const request = { ticketing_event_id: write.event.ticketingEventId, fields: write.fields };
  await record(db, write, request, { state: "sending" });
}

/** Small, and written whatever the budget, because the write has been sent. */
export function recordOutcome(db: Queryable, write: TicketingWrite, outcome: WriteOutcome): Promise<unknown> {
  return record(db, write, {}, outcome);
}

/** For repetitions: an attempt that failed with its connection may have stored the record all the same. */
export async function recordOutcomeOnce(db: Queryable, write: TicketingWrite, outcome: WriteOutcome): Promise<void> {
  const stored = await db.query(sql`
    select from mutation_records
    where event_id = ${write.event.id} and request ->> 'attempt_id' = ${write.attemptId} and result ->> 'state' <> 'sending'`);
  if (stored.length === 0) await recordOutcome(db, write, outcome);
}

function record(
  db: Queryable,
  write: TicketingWrite,
  request: Record<string, unknown>,
  result: { state: string },
): Promise<unknown> {
  const { attemptId, requestId, caller, operation, event } = write;
  return insertRecord(db, caller, {
    tool: `ticketing:${operation.subpath}`,
    event_id: event.id,
    request: {
      attempt_id: attemptId,
      request_id: requestId,
      method: operation.method,
      upstream_path: operation.call.path,
      ...request,
    },
    before: undefined,
    after: undefined,
    result,
  });
}
