import sql from "sql-template-tag";
import type { Queryable } from "../infra/database/db.js";
import type { Metrics } from "../infra/observability/metrics.js";
import { shareReads } from "../infra/observability/shared-read.js";

/** Notes in the database when a backup of it was made: the time of its snapshot. */
export async function noteBackup(changes: Queryable, createdAt: string): Promise<void> {
  await changes.query(sql`
    insert into backup_state (backed_up_at) values (${createdAt})
    on conflict (only_row) do update set backed_up_at = excluded.backed_up_at`);
}

/** The same for a backup that was noted and then verified. */
export async function noteVerifiedBackup(changes: Queryable, createdAt: string): Promise<void> {
  await changes.query(sql`update backup_state set verified_at = ${createdAt}`);
}

type Times = { backed_up: number; verified: number };

const readLimits = { timeoutMs: 1_000, sharedMs: 1_000 };

/** Adds the times to the metrics; 0 stands for never. Those that were read last are kept during an outage. */
export function observeBackups(metrics: Metrics, db: Queryable, limits = readLimits): void {
  let times: Times | undefined;
  async function readTimes(): Promise<Times | undefined> {
    try {
      const rows = await db.query<Times>(
        sql`
          select extract(epoch from backed_up_at)::float8 as backed_up,
            coalesce(extract(epoch from verified_at), 0)::float8 as verified
          from backup_state`,
        "read backup times",
      );
      times = rows[0] ?? { backed_up: 0, verified: 0 };
    } catch {
      // An outage is logged by the observer of the database.
    }
    return times;
  }
  const shared = shareReads(readTimes, () => times, limits);
  const help = "Time of the snapshot in seconds since 1970, or 0 for never";
  metrics.gauge("svc_last_backup_timestamp_seconds", `Last backup: ${help}`, async () => (await shared())?.backed_up);
  metrics.gauge(
    "svc_last_verified_backup_timestamp_seconds",
    `Last verified backup: ${help}`,
    async () => (await shared())?.verified,
  );
}
