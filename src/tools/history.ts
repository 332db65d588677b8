import sql, { type Sql } from "sql-template-tag";
import type { Queryable } from "../platform/db.js";

export type RecordFilter = {
  organizationId: string | undefined;
  eventId: string | undefined;
  since: string | undefined;
};

export type RecordEntry = {
  id: string;
  at: string;
  tool: string;
  organization_id: string | null;
  organization: string | null;
  event_id: string | null;
  event: string | null;
  user_id: string | null;
  user: string | null;
  api_key_id: string | null;
  api_key: string | null;
  /** How the actor came in: with a key, or as an operator at the command line. */
  via: "key" | "command_line";
  operator: string | null;
  reason: string | null;
  idempotency_key: string | null;
  request: unknown;
  before: unknown;
  after: unknown;
  /** The outcome of a change outside the service, for which no states are known. */
  outcome: unknown;
};

const batchSize = 500;

/** Mutation records, oldest first, read in batches because the history can be long. */
export async function* readRecords(db: Queryable, filter: RecordFilter): AsyncGenerator<RecordEntry> {
  let after: { at: string; id: string } | undefined;
  for (;;) {
    const rows = await db.query<RecordEntry>(selectRecords(filter, after));
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < batchSize) return;
    after = { at: last.at, id: last.id };
  }
}

function selectRecords(filter: RecordFilter, after: { at: string; id: string } | undefined): Sql {
  const organization =
    filter.organizationId === undefined ? sql`true` : sql`r.organization_id = ${filter.organizationId}`;
  const event = filter.eventId === undefined ? sql`true` : sql`r.event_id = ${filter.eventId}`;
  const since = filter.since === undefined ? sql`true` : sql`r.at >= ${filter.since}::timestamptz`;
  const later = after === undefined ? sql`true` : sql`(r.at, r.id) > (${after.at}::timestamptz, ${after.id}::uuid)`;
  return sql`
    select r.id, iso8601(r.at) as at, r.tool, r.organization_id, o.slug as organization, r.event_id, e.name as event,
      r.user_id, u.email as user, r.api_key_id, k.name as api_key, r.via, r.operator, r.reason, r.idempotency_key, r.request, r.before,
      r.after, case when r.before is null and r.after is null then r.result end as outcome
    from mutation_records r
    left join organizations o on o.id = r.organization_id
    left join events e on e.id = r.event_id
    left join users u on u.id = r.user_id
    left join api_keys k on k.id = r.api_key_id
    where ${organization} and ${event} and ${since} and ${later}
    order by r.at, r.id limit ${batchSize}`;
}
