import { randomUUID } from "node:crypto";
import sql from "sql-template-tag";
import type { OrganizationCaller } from "../access/caller.js";
import { getHostedEvent } from "../access/hosting.js";
import type { Database, Queryable } from "../platform/db.js";
import { sqlState } from "../platform/db.js";
import { ServiceError } from "../platform/errors.js";
import { hashOfJson } from "./canonical-json.js";
import { type Change, changesBetween } from "./changes.js";
import { type Commit, openEnvelope } from "./envelope.js";
import type { MutationTool, State } from "./mutation.js";
import { recordMutation } from "./record.js";
import type { ToolServices } from "./services.js";
import type { EventAccess, ReadTool, ToolContext } from "./tool.js";

export type ToolRunner = { db: Database; baseUrl: string; services: ToolServices };

export type ToolResult = Record<string, unknown>;

/** Runs a tool whose arguments were parsed with its schema. Everything that all tools promise happens here. */
export async function runTool(
  runner: ToolRunner,
  tool: ReadTool | MutationTool,
  caller: OrganizationCaller,
  parsed: State,
): Promise<ToolResult> {
  if (tool.kind === "read") {
    return runner.db.transaction(async (tx) => tool.read(await enterEvent(runner, tx, tool, caller, parsed), parsed), {
      mode: "read only",
    });
  }
  const { input, commit } = openEnvelope(parsed);
  const earlier = commit && (await findReplay(runner.db, tool, caller, input, commit));
  if (earlier !== undefined) return earlier;
  const { event } = await enterEvent(runner, runner.db, tool, caller, input);
  const prepared = await tool.prepare({ ...runner, caller, event }, input);
  return commit === undefined
    ? preview(runner, tool, caller, input, prepared)
    : retried(() => commitOnce(runner, tool, caller, input, prepared, commit));
}

/** Reads and proposes where the database itself refuses a write. */
function preview(
  runner: ToolRunner,
  tool: MutationTool,
  caller: OrganizationCaller,
  input: State,
  prepared: unknown,
): Promise<ToolResult> {
  return runner.db.transaction(
    async (tx) => {
      const context = await enterEvent(runner, tx, tool, caller, input);
      const { current, proposed, changes, version } = await decide(context, tool, input, prepared);
      return {
        dry_run: true,
        ...(changes.length === 0 ? { message: nothingToChange } : {}),
        current,
        proposed,
        changes,
        ...tool.report(current, proposed, input, prepared),
        commit_with: {
          ...input,
          dry_run: false,
          confirm: true,
          idempotency_key: randomUUID(),
          expected_version: version,
        },
      };
    },
    { mode: "read only" },
  );
}

const nothingToChange = "Nothing to change: this is the state already.";

/** One transaction: claim the idempotency key, lock the owner of the state, decide again, compare, store, record. */
function commitOnce(
  runner: ToolRunner,
  tool: MutationTool,
  caller: OrganizationCaller,
  input: State,
  prepared: unknown,
  commit: Commit,
): Promise<ToolResult> {
  return runner.db.transaction(async (tx) => {
    // Whoever comes second with the same key waits here until the first has committed, and finds its record.
    await tx.query(
      sql`select pg_advisory_xact_lock(hashtextextended(${`${caller.organizationId} ${commit.idempotencyKey}`}, 0))`,
    );
    const earlier = await findReplay(tx, tool, caller, input, commit);
    if (earlier !== undefined) return earlier;
    await lockOwner(tx, tool, caller, input);
    const context = await enterEvent(runner, tx, tool, caller, input);
    const { current, proposed, changes } = await decide(context, tool, input, prepared, commit.expectedVersion);
    if (changes.length > 0) await tool.store(context, { current, proposed, input, prepared });
    const after = await tool.read(context, input, prepared);
    const result = {
      dry_run: false,
      ...(changes.length === 0 ? { message: nothingToChange } : {}),
      after,
      ...tool.report(current, after, input, prepared),
    };
    const recordId = await recordMutation(tx, caller, {
      tool: tool.name,
      event_id: context.event?.id ?? null,
      reason: commit.reason,
      idempotency_key: commit.idempotencyKey,
      request: input,
      request_hash: requestHash(tool, input, commit),
      before: current,
      after,
      result,
    });
    return { ...result, record_id: recordId };
  });
}

/** Half of a SHA-256 in hex: as hard to hit by chance as a uuid, and shorter to carry. */
const versionLength = 32;

type Decision = { current: State; proposed: State; changes: Change[]; version: string };

async function decide(
  context: ToolContext,
  tool: MutationTool,
  input: State,
  prepared: unknown,
  expectedVersion?: string,
): Promise<Decision> {
  const current = await tool.read(context, input, prepared);
  const version = hashOfJson({ tool: tool.name, input, current }).slice(0, versionLength);
  if (expectedVersion !== undefined && version !== expectedVersion) throw versionConflict(current, version);
  const proposed = tool.propose(current, input, prepared);
  return { current, proposed, changes: changesBetween(current, proposed), version };
}

function versionConflict(current: State, version: string): ServiceError {
  return new ServiceError(
    "version_conflict",
    "The state has changed since the preview, or the request differs from the previewed one. Nothing was changed. Look at `current`, and commit with the new expected_version if the change is still right",
    { details: { current, expected_version: version } },
  );
}

/** The earlier result of the same key and request; a changed request under a used key is refused. */
async function findReplay(
  db: Queryable,
  tool: MutationTool,
  caller: OrganizationCaller,
  input: State,
  commit: Commit,
): Promise<ToolResult | undefined> {
  const [record] = await db.query<{ id: string; request_hash: string; result: ToolResult }>(sql`
    select id, request_hash, result from mutation_records
    where organization_id = ${caller.organizationId} and idempotency_key = ${commit.idempotencyKey}`);
  if (record === undefined) return undefined;
  if (record.request_hash !== requestHash(tool, input, commit)) {
    throw new ServiceError(
      "idempotency_conflict",
      "This idempotency_key was used for another request. Nothing was changed. Take a new key for a new change",
    );
  }
  return { ...record.result, record_id: record.id, replayed: true };
}

function requestHash(tool: MutationTool, input: State, commit: Commit): string {
  return hashOfJson({ tool: tool.name, input, reason: commit.reason, expected_version: commit.expectedVersion });
}

/** Under READ COMMITTED two commits from the same state would both win: the row that owns the state is locked first. */
async function lockOwner(tx: Queryable, tool: MutationTool, caller: OrganizationCaller, input: State): Promise<void> {
  await tx.query(
    tool.event === undefined
      ? sql`select from organizations where id = ${caller.organizationId} for no key update`
      : sql`select from events where id = ${input.event_id} for no key update`,
  );
}

/** The context of a tool. For an event tool the event is looked up anew: hosts may have changed since the last call. */
async function enterEvent(
  runner: ToolRunner,
  tx: Queryable,
  tool: ReadTool | MutationTool,
  caller: OrganizationCaller,
  input: State,
): Promise<ToolContext> {
  const event: EventAccess | undefined =
    tool.event === undefined ? undefined : await getHostedEvent(tx, caller, String(input.event_id), tool.event);
  return { tx, caller, baseUrl: runner.baseUrl, event };
}

const attempts = 3;

/** A deadlock or a serialization failure is nobody's mistake: the transaction is run again. */
async function retried<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      const state = sqlState(error);
      if ((state !== "40001" && state !== "40P01") || attempt === attempts) throw error;
    }
  }
}
