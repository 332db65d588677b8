import sql, { type Sql } from "sql-template-tag";
import { messageOf } from "../../contract/errors.js";
import { isObserved } from "../infra/database/database-errors.js";
import type { Queryable } from "../infra/database/db.js";
import type { Log } from "../infra/observability/log.js";

const writeEveryMs = 5_000;
const precisionMs = 60_000;

/** So few that one statement ends within its limit of time on a slow server, however many keys are in use. */
export const usesPerStatement = 1_000;

/** How many uses are kept while the database cannot store them. Further ones are dropped; the next use of a key counts. */
export const maximumWaiting = 20 * usesPerStatement;

export type LastUsed = { note(keyId: string, lastUsedAt: Date | null): void; close(): Promise<void> };

/** Collects when keys were used and writes it in batches, at most once per minute per key. */
export function trackLastUsed(db: Queryable, log: Log): LastUsed {
  // In order; a key can be there several times. Lists are emptied in place, while a map of many keys would leave garbage.
  const keyIds: string[] = [];
  const times: number[] = [];
  let writing: Promise<void> | undefined;

  /** Writes what waits, and what is noted meanwhile if it fills a statement; when closing, everything. */
  async function write(isClosing: boolean): Promise<void> {
    try {
      for (let least = 1; keyIds.length >= least; least = isClosing ? 1 : usesPerStatement) {
        const count = Math.min(keyIds.length, usesPerStatement);
        await db.query(updateLastUsed(keyIds.slice(0, count), times.slice(0, count)), "update last used");
        keyIds.splice(0, count);
        times.splice(0, count);
      }
    } catch (error) {
      // These are already logged, once; this is repeated every few seconds.
      if (!isObserved(error))
        log.warn({ reason: messageOf(error) }, "could not store when keys were last used; will retry");
    }
  }

  function startWriting(): void {
    writing ??= write(false).finally(() => {
      writing = undefined;
    });
  }

  const timer = setInterval(startWriting, writeEveryMs);
  timer.unref();
  return {
    note(keyId, lastUsedAt) {
      const now = Date.now();
      if (lastUsedAt !== null && now - lastUsedAt.getTime() < precisionMs) return;
      if (keyIds.length === maximumWaiting) return;
      keyIds.push(keyId);
      times.push(now);
      // Not also for later ones: after a failure, the next attempt is that of the timer.
      if (keyIds.length === usesPerStatement) startWriting();
    },
    async close() {
      clearInterval(timer);
      await writing;
      await write(true);
    },
  };
}

/** Locks rows in the order of their ids, as every process does, so that two of them cannot block each other. */
function updateLastUsed(keyIds: string[], times: number[]): Sql {
  return sql`
    update api_keys k set last_used_at = used.at
    from (
      select id, at
      from (
        select id, to_timestamp(min(ms) / 1000) as at
        from unnest(${keyIds}::uuid[], ${times}::float8[]) given (id, ms) group by id) given
      join api_keys using (id) order by id for no key update of api_keys) used
    where k.id = used.id and (k.last_used_at is null or k.last_used_at < used.at - interval '1 minute')`;
}
