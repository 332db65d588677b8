import sql from "sql-template-tag";
import { isOutage, isOverload } from "../platform/database/database-errors.js";
import type { Queryable } from "../platform/database/db.js";
import { messageOf } from "../platform/errors.js";
import type { Log } from "../platform/observability/log.js";

const flushEveryMs = 5_000;
const precisionMs = 60_000;

export type LastUsed = { note(keyId: string, lastUsedAt: Date | null): void; close(): Promise<void> };

/** Collects when keys were used and writes it in batches, at most once per minute per key. */
export function trackLastUsed(db: Queryable, log: Log): LastUsed {
  let pending = new Map<string, Date>();

  async function flush(): Promise<void> {
    if (pending.size === 0) return;
    const batch = pending;
    pending = new Map();
    try {
      await db.query(sql`
        update api_keys k set last_used_at = used.at
        from (
          select id, at from unnest(${[...batch.keys()]}::uuid[], ${[...batch.values()]}::timestamptz[]) given (id, at)
          join api_keys using (id) order by id for no key update of api_keys) used
        where k.id = used.id and (k.last_used_at is null or k.last_used_at < used.at - interval '1 minute')`);
    } catch (error) {
      for (const [keyId, at] of batch) if (!pending.has(keyId)) pending.set(keyId, at);
      // These are already logged, once; this is repeated every few seconds.
      if (!isOutage(error) && !isOverload(error))
        log.warn({ reason: messageOf(error) }, "could not store when keys were last used; will retry");
    }
  }

  const timer = setInterval(flush, flushEveryMs);
  timer.unref();
  return {
    note(keyId, lastUsedAt) {
      const now = Date.now();
      if (lastUsedAt !== null && now - lastUsedAt.getTime() < precisionMs) return;
      if (!pending.has(keyId)) pending.set(keyId, new Date(now));
    },
    async close() {
      clearInterval(timer);
      await flush();
    },
  };
}
