import sql from "sql-template-tag";
import type { Queryable } from "../infra/database/db.js";
import type { Metrics } from "../infra/observability/metrics.js";
import { type SharedReadLimits, shareLastRead } from "../infra/observability/shared-read.js";

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

/** Adds the times to the metrics; 0 stands for never. */
export function observeBackups(metrics: Metrics, db: Queryable, limits?: SharedReadLimits): void {
  const times = shareLastRead(async (): Promise<Times> => {
    const rows = await db.query<Times>(
      sql`
        select extract(epoch from backed_up_at)::float8 as backed_up,
          coalesce(extract(epoch from verified_at), 0)::float8 as verified
        from backup_state`,
      "read backup times",
    );
    return rows[0] ?? { backed_up: 0, verified: 0 };
  }, limits);
  const help = "Time of the snapshot in seconds since 1970, or 0 for never";
  metrics.gauge("svc_last_backup_timestamp_seconds", `Last backup: ${help}`, async () => (await times())?.backed_up);
  metrics.gauge(
    "svc_last_verified_backup_timestamp_seconds",
    `Last verified backup: ${help}`,
    async () => (await times())?.verified,
  );
}
