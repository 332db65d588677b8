import { setTimeout as delay } from "node:timers/promises";
import sql from "sql-template-tag";
import { messageOf } from "../../contract/errors.js";
import type { OrganizationCaller } from "../access/caller.js";
import type { Database, Queryable } from "../infra/database/db.js";
import type { Log } from "../infra/observability/log.js";
import { within } from "../infra/within.js";
import { insertRecord, requireRecordBudget } from "../records/recorded-change.js";
import type { TicketingLimits } from "./limits.js";
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
type WriteOutcome = { state: "answered"; status: number } | { state: "not_sent" | "unknown"; error: string };

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
async function recordOutcomeOnce(db: Queryable, write: TicketingWrite, outcome: WriteOutcome): Promise<void> {
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

export type OutcomeRecorder = {
  /** Resolves when the outcome is recorded, when recording it failed, or after a limited time. Never rejects. */
  record(write: TicketingWrite, outcome: WriteOutcome): Promise<void>;
  /** Records what is left within a limited time. */
  close(): Promise<void>;
};

type Entry = { write: TicketingWrite; outcome: WriteOutcome };

/**
 * Records outcomes without making callers wait for the database: what cannot be recorded at once is recorded later, one
 * at a time. What is never recorded leaves its write at `sending`, which `svc audit --unfinished` lists.
 */
export function createOutcomeRecorder({
  db,
  log,
  limits,
}: {
  db: Database;
  log: Log;
  limits: TicketingLimits;
}): OutcomeRecorder {
  const queue: Entry[] = [];
  /** First attempts that have not ended yet. */
  const running = new Set<Promise<void>>();
  const closing = new AbortController();
  let retrying: Promise<void> | undefined;

  async function attempt(entry: Entry): Promise<void> {
    try {
      await recordOutcome(db.changes, entry.write, entry.outcome);
    } catch (error) {
      log.error(
        { ...describe(entry), reason: messageOf(error) },
        "could not record the outcome of a ticketing write: it is recorded later",
      );
      queue.push(entry);
      retrying ??= retry();
    }
  }

  async function retry(): Promise<void> {
    for (let pauseMs = limits.outcomeRetryMs, entry = queue[0]; entry !== undefined; entry = queue[0]) {
      await delay(pauseMs, undefined, { signal: closing.signal, ref: false }).catch(() => undefined);
      const recorded = await recordOutcomeOnce(db.changes, entry.write, entry.outcome).then(
        () => true,
        () => false,
      );
      if (recorded) queue.shift();
      else if (closing.signal.aborted) break;
      pauseMs = recorded ? 0 : Math.min(Math.max(pauseMs, limits.outcomeRetryMs) * 2, limits.outcomeMaxRetryMs);
    }
    retrying = undefined;
  }

  return {
    async record(write, outcome) {
      const entry = { write, outcome };
      if (queue.length + running.size >= limits.outcomeCapacity) {
        log.error(
          { ...describe(entry), waiting: limits.outcomeCapacity },
          "did not record the outcome of a ticketing write: too many are waiting",
        );
        return;
      }
      const first = attempt(entry).finally(() => running.delete(first));
      running.add(first);
      await within(limits.outcomeWaitMs, first, ignore);
    },
    async close() {
      closing.abort();
      await within(
        limits.outcomeDrainMs,
        Promise.all(running).then(() => retrying),
        ignore,
      );
      for (const entry of queue) log.error(describe(entry), "the outcome of a ticketing write was not recorded");
    },
  };
}

/** Whoever waits has waited long enough. */
function ignore(): void {}

function describe({ write, outcome }: Entry) {
  return { attempt_id: write.attemptId, outcome };
}
