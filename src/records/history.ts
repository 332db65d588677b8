import { setTimeout as sleep } from "node:timers/promises";
import sql, { type Sql } from "sql-template-tag";
import type { RecordVia } from "../../contract/nouns.js";
import type { Queryable } from "../infra/database/db.js";

export type RecordFilter = {
  organizationId: string | undefined;
  eventId: string | undefined;
  since: string | undefined;
  /** Only writes to the ticketing platform whose outcome is not recorded. */
  unfinished?: boolean | undefined;
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
  app_id: string | null;
  app: string | null;
  door_link_id: string | null;
  door_link: string | null;
  /** How the actor came in: with a key, with a connected app, with a door link, signed in to the console, or as an operator at the command line. */
  via: RecordVia;
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
const followIntervalMs = 1_000;

type Position = { at: string; id: string };

export type RecordRange = {
  /** Only this many of the newest. */
  newest?: number;
  /** Waits for new records and never ends. */
  follow?: boolean;
};

/** Mutation records, oldest first, read in batches because the history can be long. */
export async function* readRecords(
  db: Queryable,
  filter: RecordFilter,
  { newest, follow = false }: RecordRange = {},
): AsyncGenerator<RecordEntry> {
  let after = newest === undefined ? undefined : await positionBefore(db, filter, newest);
  const recent = follow && after !== undefined ? await recentUpTo(db, after) : new Map<string, string>();
  let recentSince = follow ? await startOfRecentRecords(db) : "";
  for (;;) {
    const rows = await db.query<RecordEntry>(selectRecords(filter, after));
    for (const row of rows) {
      if (recent.has(row.id)) continue;
      if (follow && row.at >= recentSince) recent.set(row.id, row.at);
      yield row;
    }
    const last = rows.at(-1);
    if (last !== undefined && rows.length === batchSize) {
      after = { at: last.at, id: last.id };
      continue;
    }
    if (!follow) return;
    await sleep(followIntervalMs);
    recentSince = await startOfRecentRecords(db);
    after = { at: recentSince, id: lowestId };
    for (const [id, at] of recent) if (at < recentSince) recent.delete(id);
  }
}

/** A condition on a record r: a ticketing write whose outcome is not known. */
export const isUnfinished = sql`
  r.tool like 'ticketing:%' and r.result ->> 'state' = 'sending' and not exists (
    select from mutation_records outcome
    where outcome.event_id = r.event_id and outcome.request ->> 'attempt_id' = r.request ->> 'attempt_id'
      and outcome.result ->> 'state' <> 'sending')`;

/** Ticketing writes whose outcome is not known, in all time or in the last `days`. */
export async function countUnfinishedWrites(db: Queryable, days?: number): Promise<number> {
  const recent = days === undefined ? sql`true` : sql`r.at >= now() - ${days}::int * interval '1 day'`;
  const [row] = await db.query<{ count: number }>(
    sql`select count(*)::int as count from mutation_records r where ${isUnfinished} and ${recent}`,
  );
  return row?.count ?? 0;
}

/** Records that are at least so old, in days. */
export async function countRecords(db: Queryable, days = 0): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    sql`select count(*)::int as count from mutation_records where at < now() - ${days}::int * interval '1 day'`,
  );
  return row?.count ?? 0;
}

/** A record carries the time at which its transaction began, so one that commits late sorts before others. */
async function startOfRecentRecords(db: Queryable): Promise<string> {
  const [row] = await db.query<{ at: string }>(sql`select iso8601(now() - interval '30 seconds') as at`);
  return row?.at ?? "";
}

/** The recent records up to a position, which are not wanted, with their times. */
async function recentUpTo(db: Queryable, position: Position): Promise<Map<string, string>> {
  const rows = await db.query<Position>(sql`
    select iso8601(r.at) as at, r.id from mutation_records r
    where r.at >= ${await startOfRecentRecords(db)}::timestamptz
      and (r.at, r.id) <= (${position.at}::timestamptz, ${position.id}::uuid)`);
  return new Map(rows.map(({ id, at }) => [id, at]));
}

const lowestId = "00000000-0000-0000-0000-000000000000";

/** The position after which `count` records follow; undefined if there are no more than that. */
async function positionBefore(db: Queryable, filter: RecordFilter, count: number): Promise<Position | undefined> {
  const [row] = await db.query<Position>(sql`
    select iso8601(r.at) as at, r.id from mutation_records r where ${matches(filter)}
    order by r.at desc, r.id desc offset ${count} limit 1`);
  return row;
}

function matches(filter: RecordFilter): Sql {
  const organization =
    filter.organizationId === undefined ? sql`true` : sql`r.organization_id = ${filter.organizationId}`;
  const event = filter.eventId === undefined ? sql`true` : sql`r.event_id = ${filter.eventId}`;
  const since = filter.since === undefined ? sql`true` : sql`r.at >= ${filter.since}::timestamptz`;
  const unfinished = filter.unfinished === true ? isUnfinished : sql`true`;
  return sql`${organization} and ${event} and ${since} and ${unfinished}`;
}

function selectRecords(filter: RecordFilter, after: Position | undefined): Sql {
  const later = after === undefined ? sql`true` : sql`(r.at, r.id) > (${after.at}::timestamptz, ${after.id}::uuid)`;
  return sql`
    select r.id, iso8601(r.at) as at, r.tool, r.organization_id, o.slug as organization, r.event_id, e.name as event,
      r.user_id, u.email as user, r.api_key_id, k.name as api_key, r.app_id, a.name as app, r.door_link_id, d.name as door_link, r.via, r.operator, r.reason, r.idempotency_key, r.request, r.before,
      r.after, case when r.before is null and r.after is null then r.result end as outcome
    from mutation_records r
    left join organizations o on o.id = r.organization_id
    left join events e on e.id = r.event_id
    left join users u on u.id = r.user_id
    left join api_keys k on k.id = r.api_key_id
    left join connected_apps a on a.id = r.app_id
    left join door_links d on d.id = r.door_link_id
    where ${matches(filter)} and ${later}
    order by r.at, r.id limit ${batchSize}`;
}
