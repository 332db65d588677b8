import { randomUUID } from "node:crypto";
import sql from "sql-template-tag";
import { getHosting, type HostedEvent, type Hosting, requireHosted } from "../access/hosting.js";
import type { Database, Queryable } from "../platform/database/db.js";
import { ServiceError } from "../platform/errors.js";
import { hashOfJson } from "./canonical-json.js";
import { type Change, changesBetween } from "./changes.js";
import { type Commit, splitArguments } from "./commit-arguments.js";
import type { CommittedWork, RunnableMutation, ToolState } from "./mutation.js";
import { recordedChange } from "./recorded-change.js";
import type { AnyInput, ReadTool, RunContext, RunnableTool, ToolCaller } from "./tool.js";

export type ToolDependencies<Services> = { db: Database; baseUrl: string; services: Services };

export type ToolResult = Record<string, unknown>;

/** A call of a tool whose arguments were parsed with its schema. */
export type ToolCall<Services> = {
  tool: ReadTool | RunnableMutation<Services>;
  caller: ToolCaller;
  parsed: AnyInput;
  /** What the organization hosts, where the caller has just looked it up. */
  hosting?: Hosting;
};

/** Runs a tool. Everything that all tools have in common happens here. */
export async function runTool<Services>(
  dependencies: ToolDependencies<Services>,
  call: ToolCall<Services>,
): Promise<ToolResult> {
  const { tool, caller, parsed } = call;
  const { db, baseUrl, services } = dependencies;
  if (tool.kind === "read") {
    const read = async (tx: Queryable) =>
      tool.read(
        { tx, caller, baseUrl, event: await loadEvent(tx, tool, caller, parsed) },
        withoutEventId(tool, parsed),
      );
    return db.transaction(read, { mode: "read only" });
  }
  const { input, commit } = splitArguments(parsed);
  const mutation: Mutation<Services> = { tool, caller, input, own: withoutEventId(tool, input), baseUrl };
  const replay = commit && (await findReplay(db, mutation, commit));
  if (replay !== undefined) return replay;
  const event = await loadEvent(db, tool, caller, input, call.hosting);
  const prepared = await tool.prepare({ db, services, caller, baseUrl, event }, mutation.own);
  return commit === undefined ? preview(db, mutation, prepared) : commitOnce(dependencies, mutation, prepared, commit);
}

/** One change on its way through preview or commit. */
type Mutation<Services> = {
  tool: RunnableMutation<Services>;
  caller: ToolCaller;
  /** The arguments without the commit arguments: what is hashed and recorded. */
  input: AnyInput;
  /** The same without `event_id`: what the tool's functions get. */
  own: AnyInput;
  baseUrl: string;
};

