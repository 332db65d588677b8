import { hash } from "node:crypto";
import sql from "sql-template-tag";
import { canonicalJson } from "../../contract/canonical-json.js";
import { ServiceError } from "../../contract/errors.js";
import type { Actor } from "../access/caller.js";
import { retryConflicts } from "../infra/database/conflict-retries.js";
import type { Queryable, Session } from "../infra/database/db.js";
import { asSubquery, inlined, queryNamed } from "../infra/database/statement-names.js";

export type ChangeRecord = {
  tool: string;
  /** The organization whose history it belongs to; by default the caller's. */
  organization_id?: string | null;
  event_id?: string | null;
  request: Record<string, unknown>;
  before?: unknown;
  after?: unknown;
  reason?: string;
  /** The record of the first part, for a further part of a change that is committed in parts. */
  part_of?: string | undefined;
  idempotency_key?: string;
  /** Without the state after the change, which is in `after`. */
  result?: unknown;
  /** What a repeated idempotency key is compared by; by default the hash of the request. */
  request_hash?: string;
};

/** What a change returns. `budget` is `requireRecordBudget`, if the change has called it already. */
export type Changed<Result> = { result: Result; record: ChangeRecord | null; budget?: Promise<void> };

/**
 * The one way to change data: the change and its record are one transaction, so that either both exist or neither.
 * `record: null` means that nothing was changed; `opensWithReads` is an option of the transaction. A conflict with another
 * change runs the transaction again (`retryConflicts`): a change that cannot be repeated, because it consumes a stream, has
 * one attempt.
 */
export function recordedChange<Result>(
  db: Session,
  actor: Actor,
  change: (tx: Queryable) => Promise<Changed<Result>>,
  { attempts, opensWithReads = false }: { attempts?: number; opensWithReads?: boolean } = {},
): Promise<{ result: Result; recordId: string | null }> {
  const run = () =>
    db.transaction(
      async (tx) => {
        const { result, record, budget } = await change(tx);
        if (record === null) return { result, recordId: null };
        await (budget ?? requireRecordBudget(tx, actor));
        return { result, recordId: await insertRecord({ query: tx.last }, actor, record) };
      },
      { opensWithReads },
    );
  return retryConflicts(run, attempts);
}

/** Lets this transaction change records, which the database refuses otherwise. */
export async function allowRecordChange(tx: Queryable, operation: "erase" | "archive"): Promise<void> {
  await tx.query(sql`select set_config('svc.change_records', ${operation}, true)`);
}

/** The value of the setting svc.row_changes with which a transaction keeps the rows that it replaces. */
export const keepRowChanges = "[";

/** Writes a record by itself, for changes that are made outside this database; `requireRecordBudget` comes first. */
export async function insertRecord(tx: Queryable, actor: Actor, record: ChangeRecord): Promise<string> {
  const { via, operator, userId, keyId, appId, doorLinkId, organizationId } = columnsOf(actor);
  const [row] = await queryNamed<{ id: string }>(tx, "insert record")`
    insert into mutation_records
      (tool, organization_id, event_id, user_id, api_key_id, app_id, door_link_id, via, operator, reason, part_of, idempotency_key,
       request, request_hash, before, after, result, row_changes)
    values (
      ${record.tool}, ${record.organization_id ?? organizationId}, ${record.event_id ?? null},
      ${userId}, ${keyId}, ${appId}, ${doorLinkId}, ${via}, ${operator}, ${record.reason ?? null}, ${record.part_of ?? null},
      ${record.idempotency_key ?? null},
      ${storedRequest(record.request)}, ${record.request_hash ?? hashOfJson(record.request)},
      ${jsonOrNull(record.before)}, ${jsonOrNull(record.after)}, ${jsonOrNull(record.result)}, kept_row_changes())
    returning id`;
  if (row === undefined) throw new Error("inserting a record returned no row");
  return row.id;
}

function columnsOf(actor: Actor) {
  const nobody = { operator: null, userId: null, keyId: null, appId: null, doorLinkId: null, organizationId: null };
  if (!("userId" in actor)) return { ...nobody, via: actor.via.kind, operator: actor.name };
  if (!("tier" in actor)) return { ...nobody, via: "console", userId: actor.userId };
  return {
    ...nobody,
    via: actor.via.kind === "session" ? "console" : actor.via.kind,
    userId: actor.userId,
    keyId: actor.via.kind === "key" ? actor.via.keyId : null,
    appId: actor.via.kind === "app" ? actor.via.appId : null,
    doorLinkId: actor.via.kind === "door" ? actor.via.linkId : null,
    organizationId: actor.tier === "organization" ? actor.organizationId : null,
  };
}

function jsonOrNull(value: unknown): string | null {
  return value === undefined ? null : JSON.stringify(value);
}

