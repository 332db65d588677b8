import { z } from "zod";
import { ServiceError } from "../../contract/errors.js";
import type { CalledEvent } from "../access/hosting.js";
import type { Database, Queryable } from "../infra/database/db.js";
import { type Observation, observe } from "../infra/observability/observation.js";
import {
  type Commit,
  incompleteCommit,
  inputSchemaOf,
  missingArguments,
  parseArguments,
  parseVersion,
  requestDifference,
  requireCommitArguments,
  splitArguments,
} from "./commit-arguments.js";
import { commitOnce, findReplay } from "./commit-once.js";
import {
  contextOf,
  ifHosted,
  inZoneOf,
  type PreviewOptions,
  previewOf,
  readState,
  requireEvent,
  unwrap,
  withZone,
} from "./decision.js";
import { changeOf, eventOf, type RunnableMutation, type ToolChange, withoutEventId } from "./mutation.js";
import type { AnyInput, EventTarget, ReadTool, RunnableTool, ToolCaller, ToolResult } from "./tool.js";

export type ToolDependencies<Services> = { db: Database; baseUrl: string; services: Services };

/** A call of a tool: the arguments as they were given, and parsed with its schema. */
type ToolCall<Services> = {
  /** The record of the first part, for a commit that is a further part of the same change. */
  partOf?: string | undefined;
  tool: ReadTool | RunnableMutation<Services>;
  caller: ToolCaller;
  given: AnyInput;
  parsed: AnyInput;
};

/** A call whose arguments are not parsed yet. */
type UnparsedCall<Services> = Omit<ToolCall<Services>, "given" | "parsed"> & { args: AnyInput };

/** Parses the arguments, runs the tool, and notes how it ended: for MCP and for the console. */
export async function callTool<Services>(
  dependencies: ToolDependencies<Services>,
  { tool, args, ...call }: UnparsedCall<Services>,
  observation: Observation,
): Promise<ToolResult> {
  const { name } = tool;
  const startedAt = performance.now();
  const noteOutcome = (outcome: string) => {
    observation.tool = { name, outcome, ms: performance.now() - startedAt };
  };
  try {
    const parsed = parseCall(tool, args);
    const result = await observe(observation, "tool", name, () =>
      runTool(dependencies, { ...call, tool: toolForCall(tool, args), given: args, parsed }),
    );
    noteOutcome("ok");
    return result;
  } catch (error) {
    noteOutcome(error instanceof ServiceError ? error.code : "internal");
    throw error;
  }
}

function parseCall(tool: ReadTool | RunnableMutation, args: AnyInput): AnyInput {
  try {
    return parseArguments(inputSchemaOf(tool), args);
  } catch (error) {
    // A secret among the arguments is refused as such.
    const isInvalid = error instanceof ServiceError && error.details?.issues !== undefined;
    const missing = tool.kind === "mutation" && isInvalid ? missingArguments(tool, args) : [];
    if (missing.length === 0) throw error;
    requireCommitArguments(args, missing);
    throw incompleteCommit(`${missing.join(", ")} ${missing.length === 1 ? "is" : "are"} missing`);
  }
}

/** The result of the caller's own earlier commit, where the caller no longer has the tool; undefined for any other call. */
export async function replayTool<Services>(
  dependencies: ToolDependencies<Services>,
  { args, ...call }: UnparsedCall<Services>,
): Promise<ToolResult | undefined> {
  try {
    return await findOwnReplay(dependencies, { ...call, parsed: parseArguments(inputSchemaOf(call.tool), args) });
  } catch (error) {
    // What is wrong with a call of a tool that the caller does not have is not said.
    if (error instanceof ServiceError) return undefined;
    throw error;
  }
}

/**
 * The tool as it runs with these arguments. One whose `event_id` is optional is about all events of the organization if a call
 * names none, and then there is no event to check.
 */
function toolForCall<Called extends RunnableTool>(tool: Called, args: AnyInput): Called {
  const isOptional = tool.event !== undefined && tool.input.shape.event_id instanceof z.ZodOptional;
  if (args.event_id !== undefined || !isOptional) return tool;
  const { event: _, ...withoutEvent } = tool;
  return withoutEvent as Called;
}

