import sql from "sql-template-tag";
import type { Caller } from "../access/caller.js";
import type { Queryable } from "../platform/db.js";
import { hashOfJson } from "./canonical-json.js";

export type MutationRecord = {
  tool: string;
  event_id: string | null;
  request: Record<string, unknown>;
  before: unknown;
  after: unknown;
  reason?: string;
  idempotency_key?: string;
  result?: unknown;
  /** What a repeated idempotency key is compared by; the request itself where it is left out. */
  request_hash?: string;
};

/** Writes the record of a change and returns its id. It belongs in the transaction of the change: either both exist or neither. */
export async function recordMutation(tx: Queryable, caller: Caller, record: MutationRecord): Promise<string> {
  const [row] = await tx.query<{ id: string }>(sql`
    insert into mutation_records
      (tool, organization_id, event_id, user_id, api_key_id, reason, idempotency_key,
       request, request_hash, before, after, result)
    values (
      ${record.tool}, ${caller.tier === "organization" ? caller.organizationId : null}, ${record.event_id},
      ${caller.userId}, ${caller.keyId}, ${record.reason ?? null}, ${record.idempotency_key ?? null},
      ${JSON.stringify(record.request)}, ${record.request_hash ?? hashOfJson(record.request)},
      ${jsonOrNull(record.before)}, ${jsonOrNull(record.after)}, ${jsonOrNull(record.result)})
    returning id`);
  if (row === undefined) throw new Error("the record was not stored");
  return row.id;
}

function jsonOrNull(value: unknown): string | null {
  return value === undefined ? null : JSON.stringify(value);
}