/** Reads and proposes in a READ ONLY transaction, in which the database itself refuses a write. */
function preview<Services>(db: Database, mutation: Mutation<Services>, prepared: unknown): Promise<ToolResult> {
  const { tool, input, own } = mutation;
  return db.transaction(
    async (tx) => {
      const context = await contextOf(tx, mutation);
      const { current, proposed, changes, version } = await decide(context, mutation, prepared);
      return {
        dry_run: true,
        ...(changes.length === 0 ? { message: nothingToChange } : {}),
        current,
        proposed,
        changes,
        ...tool.report(current, proposed, own, prepared),
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

const nothingToChange = "Nothing to change: this is the current state.";

/** One transaction: claim the idempotency key, lock the owner of the state, decide again, compare, store, record. */
async function commitOnce<Services>(
  { db, services }: ToolDependencies<Services>,
  mutation: Mutation<Services>,
  prepared: unknown,
  commit: Commit,
): Promise<ToolResult> {
  const { tool, caller, input, own } = mutation;
  let revealed: ToolResult = {};
  let work: CommittedWork<Services> | undefined;
  const { result, recordId } = await recordedChange(db, caller, async (tx) => {
    // A second commit with the same key waits here until the first has committed, and then finds its record.
    await tx.query(
      sql`select pg_advisory_xact_lock(hashtextextended(${`${organizationOf(mutation)} ${commit.idempotencyKey}`}, 0))`,
    );
    const replay = await findReplay(tx, mutation, commit);
    if (replay !== undefined) return { result: replay, record: null };
    await lockOwner(tx, mutation);
    const context = await contextOf(tx, mutation);
    const { current, proposed, changes } = await decide(context, mutation, prepared, commit.expectedVersion);
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
    const after = await tool.read(context, own, prepared);
    const result: ToolResult = {
      dry_run: false,
      ...(changes.length === 0 ? { message: nothingToChange } : {}),
      ...tool.report(current, after, own, prepared),
    };
    const record = {
      tool: tool.name,
      organization_id: organizationOf(mutation),
      event_id: context.event?.id ?? eventOf(mutation),
      reason: commit.reason,
      idempotency_key: commit.idempotencyKey,
      request: input,
      request_hash: requestHash(mutation, commit),
      before: current,
      after,
      result,
    };
    return { result: { ...result, after }, record };
  });
  if (recordId === null) return result;
  return { ...result, record_id: recordId, ...revealed, ...(await work?.(services)) };
}

/** The organization whose history a change belongs to. */
function organizationOf<Services>({ caller, input }: Mutation<Services>): string | null {
  if (caller.tier === "organization") return caller.organizationId;
  return typeof input.organization_id === "string" ? input.organization_id : null;
}

/** The event that a change by a platform administrator names; tools of organizations declare theirs. */
function eventOf<Services>({ caller, input }: Mutation<Services>): string | null {
  return caller.tier === "super-admin" && typeof input.event_id === "string" ? input.event_id : null;
}

/** Half of a SHA-256 in hex: collisions are as unlikely as for a uuid, and it is shorter to send. */
const versionLength = 32;

type Decision = { current: ToolState; proposed: ToolState; changes: Change[]; version: string };

async function decide<Services>(
  context: RunContext,
  { tool, input, own }: Mutation<Services>,
  prepared: unknown,
  expectedVersion?: string,
): Promise<Decision> {
  const current = await tool.read(context, own, prepared);
  const version = hashOfJson({ tool: tool.name, input, current }).slice(0, versionLength);
  if (expectedVersion !== undefined && version !== expectedVersion) throw versionConflict(current, version);
  const proposed = tool.propose(current, own, prepared);
  return { current, proposed, changes: changesBetween(current, proposed), version };
}

function versionConflict(current: ToolState, version: string): ServiceError {
  return new ServiceError(
    "version_conflict",
    "The state has changed since the preview, or the request differs from the previewed one. Nothing was changed. Look at `current`, and commit with the new expected_version if the change is still right",
    { details: { current, expected_version: version } },
  );
}

/** The result of an earlier commit with the same key and request; a changed request under a used key is refused. */
async function findReplay<Services>(
  db: Queryable,
  mutation: Mutation<Services>,
  commit: Commit,
): Promise<ToolResult | undefined> {
  const organizationId = organizationOf(mutation);
  const owner = organizationId === null ? sql`organization_id is null` : sql`organization_id = ${organizationId}`;
  const [record] = await db.query<{ id: string; request_hash: string; after: ToolState; result: ToolResult }>(sql`
    select id, request_hash, after, result from mutation_records
    where ${owner} and idempotency_key = ${commit.idempotencyKey}`);
  if (record === undefined) return undefined;
  if (record.request_hash !== requestHash(mutation, commit)) {
    throw new ServiceError(
      "idempotency_conflict",
      "This idempotency_key was used for another request. Nothing was changed. Use a new key for a new change",
    );
  }
  return { ...record.result, after: record.after, record_id: record.id, replayed: true };
}

function requestHash<Services>({ tool, input }: Mutation<Services>, commit: Commit): string {
  return hashOfJson({ tool: tool.name, input, reason: commit.reason, expected_version: commit.expectedVersion });
}

/** Under READ COMMITTED two commits from the same state would both succeed: the row that owns the state is locked first. */
async function lockOwner<Services>(tx: Queryable, mutation: Mutation<Services>): Promise<void> {
  const { tool, caller, input } = mutation;
  if (caller.tier === "super-admin") {
    // Rare, and about rows of any kind: one at a time; and none beside a change by the organization or the event's hosts.
    await tx.query(sql`select pg_advisory_xact_lock(hashtextextended('platform administration', 0))`);
    await tx.query(sql`select from organizations where id = ${organizationOf(mutation)} for no key update`);
    await tx.query(sql`select from events where id = ${eventOf(mutation)} for no key update`);
    return;
  }
  await tx.query(
    tool.event === undefined
      ? sql`select from organizations where id = ${caller.organizationId} for no key update`
      : sql`select from events where id = ${input.event_id} for no key update`,
  );
}

async function contextOf<Services>(
  tx: Queryable,
  { tool, caller, input, baseUrl }: Mutation<Services>,
): Promise<RunContext> {
  return { tx, caller, baseUrl, event: await loadEvent(tx, tool, caller, input) };
}

/** The event that the call is about, if the organization hosts it at this moment; undefined for tools without one. */
async function loadEvent(
  db: Queryable,
  tool: RunnableTool,
  caller: ToolCaller,
  input: AnyInput,
  hosting?: Hosting,
): Promise<HostedEvent | undefined> {
  if (tool.event === undefined || caller.tier === "super-admin") return undefined;
  return requireHosted(hosting ?? (await getHosting(db, caller, String(input.event_id))), tool.event);
}

function withoutEventId(tool: RunnableTool, input: AnyInput): AnyInput {
  const { event_id: _, ...own } = input;
  return tool.event === undefined ? input : own;
}
