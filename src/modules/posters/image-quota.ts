import sql from "sql-template-tag";
import { ServiceError } from "../../../contract/errors.js";
import { hostsOf } from "../../access/hosting.js";
import { hostedEvents } from "../../access/visibility.js";
import type { Queryable } from "../../infra/database/db.js";
import type { DrawnImage } from "./poster-job.js";

/**
 * Refuses images that would exceed the quota of the organization that hosts the event. Images count that posters of the
 * events it hosts refer to, each once, whoever drew them. In a transaction, the quota stays locked until its end, so that two
 * commits cannot both take what is left.
 */
export async function requireImageQuota(
  db: Queryable,
  eventId: string,
  images: Pick<DrawnImage, "hash" | "bytes">[],
  quotaBytes: number,
): Promise<void> {
  const [host] = await db.query<{ id: string; name: string }>(
    sql`select h.id, h.name from ${hostsOf(sql`${eventId}`)} h where h.role = 'host'`,
  );
  if (host === undefined) return;
  await db.query(sql`select pg_advisory_xact_lock(hashtextextended(${`image quota ${host.id}`}, 0))`);
  const [row] = await db.query<{ used: number; known: string[] | null }>(sql`
    select coalesce(sum(octet_length(i.bytes)), 0)::bigint as used,
      array_agg(i.hash) filter (where i.hash = any(${images.map(({ hash }) => hash)})) as known
    from images i where i.hash in (
      select substring(file from '^/images/([0-9a-f]{64})[.]')
      from ${hostedEvents(host.id)} e join posters p on p.event_id = e.id, unnest(array[p.image_url, p.thumbnail_url]) file
      where e.role = 'host')`);
  const { used, known } = row ?? { used: 0, known: null };
  const added = images.filter(({ hash }) => !known?.includes(hash)).reduce((sum, { bytes }) => sum + bytes.length, 0);
  if (used + added > quotaBytes) throw quotaExceeded(host.name, used, added, quotaBytes);
}

function quotaExceeded(host: string, used: number, added: number, quotaBytes: number): ServiceError {
  return new ServiceError(
    "conflict",
    `The posters of events that ${host} hosts may have images of ${megabytes(quotaBytes)} in total. They have ${megabytes(used)}, and this poster would add ${megabytes(added)}. Nothing was changed. The operator of this service can raise IMAGE_QUOTA_MB`,
    { details: { quota_bytes: quotaBytes, used_bytes: used, added_bytes: added } },
  );
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
