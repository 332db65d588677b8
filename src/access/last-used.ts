import sql, { type Sql } from "sql-template-tag";
import { isOutage, isOverload } from "../platform/database/database-errors.js";
import type { Queryable } from "../platform/database/db.js";
import { messageOf } from "../platform/errors.js";
import type { Log } from "../platform/observability/log.js";

const flushEveryMs = 5_000;
const precisionMs = 60_000;

/** So few that one statement ends within its limit of time on a slow server, however many keys are in use. */
export const keysPerStatement = 1_000;

export type LastUsed = { note(keyId: string, lastUsedAt: Date | null): void; close(): Promise<void> };

/** Collects when keys were used and writes it in batches, at most once per minute per key. */
export function trackLastUsed(db: Queryable, log: Log): LastUsed {
  const pending = new Map<string, number>();
  let flushing: Promise<void> | undefined;

  async function flush(): Promise<void> {
    try {
      while (pending.size > 0) {
        const batch = [...firstOf(pending, keysPerStatement)];
        await db.query(updateLastUsed(batch), "update last used");
        for (const [keyId] of batch) pending.delete(keyId);
      }
    } catch (error) {
      // These are already logged, once; this is repeated every few seconds.
      if (!isOutage(error) && !isOverload(error))
        log.warn({ reason: messageOf(error) }, "could not store when keys were last used; will retry");
    }
  }

  const timer = setInterval(() => {
    flushing ??= flush().finally(() => {
      flushing = undefined;
    });
  }, flushEveryMs);
  timer.unref();
  return {
    note(keyId, lastUsedAt) {
      const now = Date.now();
      if (lastUsedAt !== null && now - lastUsedAt.getTime() < precisionMs) return;
      if (!pending.has(keyId)) pending.set(keyId, now);
    },
    async close() {
      clearInterval(timer);
      await flushing;
      await flush();
    },
  };
}

function* firstOf<Item>(items: Iterable<Item>, count: number): Generator<Item> {
  for (const item of items) {
    if (count-- === 0) return;
    yield item;
  }
}

/** Locks rows in the order of their ids, as every process does, so that two of them cannot block each other. */
function updateLastUsed(uses: [keyId: string, at: number][]): Sql {
  const keyIds = uses.map(([keyId]) => keyId);
  const times = uses.map(([, at]) => at);
  return sql`
    update api_keys k set last_used_at = used.at
    from (
      select id, to_timestamp(ms / 1000) as at from unnest(${keyIds}::uuid[], ${times}::float8[]) given (id, ms)
      join api_keys using (id) order by id for no key update of api_keys) used
    where k.id = used.id and (k.last_used_at is null or k.last_used_at < used.at - interval '1 minute')`;
}
