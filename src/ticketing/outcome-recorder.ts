import { setTimeout as delay } from "node:timers/promises";
import { messageOf } from "../../contract/errors.js";
import type { Database } from "../infra/database/db.js";
import type { Log } from "../infra/observability/log.js";
import type { TicketingLimits } from "./limits.js";
import { recordOutcome, recordOutcomeOnce, type TicketingWrite, type WriteOutcome } from "./write-record.js";

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
      await within(limits.outcomeWaitMs, first);
    },
    async close() {
      closing.abort();
      await within(
        limits.outcomeDrainMs,
        Promise.all(running).then(() => retrying),
      );
      for (const entry of queue) log.error(describe(entry), "the outcome of a ticketing write was not recorded");
    },
  };
}

async function within(limitMs: number, work: Promise<unknown>): Promise<void> {
  const settled = new AbortController();
  const timeout = delay(limitMs, undefined, { signal: settled.signal }).catch(() => undefined);
  await Promise.race([work, timeout]);
  settled.abort();
}

function describe({ write, outcome }: Entry) {
  return { attempt_id: write.attemptId, outcome };
}
