import type { z } from "zod";
import type { Warning } from "../../contract/warnings.js";
import type { OrganizationCaller } from "../access/caller.js";
import type { CalledEvent } from "../access/hosting.js";
import type { Database } from "../infra/database/db.js";
import {
  type AnyInput,
  type CallEvent,
  type DeclaredTool,
  type EventRole,
  type EventTarget,
  type EventToolContext,
  type LocatedToolContext,
  type NamedTool,
  type PlatformToolContext,
  type ReadTool,
  type RunContext,
  type RunnableTool,
  type ToolCaller,
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

/** The context of `locate`, which comes first of all and refuses what the caller may not do. */
type LocateContext<Caller, Services> = { db: Database; caller: Caller; services: Services };

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
  /** The event of the call, for a tool whose arguments need not name it. */
  locate?(context: LocateContext<ToolCaller, Services>, input: AnyInput): Promise<EventTarget | undefined>;
  prepares: boolean;
  prepare(context: PrepareContext<RunContext, Services>, input: AnyInput): Promise<unknown>;
  read(context: RunContext, input: AnyInput, prepared: unknown, proposed?: ToolState): Promise<ToolState>;
  related(context: RunContext, input: AnyInput, prepared: unknown): Promise<unknown>;
  propose(current: ToolState, input: AnyInput, prepared: unknown): ToolState;
  basis(current: ToolState, input: AnyInput, related: unknown): unknown;
  warnings(proposal: Proposal<ToolState, AnyInput, unknown>, related: unknown): Warning[];
  store(context: StoreContext<RunContext, Services>, proposal: Proposal<ToolState, AnyInput, unknown>): Promise<void>;
  report(proposal: Proposal<ToolState, AnyInput, unknown>, event: CalledEvent | undefined): Record<string, unknown>;
  explain(related: unknown): Record<string, unknown>;
  madeEvent(prepared: unknown): string | null;
};

/** A change as the runner sees it. */
export type RunnableMutation<Services = never> = RunnableTool & ChangeFunctions<Services>;

export type MutationTool<Services = never> = DeclaredTool & ChangeFunctions<Services>;

/** `Services` is what the tool reaches besides the database; a tool that declares none runs with any. */
export type Tool<Services = never> = ReadTool | MutationTool<Services>;

/** A change that platform administrators make. It belongs to the organization and event that its input names. */
export type PlatformTool<Services = never> = RunnableMutation<Services> & { tier: "super-admin" };

