import sql from "sql-template-tag";
import { ServiceError } from "../../contract/errors.js";
import { someOf } from "../../contract/shortened.js";
import type { Queryable } from "../infra/database/db.js";
import { queryNamed } from "../infra/database/statement-names.js";
import { inDisplayOrder } from "../records/display-order.js";
import { hashOfJson } from "../records/json-hash.js";
import { namedChanges } from "../records/named-changes.js";
import type { Commit } from "./commit-arguments.js";
import type { ToolState } from "./mutation.js";
import { shownStates } from "./shown-states.js";
import type { ToolResult } from "./tool.js";
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
): Promise<ToolResult | undefined> {
  const organizationId = organizationOf(mutation);
  const owner = organizationId === null ? sql`organization_id is null` : sql`organization_id = ${organizationId}`;
  const [record] = await queryNamed<FoundRecord>(
    db,
    "find replay",
    sql`
      select id, tool, user_id, request_hash, before, after, result from mutation_records
      where ${owner} and idempotency_key = ${commit.idempotencyKey}`,
  );
  if (record === undefined || (userId !== undefined && record.user_id !== userId)) return undefined;
  if (record.request_hash !== requestHash(mutation, commit)) {
    throw new ServiceError(
      "idempotency_conflict",
      `This idempotency_key already committed record ${record.id} (${committedChange(record)}). Nothing was changed. For another change, preview again: its commit_with has a new key`,
    );
  }
  return Object.assign(committedResult(record, record.id), { [replayed]: true });
}

/** The key that marks a result as that of an earlier commit. A symbol, so that the result itself is the same. */
const replayed = Symbol("the result of an earlier commit");

export function isReplay(result: object): boolean {
  return replayed in result;
}

/** The result of a commit as its caller gets it: of the commit itself, and of the record when the commit is repeated. */
export function committedResult(record: CommittedRecord, recordId: string): ToolResult {
  const { dry_run, event, message, warnings, ...report } = record.result;
  const [before, after] = shownStates(record.before ?? {}, record.after ?? {});
  return {
    dry_run,
    ...(event === undefined ? {} : { event: inDisplayOrder(event) }),
    ...(message === undefined ? {} : { message }),
    before,
    after,
    warnings: inDisplayOrder(warnings ?? []),
    ...(inDisplayOrder(report) as object),
    record_id: recordId,
  };
}

/** What the record says, in a few words: "update_event_details: venue, capacity". */
function committedChange({ tool, before, after }: FoundRecord): string {
  const paths = namedChanges(before, after).map(({ path }) => path);
  return paths.length === 0 ? tool : `${tool}: ${someOf(paths, 3)}`;
}

/** What the result of a commit is made of. */
export type CommittedRecord = { before: ToolState; after: ToolState; result: Record<string, unknown> };

type FoundRecord = CommittedRecord & { id: string; tool: string; user_id: string | null; request_hash: string };

export function requestHash<Services>({ tool, input }: ToolChange<Services>, commit: Commit): string {
  return hashOfJson({ tool: tool.name, input, reason: commit.reason, expected_version: commit.expectedVersion });
}
