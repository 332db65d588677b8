import type { z } from "zod";
import type { Database } from "../platform/db.js";
import type { ToolServices } from "./services.js";
import type { ToolContext, ToolDeclaration } from "./tool.js";

/**
 * Before the transaction there is no lock yet: `db` only reads, and `read` looks again under the lock. Services are given
 * here and nowhere else: no transaction ever waits for one.
 */
export type PrepareContext = Omit<ToolContext, "tx"> & { db: Database; services: ToolServices };

/** A state is plain JSON: what the decision rests on, and what it becomes. */
export type State = Record<string, unknown>;

export type MutationTool = ToolDeclaration<z.ZodObject> & {
  kind: "mutation";
  /** True when a commit can overwrite or take away what was there; false when it only adds, or moves a state back and forth. */
  destructive: boolean;
  /** True when `prepare` fetches from addresses outside the service. */
  reachesOut?: boolean;
  prepare(context: PrepareContext, input: State): Promise<unknown>;
  read(context: ToolContext, input: State, prepared: unknown): Promise<State>;
  propose(current: State, input: State, prepared: unknown): State;
  store(
    context: ToolContext,
    change: { current: State; proposed: State; input: State; prepared: unknown },
  ): Promise<void>;
  report(current: State, proposed: State, input: State, prepared: unknown): Record<string, unknown>;
};

/**
 * Declares a change. The runner adds the envelope (dry_run, confirm, reason, idempotency_key, expected_version) and keeps
 * the contract; the tool only says
 * - `read`: the state that the decision rests on, and nothing more, in the shape that previews show;
 * - `propose`: what it becomes, without I/O; a refusal is a ServiceError. New rows have `id: null` here;
 * - `store`: how to write the proposed state. After it, `read` gives the proposed state with ids and times filled in;
 * - `prepare`: work outside the database, such as drawing an image, done before the transaction; optional;
 * - `report`: further fields for the answer, such as a verdict for each item of a batch; optional.
 */
export function defineMutation<Input extends z.ZodObject, Current extends State, Prepared = undefined>(
  tool: ToolDeclaration<Input> & {
    destructive: boolean;
    reachesOut?: boolean;
    prepare?(context: PrepareContext, input: z.output<Input>): Promise<Prepared>;
    read(context: ToolContext, input: z.output<Input>, prepared: Prepared): Promise<Current>;
    propose(current: Current, input: z.output<Input>, prepared: Prepared): Current;
    store(
      context: ToolContext,
      change: { current: Current; proposed: Current; input: z.output<Input>; prepared: Prepared },
    ): Promise<void>;
    report?(current: Current, proposed: Current, input: z.output<Input>, prepared: Prepared): Record<string, unknown>;
  },
): MutationTool {
  // The runner hands every function what `input` parsed and what `read` and `prepare` returned: the casts hold.
  return {
    ...tool,
    kind: "mutation",
    prepare: async (context, input) => tool.prepare?.(context, input as z.output<Input>),
    read: (context, input, prepared) => tool.read(context, input as z.output<Input>, prepared as Prepared),
    propose: (current, input, prepared) =>
      tool.propose(current as Current, input as z.output<Input>, prepared as Prepared),
    store: (context, { current, proposed, input, prepared }) =>
      tool.store(context, {
        current: current as Current,
        proposed: proposed as Current,
        input: input as z.output<Input>,
        prepared: prepared as Prepared,
      }),
    report: (current, proposed, input, prepared) =>
      tool.report?.(current as Current, proposed as Current, input as z.output<Input>, prepared as Prepared) ?? {},
  };
}