/**
 * What one organization may add to the records, which are never removed by themselves. Of that, its door links may add a part,
 * and each of them a part of it: a phone that has gone wild leaves half of it to the organization's people and keys.
 */
export const recordBudget = { bytes: 10_000_000, doorBytes: 5_000_000, doorLinkBytes: 2_500_000, seconds: 600 };

/**
 * Refuses a change while the records of the organization's last minutes fill its budget. The stored sizes are added up in
 * the database, which all processes share. The record that exceeds the budget is the last one that is accepted.
 */
export async function requireRecordBudget(db: Queryable, actor: Actor): Promise<void> {
  if (!("tier" in actor) || actor.tier !== "organization") return;
  const { organizationId, via } = actor;
  const [full] = await queryNamed<{ retry_after_seconds: number | null }>(db, "check record budget")`
    select ceil(extract(epoch from max(at) + ${budgetWindow} - now()))::int as retry_after_seconds
    from (
      select at, sum(${storedBytes}) over (order by at desc, id desc) as newer_bytes from mutation_records r
      where organization_id = ${asSubquery(organizationId, "uuid")} and at > now() - ${budgetWindow}) recent
    where newer_bytes >= ${inlined(recordBudget.bytes)}`;
  refuseFull(full?.retry_after_seconds, "the changes of an organization", recordBudget.bytes);
  if (via.kind === "door") await requireDoorBudget(db, organizationId, via.linkId);
}

async function requireDoorBudget(db: Queryable, organizationId: string, linkId: string): Promise<void> {
  const [full] = await queryNamed<{ of_link: number | null; of_links: number | null }>(
    db,
    "check record budget of door links",
  )`
    select
      ceil(extract(epoch from max(at) filter (where is_own and newer_of_link >= ${inlined(recordBudget.doorLinkBytes)})
        + ${budgetWindow} - now()))::int as of_link,
      ceil(extract(epoch from max(at) filter (where newer_bytes >= ${inlined(recordBudget.doorBytes)})
        + ${budgetWindow} - now()))::int as of_links
    from (
      select at, door_link_id = ${linkId} as is_own, sum(${storedBytes}) over (order by at desc, id desc) as newer_bytes,
        sum(${storedBytes}) over (partition by door_link_id order by at desc, id desc) as newer_of_link
      from mutation_records r
      where organization_id = ${organizationId} and via = 'door' and at > now() - ${budgetWindow}) recent`;
  refuseFull(full?.of_link, "the changes with a door link", recordBudget.doorLinkBytes);
  refuseFull(full?.of_links, "the changes with door links of an organization", recordBudget.doorBytes);
}

const budgetWindow = sql`${inlined(recordBudget.seconds)} * interval '1 second'`;

function refuseFull(seconds: number | null | undefined, whose: string, bytes: number): void {
  if (seconds === null || seconds === undefined) return;
  const retryAfterSeconds = Math.max(1, seconds);
  throw new ServiceError(
    "rate_limited",
    `Too much data was recorded: ${whose} may add ${bytes / 1e6} MB to its records in ${recordBudget.seconds / 60} minutes. Nothing was changed. Try again in ${retryAfterSeconds} s, or make smaller changes`,
    { retryAfterSeconds },
  );
}

/** As compressed and stored outside the row, which costs no reading of large values. */
const storedBytes = sql`
  pg_column_size(r.request) + coalesce(pg_column_size(r.before), 0) + coalesce(pg_column_size(r.after), 0)
  + coalesce(pg_column_size(r.result), 0) + coalesce(pg_column_size(r.row_changes), 0)`;

/** A request as it is recorded, in bytes of its JSON text. Records are kept forever, and callers decide how large a request is. */
const maximumBytes = 16 * 1024;
/** Ids and other short values of a large request stay readable for those who look records up by them. */
const maximumKeptBytes = 256;

/**
 * The request as JSON text. Of one that is too large: its short values, and in `truncated` its digest and length. A part of it
 * could hold a person's data apart from the address by which an erasure finds it.
 */
export function storedRequest(request: Record<string, unknown>): string {
  const json = JSON.stringify(request);
  const bytes = Buffer.byteLength(json);
  if (bytes <= maximumBytes) return json;
  const kept = Object.entries(request).filter(
    ([, value]) => value !== undefined && Buffer.byteLength(JSON.stringify(value)) <= maximumKeptBytes,
  );
  const truncated = { sha256: hash("sha256", json, "hex"), bytes };
  return JSON.stringify({ ...Object.fromEntries(kept), truncated });
}

/** The same for values that differ only in the order of their keys. */
export function hashOfJson(value: unknown): string {
  return hash("sha256", canonicalJson(value), "hex");
}
