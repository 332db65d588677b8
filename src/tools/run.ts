import sql from "sql-template-tag";
import { type CalledEvent, getHosting, requireHosted } from "../access/hosting.js";
import type { Database, Queryable } from "../platform/database/db.js";
import { queryNamed } from "../platform/database/statement-names.js";
import { type Commit, splitArguments } from "./commit-arguments.js";
import { decide, nothingToChange, previewOf, readState, versionConflict, versionOf } from "./decision.js";
import { eventAdvice } from "./known-ids.js";
import type { CommittedWork, RunnableMutation } from "./mutation.js";
import { requireRecordBudget } from "./record-budget.js";
import { keepRowChanges, recordedChange } from "./recorded-change.js";
import { findReplay, requestHash } from "./replay.js";
import { withEvent } from "./result-event.js";
import type { AnyInput, EventTarget, ReadTool, RunContext, RunnableTool, ToolCaller } from "./tool.js";
import { changeOf, eventOf, organizationOf, type ToolChange, withoutEventId } from "./tool-change.js";

export type ToolDependencies<Services> = { db: Database; baseUrl: string; services: Services };

export type ToolResult = Record<string, unknown>;

/** A call of a tool whose arguments were parsed with its schema. */
export type ToolCall<Services> = {
  tool: ReadTool | RunnableMutation<Services>;
  caller: ToolCaller;
  parsed: AnyInput;
};

/** Runs a tool. Everything that all tools have in common happens here. */
export async function runTool<Services>(
  dependencies: ToolDependencies<Services>,
  call: ToolCall<Services>,
): Promise<ToolResult> {
  const { tool, caller, parsed } = call;
  const { db, baseUrl, services } = dependencies;
  if (tool.kind === "mutation" && tool.locate !== undefined) return runLocated(dependencies, call, tool.locate);
  if (tool.kind === "read") {
    const read = (tx: Queryable) =>
      ifHosted(tx, tool, caller, parsed, () =>
        tool.read({ tx, caller, baseUrl, event: eventOf(tool, parsed) }, withoutEventId(tool, parsed)),
      );
    return db.transaction(read, { mode: "read only" });
  }
  const { input, commit } = splitArguments(parsed);
  const mutation = changeOf({ tool, caller, baseUrl }, input);
  const prepare = () => tool.prepare({ db, services, caller, baseUrl, event: eventOf(tool, input) }, mutation.own);
  if (commit === undefined) {
    const event = await requireEvent(db, tool, caller, input);
    return withEvent(await preview(db, mutation, await prepare()), event);
  }
  const [replay, hosted] = await Promise.allSettled([
    // Work that a repeated commit can be spared; otherwise it is found in the transaction.
    tool.prepares ? findReplay(db, mutation, commit) : undefined,
    requireEvent(db, tool, caller, input),
  ]);
  const replayed = settled(replay);
  if (replayed !== undefined) return replayed;
  let prepared: unknown;
  let event: CalledEvent | undefined;
  try {
    event = settled(hosted);
    prepared = await prepare();
  } catch (error) {
    // The first run of this commit may have caused the refusal, such as a hand-over, after the look for its record.
    const late = await findReplay(db, mutation, commit);
    if (late === undefined) throw error;
    return late;
  }
  return withEvent(await commitOnce(dependencies, mutation, prepared, commit), event);
}

/** Runs a tool that finds its event itself as one about that event. */
async function runLocated<Services>(
  dependencies: ToolDependencies<Services>,
  call: ToolCall<Services>,
  locate: NonNullable<RunnableMutation<Services>["locate"]>,
): Promise<ToolResult> {
  const { caller, parsed } = call;
  const { locate: _, ...tool } = call.tool as RunnableMutation<Services>;
  let target: EventTarget | undefined;
  try {
    target = await locate({ db: dependencies.db, caller, services: dependencies.services }, parsed);
  } catch (error) {
    // The first run of the same commit may have caused the refusal.
    const replay = await findOwnReplay(dependencies, { ...call, tool });
    if (replay === undefined) throw error;
    return replay;
  }
  if (target === undefined) return runTool(dependencies, { tool, caller, parsed });
  const { id, role } = target;
  return runTool(dependencies, { tool: { ...tool, event: role }, caller, parsed: { ...parsed, event_id: id } });
}

/**
 * The result of an earlier commit of the same person, for a repeated call of a tool that the caller no longer has: the
 * first run may have caused that.
 */
export async function findOwnReplay<Services>(
  { db, baseUrl }: ToolDependencies<Services>,
  { tool, caller, parsed }: ToolCall<Services>,
): Promise<ToolResult | undefined> {
  if (tool.kind === "read") return undefined;
  const { input, commit } = splitArguments(parsed);
  return commit && findReplay(db, changeOf({ tool, caller, baseUrl }, input), commit, caller.userId);
}

/** Reads where the database itself refuses a change, and proposes. */
function preview<Services>(db: Database, mutation: ToolChange<Services>, prepared: unknown): Promise<ToolResult> {
  const { tool, caller, input } = mutation;
  return db.transaction(
    async (tx) => {
      const read = () => readState(contextOf(tx, mutation), mutation, prepared);
      return previewOf(await ifHosted(tx, tool, caller, input, read), mutation, prepared);
    },
    { mode: "read only" },
  );
}

