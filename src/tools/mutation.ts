import type { z } from "zod";
import type { Database } from "../platform/database/db.js";
import {
  type AnyInput,
  type DeclaredTool,
  type EventRole,
  type EventToolContext,
  type ReadTool,
  type RunContext,
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

export type MutationTool<Services = never> = DeclaredTool & {
  kind: "mutation";
  /** Whether a commit can overwrite or remove data; false when it only adds, or toggles a state. */
  destructive: boolean;
  /** Whether `prepare` fetches from addresses outside the service. */
  openWorld: boolean;
  prepare(context: PrepareContext<RunContext, Services>, input: AnyInput): Promise<unknown>;
  read(context: RunContext, input: AnyInput, prepared: unknown): Promise<ToolState>;
  propose(current: ToolState, input: AnyInput, prepared: unknown): ToolState;
  store(context: RunContext, proposal: Proposal<ToolState, AnyInput, unknown>): Promise<void>;
  report(current: ToolState, proposed: ToolState, input: AnyInput, prepared: unknown): Record<string, unknown>;
};

/** `Services` is what the tool reaches beside the database; a tool that declares none runs with any. */
export type Tool<Services = never> = ReadTool | MutationTool<Services>;

type Mutation<Context, Input extends z.ZodObject, State extends ToolState, Prepared, Services> = ToolDeclaration & {
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
  store(context: Context, proposal: Proposal<State, z.output<Input>, Prepared>): Promise<void>;
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
>(tool: Mutation<ToolContext, Input, State, Prepared, Services>): MutationTool<Services> {
  return { ...untyped(tool), input: tool.input };
}

/** Declares a change of one event. Its input gets `event_id`. */
export function defineEventMutation<
  Input extends z.ZodObject,
  State extends ToolState,
  Prepared = undefined,
  Services = unknown,
>(tool: Mutation<EventToolContext, Input, State, Prepared, Services> & { event: EventRole }): MutationTool<Services> {
  return { ...untyped(tool), event: tool.event, input: withEventId(tool.input) };
}

/** The runner passes each function what `input` parsed and what `read` and `prepare` returned, so the casts hold. */
function untyped<Context, Input extends z.ZodObject, State extends ToolState, Prepared, Services>(
  tool: Mutation<Context, Input, State, Prepared, Services>,
): Omit<MutationTool<Services>, "input" | "event"> {
  type Own = z.output<Input>;
  return {
    ...tool,
    kind: "mutation",
    openWorld: tool.openWorld ?? false,
    prepare: async (context, input) =>
      tool.prepare?.(context as unknown as PrepareContext<Context, Services>, input as Own),
    read: (context, input, prepared) => tool.read(context as Context, input as Own, prepared as Prepared),
    propose: (current, input, prepared) => tool.propose(current as State, input as Own, prepared as Prepared),
    store: (context, proposal) => tool.store(context as Context, proposal as Proposal<State, Own, Prepared>),
    report: (current, proposed, input, prepared) =>
      tool.report?.(current as State, proposed as State, input as Own, prepared as Prepared) ?? {},
  };
}
