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

/** `id` is that of a key or a connected app. */
export type LastUsed = { note(id: string, lastUsedAt: Date | null): void; close(): Promise<void> };

/** Collects when keys and apps were used and writes it in batches, at most once per minute for each. */
export function trackLastUsed(db: Queryable, log: Log): LastUsed {
  // In order; one can be there several times. Lists are emptied in place, while a map of many keys would leave garbage.
  const ids: string[] = [];
  const times: number[] = [];
  let writing: Promise<void> | undefined;

  /** Writes what waits, and what is noted meanwhile if it fills a statement; when closing, everything. */
  async function write(isClosing: boolean): Promise<void> {
    try {
      for (let least = 1; ids.length >= least; least = isClosing ? 1 : usesPerStatement) {
        const count = Math.min(ids.length, usesPerStatement);
        await db.query(updateLastUsed(ids.slice(0, count), times.slice(0, count)), "update last used");
        ids.splice(0, count);
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
    note(id, lastUsedAt) {
      const now = Date.now();
      if (lastUsedAt !== null && now - lastUsedAt.getTime() < precisionMs) return;
      if (ids.length === maximumWaiting) return;
      ids.push(id);
      times.push(now);
      // Not also for later ones: after a failure, the next attempt is that of the timer.
      if (ids.length === usesPerStatement) startWriting();
    },
    async close() {
      clearInterval(timer);
      await writing;
      await write(true);
    },
  };
}

/** Locks rows in the order of their ids, as every process does, so that two of them cannot block each other. */
function updateLastUsed(ids: string[], times: number[]): Sql {
  return sql`
    with given as materialized (
      select id, to_timestamp(min(ms) / 1000) as at
      from unnest(${ids}::uuid[], ${times}::float8[]) given (id, ms) group by id),
    apps as (
      update connected_apps a set last_used_at = used.at
      from (select given.* from given join connected_apps using (id) order by id for no key update of connected_apps) used
      where a.id = used.id and (a.last_used_at is null or a.last_used_at < used.at - interval '1 minute'))
    update api_keys k set last_used_at = used.at
    from (select given.* from given join api_keys using (id) order by id for no key update of api_keys) used
    where k.id = used.id and (k.last_used_at is null or k.last_used_at < used.at - interval '1 minute')`;
}
