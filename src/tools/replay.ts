import sql from "sql-template-tag";
import type { Queryable } from "../platform/database/db.js";
import { queryNamed } from "../platform/database/statement-names.js";
import { ServiceError } from "../platform/errors.js";
import { hashOfJson } from "./canonical-json.js";
import type { Commit } from "./commit-arguments.js";
import type { ToolState } from "./mutation.js";
import { organizationOf, type ToolChange } from "./tool-change.js";

/**
 * The result of an earlier commit with the same key and request, if a user is given by that user; a changed request under
 * a used key is refused.
 */
export async function findReplay<Services>(
  db: Queryable,
  mutation: ToolChange<Services>,
  commit: Commit,
  userId?: string,
): Promise<Record<string, unknown> | undefined> {
  const organizationId = organizationOf(mutation);
  const owner = organizationId === null ? sql`organization_id is null` : sql`organization_id = ${organizationId}`;
  const [record] = await queryNamed<FoundRecord>(
    db,
    "find replay",
    sql`
      select id, user_id, request_hash, after, result from mutation_records
      where ${owner} and idempotency_key = ${commit.idempotencyKey}`,
  );
  if (record === undefined || (userId !== undefined && record.user_id !== userId)) return undefined;
  if (record.request_hash !== requestHash(mutation, commit)) {
    throw new ServiceError(
      "idempotency_conflict",
      "This idempotency_key was used for another request. Nothing was changed. Use a new key for a new change",
    );
  }
  return { ...record.result, after: record.after, record_id: record.id, replayed: true };
}

type FoundRecord = {
  id: string;
  user_id: string | null;
  request_hash: string;
  after: ToolState;
  result: Record<string, unknown>;
};

export function requestHash<Services>({ tool, input }: ToolChange<Services>, commit: Commit): string {
  return hashOfJson({ tool: tool.name, input, reason: commit.reason, expected_version: commit.expectedVersion });
}
