import sql from "sql-template-tag";
import { ServiceError } from "../../contract/errors.js";
import type { Actor } from "../access/caller.js";
import type { Queryable } from "../infra/database/db.js";
import { asSubquery, inlined, queryNamed } from "../infra/database/statement-names.js";

/** What one organization may add to the records, which are never removed by themselves. */
export const recordBudget = { bytes: 10_000_000, seconds: 600 };

/**
 * Refuses a change while the records of the organization's last minutes fill its budget. The stored sizes are added up in
 * the database, which all processes share. The record that exceeds the budget is the last one that is accepted.
 */
export async function requireRecordBudget(db: Queryable, actor: Actor): Promise<void> {
  if (!("tier" in actor) || actor.tier !== "organization") return;
  const window = sql`${inlined(recordBudget.seconds)} * interval '1 second'`;
  const [full] = await queryNamed<{ retry_after_seconds: number | null }>(
    db,
    "check record budget",
    sql`
    select ceil(extract(epoch from max(at) + ${window} - now()))::int as retry_after_seconds
    from (
      select at, sum(${storedBytes}) over (order by at desc, id desc) as newer_bytes from mutation_records r
      where organization_id = ${asSubquery(actor.organizationId, "uuid")} and at > now() - ${window}) recent
    where newer_bytes >= ${inlined(recordBudget.bytes)}`,
  );
  const seconds = full?.retry_after_seconds;
  if (seconds === null || seconds === undefined) return;
  const retryAfterSeconds = Math.max(1, seconds);
  throw new ServiceError(
    "rate_limited",
    `Too much data was recorded: the changes of an organization may add ${recordBudget.bytes / 1e6} MB to its records in ${recordBudget.seconds / 60} minutes. Nothing was changed. Try again in ${retryAfterSeconds} s, or make smaller changes`,
    { retryAfterSeconds },
  );
}

/** As compressed and stored outside the row, which costs no reading of large values. */
const storedBytes = sql`
  pg_column_size(r.request) + coalesce(pg_column_size(r.before), 0) + coalesce(pg_column_size(r.after), 0)
  + coalesce(pg_column_size(r.result), 0) + coalesce(pg_column_size(r.row_changes), 0)`;
