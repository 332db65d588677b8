import { hash } from "node:crypto";
import sql from "sql-template-tag";
import type { Caller } from "../access/caller.js";
import type { Queryable } from "../platform/db.js";

export type MutationRecord = {
  tool: string;
  event_id: string | null;
  request: Record<string, unknown>;
  before: unknown;
  after: unknown;
  reason?: string;
  idempotency_key?: string;
  result?: unknown;
};

/** Writes the record of a change. It belongs in the transaction of the change: either both exist or neither. */
export async function recordMutation(tx: Queryable, caller: Caller, record: MutationRecord): Promise<void> {
  await tx.query(sql`
    insert into mutation_records
      (tool, organization_id, event_id, user_id, api_key_id, reason, idempotency_key,
       request, request_hash, before, after, result)
    values (
      ${record.tool}, ${caller.tier === "organization" ? caller.organizationId : null}, ${record.event_id},
      ${caller.userId}, ${caller.keyId}, ${record.reason ?? null}, ${record.idempotency_key ?? null},
      ${JSON.stringify(record.request)}, ${hashOfJson(record.request)},
      ${jsonOrNull(record.before)}, ${jsonOrNull(record.after)}, ${jsonOrNull(record.result)})`);
}

/** SHA-256 of the canonical JSON: equal for values that differ only in the order of their keys. */
export function hashOfJson(value: unknown): string {
  return hash("sha256", canonicalJson(value), "hex");
}

export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}

function jsonOrNull(value: unknown): string | null {
  return value === undefined ? null : JSON.stringify(value);
}