/** Runs a tool. Everything that all tools have in common happens here. */
export async function runTool<Services>(
  dependencies: ToolDependencies<Services>,
  call: ToolCall<Services>,
): Promise<ToolResult> {
  const { tool, caller, given, parsed } = call;
  const { db, baseUrl, services } = dependencies;
  if (tool.kind === "mutation" && tool.locate !== undefined) return runLocated(dependencies, call, tool.locate);
  if (tool.kind === "read") {
    const read = async (tx: Queryable) => {
      const context = { tx, caller, baseUrl, event: eventOf(tool, parsed) };
      const own = withoutEventId(tool, parsed);
      const { event, result } = await ifHosted(tx, tool, caller, parsed, () => tool.read(context, own));
      return withZone(result, event?.timezone);
    };
    return db.transaction(read, { mode: "read only" });
  }
  const { input, reason, commit } = splitArguments(parsed, missingArguments(tool, given));
  const mutation = changeOf({ tool, caller, baseUrl }, input);
  const prepare = () => tool.prepare({ db, services, caller, baseUrl, event: eventOf(tool, input) }, mutation.own);
  if (commit === undefined) {
    const event = await requireEvent(db, tool, caller, input);
    return inZoneOf(event, async () => preview(db, mutation, { prepared: await prepare(), event, given, reason }));
  }
  const version = parseVersion(commit.expectedVersion);
  const difference = version && requestDifference(version, mutation, given);
  if (difference !== undefined) return replayOrRefuse(db, mutation, commit, difference);
  const [replay, hosted] = await Promise.allSettled([
    // Work that a repeated commit can be spared; otherwise it is found in the transaction.
    tool.prepares ? findReplay(db, mutation, commit) : undefined,
    requireEvent(db, tool, caller, input),
  ]);
  const replayed = unwrap(replay);
  if (replayed !== undefined) return replayed;
  let prepared: unknown;
  let event: CalledEvent | undefined;
  try {
    event = unwrap(hosted);
    prepared = await prepare();
  } catch (error) {
    // The first run of this commit may have caused the refusal, such as a hand-over, after the look for its record.
    const late = await findReplay(db, mutation, commit);
    if (late === undefined) throw error;
    return late;
  }
  const options = { prepared, event, given, reason };
  return inZoneOf(event, () =>
    commitOnce(dependencies, mutation, options, { ...commit, version, partOf: call.partOf }),
  );
}

/** A commit whose arguments are not those of its preview: of an earlier commit, if its key was used, and refused otherwise. */
async function replayOrRefuse<Services>(
  db: Database,
  mutation: ToolChange<Services>,
  commit: Commit,
  difference: string,
): Promise<ToolResult> {
  const replay = await findReplay(db, mutation, commit);
  if (replay !== undefined) return replay;
  throw incompleteCommit(difference);
}

/** Runs a tool that finds its event itself as one about that event. */
async function runLocated<Services>(
  dependencies: ToolDependencies<Services>,
  call: ToolCall<Services>,
  locate: NonNullable<RunnableMutation<Services>["locate"]>,
): Promise<ToolResult> {
  const { caller, given, parsed, partOf } = call;
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
  if (target === undefined) return runTool(dependencies, { tool, caller, given, parsed, partOf });
  const { id: event_id, role } = target;
  return runTool(dependencies, {
    tool: { ...tool, event: role },
    caller,
    partOf,
    given: { ...given, event_id },
    parsed: { ...parsed, event_id },
  });
}

/**
 * The result of an earlier commit of the same person, for a repeated call of a tool that the caller no longer has: the
 * first run may have caused that.
 */
async function findOwnReplay<Services>(
  { db, baseUrl }: ToolDependencies<Services>,
  { tool, caller, parsed }: Omit<ToolCall<Services>, "given">,
): Promise<ToolResult | undefined> {
  if (tool.kind === "read") return undefined;
  const { input, commit } = splitArguments(parsed);
  return commit && findReplay(db, changeOf({ tool, caller, baseUrl }, input), commit, caller.userId);
}

/** Reads where the database itself refuses a change, and proposes. */
function preview<Services>(db: Database, mutation: ToolChange<Services>, options: PreviewOptions): Promise<ToolResult> {
  const { tool, caller, input } = mutation;
  return db.transaction(
    async (tx) => {
      const read = () => readState(contextOf(tx, mutation), mutation, options.prepared);
      const { result } = await ifHosted(tx, tool, caller, input, read);
      return previewOf(result, mutation, options);
    },
    { mode: "read only" },
  );
}
