import sql from "sql-template-tag";
import type { Actor } from "../access/caller.js";
import { retryConflicts } from "../infra/database/conflict-retries.js";
import type { Queryable, Session } from "../infra/database/db.js";
import { queryNamed } from "../infra/database/statement-names.js";
import { hashOfJson } from "./json-hash.js";
import { requireRecordBudget } from "./record-budget.js";
import { storedRequest } from "./stored-request.js";

export type ChangeRecord = {
  tool: string;
  /** The organization whose history it belongs to; by default the caller's. */
  organization_id?: string | null;
  event_id?: string | null;
  request: Record<string, unknown>;
  before?: unknown;
  after?: unknown;
  reason?: string;
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
  const { via, operator, userId, keyId, appId, organizationId } = columnsOf(actor);
  const [row] = await queryNamed<{ id: string }>(
    tx,
    "insert record",
    sql`
    insert into mutation_records
      (tool, organization_id, event_id, user_id, api_key_id, app_id, via, operator, reason, idempotency_key,
       request, request_hash, before, after, result, row_changes)
    values (
      ${record.tool}, ${record.organization_id ?? organizationId}, ${record.event_id ?? null},
      ${userId}, ${keyId}, ${appId}, ${via}, ${operator}, ${record.reason ?? null}, ${record.idempotency_key ?? null},
      ${storedRequest(record.request)}, ${record.request_hash ?? hashOfJson(record.request)},
      ${jsonOrNull(record.before)}, ${jsonOrNull(record.after)}, ${jsonOrNull(record.result)}, kept_row_changes())
    returning id`,
  );
  if (row === undefined) throw new Error("inserting a record returned no row");
  return row.id;
}

function columnsOf(actor: Actor) {
  const nobody = { operator: null, userId: null, keyId: null, appId: null, organizationId: null };
  if (!("userId" in actor)) return { ...nobody, via: actor.via.kind, operator: actor.name };
  if (!("tier" in actor)) return { ...nobody, via: "console", userId: actor.userId };
  return {
    ...nobody,
    via: actor.via.kind === "session" ? "console" : actor.via.kind,
    userId: actor.userId,
    keyId: actor.via.kind === "key" ? actor.via.keyId : null,
    appId: actor.via.kind === "app" ? actor.via.appId : null,
    organizationId: actor.tier === "organization" ? actor.organizationId : null,
  };
}

function jsonOrNull(value: unknown): string | null {
  return value === undefined ? null : JSON.stringify(value);
}
