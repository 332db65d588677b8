import sql from "sql-template-tag";
import { ServiceError } from "../../contract/errors.js";
import { someOf } from "../../contract/shortened.js";
import type { Database, Queryable } from "../infra/database/db.js";
import { queryNamed } from "../infra/database/statement-names.js";
import { namedChanges } from "../records/named-changes.js";
import {
  type Changed,
  hashOfJson,
  keepRowChanges,
  recordedChange,
  requireRecordBudget,
} from "../records/recorded-change.js";
import { requireFirstPart } from "./change-parts.js";
import { changesSince } from "./changed-since.js";
import { type Commit, stateVersion, type Version } from "./commit-arguments.js";
import {
  contextOf,
  decide,
  goneConflict,
  ifHosted,
  nothingToChange,
  type PreviewOptions,
  readState,
  shownEvent,
  unknownVersion,
  unwrap,
  versionConflict,
  whatHappened,
} from "./decision.js";
import { type CommittedWork, organizationOf, type ToolChange, type ToolState } from "./mutation.js";
import { inDisplayOrder, shownStates } from "./shown-states.js";
import type { ToolResult } from "./tool.js";

/**
 * One transaction: claim the idempotency key, lock the owner of the state, decide again, compare, store, record. What comes
 * before the decision is sent at once, in this order.
 */
export async function commitOnce<Services>(
  { db, services }: { db: Database; services: Services },
  mutation: ToolChange<Services>,
  options: PreviewOptions,
  commit: Commit & { version: Version | undefined; partOf: string | undefined },
): Promise<ToolResult> {
  const { tool, caller, input, own } = mutation;
  const { prepared, event } = options;
  let revealed: ToolResult = {};
  let work: CommittedWork<Services> | undefined;
  const change = async (tx: Queryable): Promise<Changed<Committed>> => {
    const context = contextOf(tx, mutation);
    const opening = openCommit(tx, mutation, commit);
    const read = async () => (await Promise.allSettled([readState(context, mutation, prepared)]))[0];
    const [found, given] = await Promise.allSettled([opening.replay, ifHosted(tx, tool, caller, input, read)]);
    await opening.locked;
    const replay = unwrap(found);
    if (replay !== undefined) return { result: { replay }, record: null };
    const { result: outcome } = unwrap(given);
    const since = (current?: ToolState) => changesSince(tx, mutation, { current, event }, commit.idempotencyKey);
    if (outcome.status === "rejected") throw await goneConflict(outcome.reason, options, since);
    const state = outcome.value;
    const { current } = state;
    if (commit.version === undefined) throw versionConflict(state, mutation, options, unknownVersion);
    if (stateVersion(state, mutation) !== commit.version.state) {
      throw versionConflict(state, mutation, options, whatHappened(await since(current), event));
    }
    if (commit.partOf !== undefined) await requireFirstPart(tx, mutation, { ...commit, partOf: commit.partOf });
    const { proposed, isChange, warnings } = decide(state, mutation, prepared, event);
    revealed = {};
    work = undefined;
    const storing = {
      ...context,
      reveal: (fields: ToolResult) => void Object.assign(revealed, fields),
      afterCommit: (given: CommittedWork<Services>) => {
        work = given;
      },
    };
    if (isChange) await tool.store(storing, { current, proposed, input: own, prepared });
    const after = await tool.read(context, own, prepared, proposed);
    const result: ToolResult = {
      dry_run: false,
      ...(event && { event: shownEvent(event) }),
      ...(isChange ? {} : { message: nothingToChange }),
      ...(warnings.length === 0 ? {} : { warnings }),
      ...tool.report({ current, proposed: after, input: own, prepared }, event),
    };
    const record = {
      tool: tool.name,
      organization_id: organizationOf(mutation),
      event_id: context.event?.id ?? administeredEventOf(mutation) ?? tool.madeEvent(prepared),
      reason: commit.reason,
      part_of: commit.partOf,
      idempotency_key: commit.idempotencyKey,
      request: input,
      request_hash: requestHash(mutation, commit),
      before: current,
      after,
      result,
    };
    return { result: { record }, record, budget: opening.budget };
  };
  const { result, recordId } = await recordedChange(db, caller, change, { opensWithReads: true });
  if (result.replay !== undefined) return result.replay;
  const committed = committedResult(result.record, String(recordId));
  return { ...committed, ...revealed, ...(await work?.(services)) };
}

