import type { z } from "zod";
import type { Database } from "../platform/database/db.js";
import {
  type AnyInput,
  type DeclaredTool,
  type EventRole,
  type EventToolContext,
  type NamedTool,
  type PlatformToolContext,
  type ReadTool,
  type RunContext,
  type RunnableTool,
  type ToolContext,
  type ToolDeclaration,
  withEventId,
} from "./tool.js";

/** A state is plain JSON: what a decision depends on, and what it becomes. */
export type ToolState = Record<string, unknown>;

/**
 * The context of `prepare`, before the transaction: `db` only reads, and `read` reads again under the lock. Services are
 * available here and nowhere else, so that no transaction waits for one.
 */
export type PrepareContext<Context, Services> = Omit<Context, "tx"> & { db: Database; services: Services };

export type Proposal<State, Input, Prepared> = { current: State; proposed: State; input: Input; prepared: Prepared };

/** Adds fields to the result of this commit that are never recorded, such as a new key: a repeated commit lacks them. */
export type Reveal = { reveal(fields: Record<string, unknown>): void };

/**
 * Work for after the commit, done once, such as sending a mail. It must not throw, because the change is made; the fields
 * that it returns are added to the result and not recorded.
 */
export type AfterCommit<Services> = { afterCommit(work: CommittedWork<Services>): void };

export type CommittedWork<Services> = (services: Services) => Promise<Record<string, unknown>>;

/** The context of `store`. */
type StoreContext<Context, Services> = Context & Reveal & AfterCommit<Services>;

type ChangeFunctions<Services> = {
  kind: "mutation";
  /** Whether a commit can overwrite or remove data; false when it only adds, or toggles a state. */
  destructive: boolean;
  /** Whether `prepare` fetches from addresses outside the service. */
  openWorld: boolean;
  prepare(context: PrepareContext<RunContext, Services>, input: AnyInput): Promise<unknown>;
  read(context: RunContext, input: AnyInput, prepared: unknown): Promise<ToolState>;
  propose(current: ToolState, input: AnyInput, prepared: unknown): ToolState;
  store(context: StoreContext<RunContext, Services>, proposal: Proposal<ToolState, AnyInput, unknown>): Promise<void>;
  report(current: ToolState, proposed: ToolState, input: AnyInput, prepared: unknown): Record<string, unknown>;
};

/** A change as the runner sees it. */
export type RunnableMutation<Services = never> = RunnableTool & ChangeFunctions<Services>;

export type MutationTool<Services = never> = DeclaredTool & ChangeFunctions<Services>;

/** `Services` is what the tool reaches beside the database; a tool that declares none runs with any. */
export type Tool<Services = never> = ReadTool | MutationTool<Services>;

/** A change that platform administrators make. It belongs to the organization and event that its input names. */
export type PlatformTool<Services = never> = RunnableMutation<Services> & { tier: "super-admin" };

type Mutation<Context, Input extends z.ZodObject, State extends ToolState, Prepared, Services> = {
  input: Input;
  destructive: boolean;
  openWorld?: boolean;
  /** Work before the transaction, such as rendering an image; optional. */
  prepare?(context: PrepareContext<Context, Services>, input: z.output<Input>): Promise<Prepared>;
  /** The state that the decision depends on, and nothing else, in the shape that previews show. */
  read(context: Context, input: z.output<Input>, prepared: Prepared): Promise<State>;
  /** What the state becomes, without I/O; a refusal is a ServiceError. New rows have `id: null`. */
  propose(current: State, input: z.output<Input>, prepared: Prepared): State;
  /** Writes the proposed state. Afterwards `read` returns it with ids and timestamps filled in. */
  store(context: StoreContext<Context, Services>, proposal: Proposal<State, z.output<Input>, Prepared>): Promise<void>;
  /** Further fields of the result, such as a verdict for each item of a batch; optional. */
  report?(current: State, proposed: State, input: z.output<Input>, prepared: Prepared): Record<string, unknown>;
};

/**
 * Declares a change. The runner adds the commit arguments (dry_run, confirm, reason, idempotency_key, expected_version)
 * and implements the contract of previews and commits.
 */
export function defineMutation<
  Input extends z.ZodObject,
  State extends ToolState,
  Prepared = undefined,
  Services = unknown,
>(tool: ToolDeclaration & Mutation<ToolContext, Input, State, Prepared, Services>): MutationTool<Services> {
  return { ...tool, ...untyped(tool) };
}

/** Declares a change for platform administrators. */
export function definePlatformMutation<
  Input extends z.ZodObject,
  State extends ToolState,
  Prepared = undefined,
  Services = unknown,
>(tool: NamedTool & Mutation<PlatformToolContext, Input, State, Prepared, Services>): PlatformTool<Services> {
  return { ...tool, ...untyped(tool), tier: "super-admin" };
}

/** Declares a change of one event. Its input gets `event_id`. */
export function defineEventMutation<
  Input extends z.ZodObject,
  State extends ToolState,
  Prepared = undefined,
  Services = unknown,
>(
  tool: ToolDeclaration & Mutation<EventToolContext, Input, State, Prepared, Services> & { event: EventRole },
): MutationTool<Services> {
  return { ...tool, ...untyped(tool), input: withEventId(tool.input) };
}

/** The runner passes each function what `input` parsed and what `read` and `prepare` returned, so the casts hold. */
function untyped<Context, Input extends z.ZodObject, State extends ToolState, Prepared, Services>(
  tool: Mutation<Context, Input, State, Prepared, Services>,
): ChangeFunctions<Services> {
  type Own = z.output<Input>;
  return {
    kind: "mutation",
    destructive: tool.destructive,
    openWorld: tool.openWorld ?? false,
    prepare: async (context, input) =>
      tool.prepare?.(context as unknown as PrepareContext<Context, Services>, input as Own),
    read: (context, input, prepared) => tool.read(context as Context, input as Own, prepared as Prepared),
    propose: (current, input, prepared) => tool.propose(current as State, input as Own, prepared as Prepared),
    store: (context, proposal) =>
      tool.store(context as unknown as StoreContext<Context, Services>, proposal as Proposal<State, Own, Prepared>),
    report: (current, proposed, input, prepared) =>
      tool.report?.(current as State, proposed as State, input as Own, prepared as Prepared) ?? {},
  };
}
