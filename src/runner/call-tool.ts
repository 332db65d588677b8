import type { z } from "zod";
import { ServiceError } from "../../contract/errors.js";
import { type Observation, observe } from "../infra/observability/observation.js";
import { parseArguments, requireCommitArguments } from "./commit-arguments.js";
import type { RunnableMutation } from "./mutation.js";
import { findOwnReplay, runTool, type ToolCall, type ToolDependencies } from "./run.js";
import type { AnyInput, ReadTool, ToolResult } from "./tool.js";
import { incompleteCommit, missingArguments } from "./version.js";

/** A call whose arguments are not parsed yet. */
type UnparsedCall<Services> = Omit<ToolCall<Services>, "given" | "parsed"> & { schema: z.ZodObject; args: unknown };

/** Parses the arguments, runs the tool, and notes how it ended: for MCP and for the console. */
export async function callTool<Services>(
  dependencies: ToolDependencies<Services>,
  { schema, args, ...call }: UnparsedCall<Services>,
  observation: Observation,
): Promise<ToolResult> {
  const { name } = call.tool;
  const startedAt = performance.now();
  const noteOutcome = (outcome: string) => {
    observation.tool = { name, outcome, ms: performance.now() - startedAt };
  };
  try {
    const parsed = parseCall(call.tool, schema, args);
    const result = await observe(observation, "tool", name, () =>
      runTool(dependencies, { ...call, given: (args ?? {}) as AnyInput, parsed }),
    );
    noteOutcome("ok");
    return result;
  } catch (error) {
    noteOutcome(error instanceof ServiceError ? error.code : "internal");
    throw error;
  }
}

function parseCall(tool: ReadTool | RunnableMutation, schema: z.ZodObject, args: unknown): AnyInput {
  try {
    return parseArguments(schema, args);
  } catch (error) {
    // A secret among the arguments is refused as such.
    const isInvalid = error instanceof ServiceError && error.details?.issues !== undefined;
    const missing = tool.kind === "mutation" && isInvalid ? missingArguments(tool, args as AnyInput) : [];
    if (missing.length === 0) throw error;
    requireCommitArguments(args as AnyInput, missing);
    throw incompleteCommit(`${missing.join(", ")} ${missing.length === 1 ? "is" : "are"} missing`);
  }
}

/** The result of the caller's own earlier commit, where the caller no longer has the tool; undefined for any other call. */
export async function replayTool<Services>(
  dependencies: ToolDependencies<Services>,
  { schema, args, ...call }: UnparsedCall<Services>,
): Promise<ToolResult | undefined> {
  try {
    return await findOwnReplay(dependencies, { ...call, parsed: parseArguments(schema, args) });
  } catch (error) {
    // What is wrong with a call of a tool that the caller does not have is not said.
    if (error instanceof ServiceError) return undefined;
    throw error;
  }
}