type Committed = { replay: ToolResult } | { replay?: undefined; record: CommittedRecord };

/** The event that a change by a platform administrator names; tools of organizations declare theirs. */
function administeredEventOf<Services>({ caller, input }: ToolChange<Services>): string | null {
  return caller.tier === "super-admin" && typeof input.event_id === "string" ? input.event_id : null;
}

/** Sends what a commit starts with: the lock of the idempotency key, the look for a replay, the lock of the owner, the budget. */
function openCommit<Services>(tx: Queryable, mutation: ToolChange<Services>, commit: Commit) {
  // A second commit with the same key waits here until the first has committed, and then finds its record.
  const claimed = claimKey(tx, mutation, commit);
  const replay = findReplay(tx, mutation, commit);
  const locked = Promise.all([claimed, lockOwner(tx, mutation)]);
  const budget = requireRecordBudget(tx, mutation.caller);
  // Their errors are thrown where they are awaited.
  for (const each of [replay, locked, budget]) each.catch(() => {});
  return { replay, locked, budget };
}

/** Changes of organizations also keep the rows that they replace for their record, so that they can be reverted. */
async function claimKey<Services>(tx: Queryable, mutation: ToolChange<Services>, commit: Commit): Promise<void> {
  const key = `${organizationOf(mutation)} ${commit.idempotencyKey}`;
  const kept = mutation.caller.tier === "organization" ? keepRowChanges : "";
  await queryNamed(tx, "claim key")`
    select pg_advisory_xact_lock(hashtextextended(${key}, 0)), set_config('svc.row_changes', ${kept}, true)`;
}

/** Under READ COMMITTED two commits from the same state would both succeed: the row that owns the state is locked first. */
async function lockOwner<Services>(tx: Queryable, mutation: ToolChange<Services>): Promise<void> {
  const { tool, caller, input } = mutation;
  const lockOrganization = (id: string | null) =>
    queryNamed(tx, "lock organization")`select from organizations where id = ${id} for no key update`;
  const lockEvent = (id: string | null) =>
    queryNamed(tx, "lock event")`select from events where id = ${id} for no key update`;
  if (caller.tier === "super-admin") {
    // Rare, and about rows of any kind: one at a time; and none at the same time as a change by the organization or the event's hosts.
    await Promise.all([
      queryNamed(tx, "lock platform")`select pg_advisory_xact_lock(hashtextextended('platform administration', 0))`,
      lockOrganization(organizationOf(mutation)),
      lockEvent(administeredEventOf(mutation)),
    ]);
  } else if (tool.event === undefined) await lockOrganization(caller.organizationId);
  else await lockEvent(String(input.event_id));
}

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
  const [record] = await queryNamed<FoundRecord>(db, "find replay")`
      select id, tool, user_id, request_hash, before, after, result from mutation_records
      where ${owner} and idempotency_key = ${commit.idempotencyKey}`;
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
function committedResult(record: CommittedRecord, recordId: string): ToolResult {
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
type CommittedRecord = { before: ToolState; after: ToolState; result: Record<string, unknown> };

type FoundRecord = CommittedRecord & { id: string; tool: string; user_id: string | null; request_hash: string };

function requestHash<Services>({ tool, input }: ToolChange<Services>, commit: Commit): string {
  return hashOfJson({ tool: tool.name, input, reason: commit.reason, expected_version: commit.expectedVersion });
}