/**
 * One transaction: claim the idempotency key, lock the owner of the state, decide again, compare, store, record. What comes
 * before the decision is sent at once, in this order.
 */
async function commitOnce<Services>(
  { db, services }: ToolDependencies<Services>,
  mutation: ToolChange<Services>,
  prepared: unknown,
  commit: Commit,
): Promise<ToolResult> {
  const { tool, caller, input, own } = mutation;
  let revealed: ToolResult = {};
  let work: CommittedWork<Services> | undefined;
  const change = async (tx: Queryable) => {
    const context = contextOf(tx, mutation);
    const opening = openCommit(tx, mutation, commit);
    const read = () => readState(context, mutation, prepared);
    const [found, given] = await Promise.allSettled([opening.replay, ifHosted(tx, tool, caller, input, read)]);
    await opening.locked;
    const replay = settled(found);
    if (replay !== undefined) return { result: replay, record: null };
    const state = settled(given);
    if (versionOf(state, mutation) !== commit.expectedVersion) throw versionConflict(state, mutation, prepared);
    const { current } = state;
    const { proposed, changes, warnings } = decide(state, mutation, prepared);
    revealed = {};
    work = undefined;
    const storing = {
      ...context,
      reveal: (fields: ToolResult) => void Object.assign(revealed, fields),
      afterCommit: (given: CommittedWork<Services>) => {
        work = given;
      },
    };
    if (changes.length > 0) await tool.store(storing, { current, proposed, input: own, prepared });
    const after = await tool.read(context, own, prepared, proposed);
    const result: ToolResult = {
      dry_run: false,
      ...(changes.length === 0 ? { message: nothingToChange } : {}),
      ...(warnings.length === 0 ? {} : { warnings }),
      ...tool.report(current, after, own, prepared),
    };
    const record = {
      tool: tool.name,
      organization_id: organizationOf(mutation),
      event_id: context.event?.id ?? administeredEventOf(mutation),
      reason: commit.reason,
      idempotency_key: commit.idempotencyKey,
      request: input,
      request_hash: requestHash(mutation, commit),
      before: current,
      after,
      result,
    };
    return { result: { ...result, after }, record, budget: opening.budget };
  };
  const { result, recordId } = await recordedChange(db, caller, change, { opensWithReads: true });
  if (recordId === null) return result;
  return { ...result, record_id: recordId, ...revealed, ...(await work?.(services)) };
}

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
  await queryNamed(
    tx,
    "claim key",
    sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0)), set_config('svc.row_changes', ${kept}, true)`,
  );
}

async function lockKey(tx: Queryable, key: string): Promise<void> {
  await queryNamed(tx, "lock key", sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`);
}

/** Under READ COMMITTED two commits from the same state would both succeed: the row that owns the state is locked first. */
async function lockOwner<Services>(tx: Queryable, mutation: ToolChange<Services>): Promise<void> {
  const { tool, caller, input } = mutation;
  const lockOrganization = (id: string | null) =>
    queryNamed(tx, "lock organization", sql`select from organizations where id = ${id} for no key update`);
  const lockEvent = (id: string | null) =>
    queryNamed(tx, "lock event", sql`select from events where id = ${id} for no key update`);
  if (caller.tier === "super-admin") {
    // Rare, and about rows of any kind: one at a time; and none beside a change by the organization or the event's hosts.
    await Promise.all([
      lockKey(tx, "platform administration"),
      lockOrganization(organizationOf(mutation)),
      lockEvent(administeredEventOf(mutation)),
    ]);
  } else if (tool.event === undefined) await lockOrganization(caller.organizationId);
  else await lockEvent(String(input.event_id));
}

function contextOf<Services>(tx: Queryable, { tool, caller, input, baseUrl }: ToolChange<Services>): RunContext {
  return { tx, caller, baseUrl, event: eventOf(tool, input) };
}

/**
 * What `read` returns, if the organization hosts the event of the call at this moment. Both are sent at once; without the
 * event nothing that was read is used, whatever came of it.
 */
async function ifHosted<Result>(
  tx: Queryable,
  tool: RunnableTool,
  caller: ToolCaller,
  input: AnyInput,
  read: () => Promise<Result>,
): Promise<Result> {
  // Also after a refusal the statements of `read` end before the transaction does.
  const [hosted, result] = await Promise.allSettled([requireEvent(tx, tool, caller, input), read()]);
  settled(hosted);
  return settled(result);
}

/** The event of a call, if the organization hosts it in the role that the tool requires; undefined where none is declared. */
async function requireEvent(
  db: Queryable,
  tool: RunnableTool,
  caller: ToolCaller,
  input: AnyInput,
): Promise<CalledEvent | undefined> {
  if (tool.event === undefined || caller.tier === "super-admin") return undefined;
  return requireHosted(await getHosting(db, caller, String(input.event_id)), tool.event, eventAdvice);
}

function settled<Value>(outcome: PromiseSettledResult<Value>): Value {
  if (outcome.status === "rejected") throw outcome.reason;
  return outcome.value;
}
