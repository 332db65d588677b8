import sql, { type Sql } from "sql-template-tag";
import { placesIn } from "../infra/database/batch-loader.js";
import type { Queryable } from "../infra/database/db.js";
import { pruneRegularly } from "../infra/database/prune-regularly.js";
import type { ReadPoint } from "../infra/database/read-point.js";
import { inlined } from "../infra/database/statement-names.js";
import type { Log } from "../infra/observability/log.js";
import type { Caller } from "./caller.js";

/** The lists for which the triggers of 0019_changes.sql record changes. */
export type ChangedList = "conferences" | "events" | "posters";

/** What was read from a list, and where changes of it are recorded. */
export type PastRead = { list: ChangedList; scope: string; readAt: ReadPoint };

/** Stands for all conferences and organizations. */
const everywhere = "00000000-0000-0000-0000-000000000000";

/** Where changes of what this caller sees are recorded; a request may name the conference that it is about. */
export function changeScope(caller: Caller, conferenceId: string | undefined): string {
  switch (caller.tier) {
    case "super-admin":
      return conferenceId ?? everywhere;
    case "conference":
      return caller.conferenceId;
    case "organization":
      return caller.organizationId;
  }
}

/** With more changes since the oldest open transaction, reading again costs less than looking at all of them. */
export const maximumChangesRead = 100;

const limit = inlined(maximumChangesRead);

/**
 * The positions, from 1, of the entries that are still fresh: no transaction that changed their scope has become visible
 * since they were read. Snapshots are compared, because a counter or a time is assigned before the commit, and a transaction
 * may commit long after.
 */
export function selectUnchanged(reads: PastRead[]): Sql {
  const snapshots = reads.map(({ readAt }) => readAt.snapshot);
  return sql`
    (select place from (
        select ${reads.map(({ list }) => list)}::changed_list[] as lists,
          ${reads.map(({ scope }) => scope)}::uuid[] as scopes, ${snapshots}::pg_snapshot[] as snapshots) given,
      ${placesIn(sql`given.scopes`)} place
    where pg_snapshot_xmin(given.snapshots[place]) >= (select pruned from change_horizon where only_row) and (
      select count(*) < ${limit} and coalesce(bool_and(pg_visible_in_snapshot(c.xid, given.snapshots[place])), true)
      from (
        select xid from changes
        where list = given.lists[place] and scope = given.scopes[place]
          and xid >= pg_snapshot_xmin(given.snapshots[place])
        limit ${limit}) c)) unchanged`;
}

const pruneEveryMs = 60_000;

/** Deletes old records of changes from time to time. What was read before the oldest kept one is read again. */
export function startPruning(db: Queryable, log: Log, everyMs = pruneEveryMs): { close(): void } {
  return pruneRegularly(() => pruneChanges(db, everyMs), { everyMs, what: "old records of changes", log });
}

/**
 * Deletes what was recorded before the last time, unless that was just now: of many processes, one does it. Numbers that
 * this server has not given yet are of another one, whose database was copied here.
 */
export async function pruneChanges(db: Queryable, everyMs: number): Promise<void> {
  await db.query(sql`
    with horizon as (
      update change_horizon set pruned_at = now(), next = pg_snapshot_xmin(pg_current_snapshot()),
        pruned = case when pruned > pg_snapshot_xmax(pg_current_snapshot()) then pg_snapshot_xmin(pg_current_snapshot())
          else greatest(pruned, next) end
      where pruned_at <= now() - make_interval(secs => ${everyMs * 0.9}::float8 / 1000) returning pruned)
    delete from changes c using horizon
    where c.xid < horizon.pruned or c.xid >= pg_snapshot_xmax(pg_current_snapshot())`);
}