type Mutation<Context, Input extends z.ZodObject, State extends ToolState, Prepared, Services, Related> = {
  input: Input;
  destructive: boolean;
  /** Work before the transaction, such as rendering an image; optional. */
  prepare?(context: PrepareContext<Context, Services>, input: z.output<Input>): Promise<Prepared>;
  /**
   * The state that the change is about, in the shape that previews and records show. After `store` it is called with what
   * was proposed, for tools whose change decides which rows a condition finds: they read the same rows again.
   */
  read(context: Context, input: z.output<Input>, prepared: Prepared, proposed?: State): Promise<State>;
  /**
   * Further rows that `basis` and `warnings` need, such as the other segments of a run of show. Optional; neither shown nor
   * recorded.
   */
  related?(context: Context, input: z.output<Input>, prepared: Prepared): Promise<Related>;
  /** What the state becomes, without I/O; a refusal is a ServiceError. New rows have `id: null`. */
  propose(current: State, input: z.output<Input>, prepared: Prepared): State;
  /**
   * What the version covers: the rows that the change writes, and what else changes its outcome. Not counters, nor what
   * `propose` refuses by itself, such as a full event. By default the whole state.
   */
  basis?(current: State, input: z.output<Input>, related: Related): unknown;
  /** What is allowed, and probably not intended. Warnings never refuse a change; optional. */
  warnings?(proposal: Proposal<State, z.output<Input>, Prepared>, related: Related): Warning[];
  /** Writes the proposed state. Afterwards `read` returns it with ids and timestamps filled in. */
  store(context: StoreContext<Context, Services>, proposal: Proposal<State, z.output<Input>, Prepared>): Promise<void>;
  /** Further fields of the result, such as a verdict for each item of a batch; optional. After a commit `proposed` is what was stored. */
  report?(
    proposal: Proposal<State, z.output<Input>, Prepared>,
    event: CalledEvent | undefined,
  ): Record<string, unknown>;
  /** Further fields of the preview alone, which are never recorded, such as the names of some guests; optional. */
  explain?(related: Related): Record<string, unknown>;
  /** The id of the event that the change makes, to which its record belongs; for tools that are about no other. Optional. */
  madeEvent?(prepared: Prepared): string;
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
  Related = undefined,
>(tool: ToolDeclaration & Mutation<ToolContext, Input, State, Prepared, Services, Related>): MutationTool<Services> {
  return { ...tool, ...untyped(tool) };
}

/** Declares a change for platform administrators. */
export function definePlatformMutation<
  Input extends z.ZodObject,
  State extends ToolState,
  Prepared = undefined,
  Services = unknown,
  Related = undefined,
>(tool: NamedTool & Mutation<PlatformToolContext, Input, State, Prepared, Services, Related>): PlatformTool<Services> {
  return { ...tool, ...untyped(tool), tier: "super-admin" };
}

/** Declares a change of one event. Its input gets `event_id`. */
export function defineEventMutation<
  Input extends z.ZodObject,
  State extends ToolState,
  Prepared = undefined,
  Services = unknown,
  Related = undefined,
>(
  tool: ToolDeclaration & Mutation<EventToolContext, Input, State, Prepared, Services, Related> & { event: EventRole },
): MutationTool<Services> {
  return { ...tool, ...untyped(tool), input: withEventId(tool.input) };
}

/**
 * Declares a change whose arguments need not name its event. `locate` finds it, if there is one, and what the organization must
 * be to it; then the tool runs as one about that event, with `event_id` among its arguments, which the input must accept.
 */
export function defineLocatedMutation<
  Input extends z.ZodObject,
  State extends ToolState,
  Prepared = undefined,
  Services = unknown,
  Related = undefined,
>(
  tool: ToolDeclaration &
    Mutation<LocatedToolContext, Input, State, Prepared, Services, Related> & {
      locate(
        context: LocateContext<OrganizationCaller, Services>,
        input: z.output<Input>,
      ): Promise<EventTarget | undefined>;
    },
): MutationTool<Services> {
  return {
    ...tool,
    ...untyped(tool),
    locate: (context, input) =>
      tool.locate(context as LocateContext<OrganizationCaller, Services>, input as z.output<Input>),
  };
}

/** The runner passes each function what `input` parsed and what `read` and `prepare` returned, so the casts hold. */
function untyped<Context, Input extends z.ZodObject, State extends ToolState, Prepared, Services, Related>(
  tool: Mutation<Context, Input, State, Prepared, Services, Related>,
): ChangeFunctions<Services> {
  type Own = z.output<Input>;
  return {
    kind: "mutation",
    destructive: tool.destructive,
    prepares: tool.prepare !== undefined,
    prepare: async (context, input) =>
      tool.prepare?.(context as unknown as PrepareContext<Context, Services>, input as Own),
    read: (context, input, prepared, proposed) =>
      tool.read(context as Context, input as Own, prepared as Prepared, proposed as State | undefined),
    related: async (context, input, prepared) => tool.related?.(context as Context, input as Own, prepared as Prepared),
    propose: (current, input, prepared) => tool.propose(current as State, input as Own, prepared as Prepared),
    basis: (current, input, related) =>
      tool.basis === undefined ? current : tool.basis(current as State, input as Own, related as Related),
    warnings: (proposal, related) =>
      tool.warnings?.(proposal as Proposal<State, Own, Prepared>, related as Related) ?? [],
    store: (context, proposal) =>
      tool.store(context as unknown as StoreContext<Context, Services>, proposal as Proposal<State, Own, Prepared>),
    report: (proposal, event) => tool.report?.(proposal as Proposal<State, Own, Prepared>, event) ?? {},
    explain: (related) => tool.explain?.(related as Related) ?? {},
    madeEvent: (prepared) => tool.madeEvent?.(prepared as Prepared) ?? null,
  };
}

/** One change on its way through preview or commit. */
export type ToolChange<Services> = {
  tool: RunnableMutation<Services>;
  caller: ToolCaller;
  /** The arguments without the commit arguments: what is hashed and recorded. */
  input: AnyInput;
  /** The same without `event_id`: what the tool's functions get. */
  own: AnyInput;
  baseUrl: string;
};

/** What `read` and `related` returned in one transaction. */
export type ReadState = { current: ToolState; related: unknown };

export function changeOf<Services>(
  call: Pick<ToolChange<Services>, "tool" | "caller" | "baseUrl">,
  input: AnyInput,
): ToolChange<Services> {
  return { ...call, input, own: withoutEventId(call.tool, input) };
}

/** The organization whose history a change belongs to. */
export function organizationOf<Services>({ caller, input }: ToolChange<Services>): string | null {
  if (caller.tier === "organization") return caller.organizationId;
  return typeof input.organization_id === "string" ? input.organization_id : null;
}

export function eventOf(tool: RunnableTool, input: AnyInput): CallEvent | undefined {
  return tool.event === undefined ? undefined : { id: String(input.event_id) };
}

export function withoutEventId(tool: RunnableTool, input: AnyInput): AnyInput {
  const { event_id: _, ...own } = input;
  return tool.event === undefined ? input : own;
}
