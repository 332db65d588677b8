import type { CalledEvent } from "../access/hosting.js";
import type { Database, Queryable } from "../infra/database/db.js";
import { type Commit, splitArguments } from "./commit-arguments.js";
import { commitOnce } from "./commit-once.js";
import { type PreviewOptions, previewOf, readState } from "./decision.js";
import { contextOf, ifHosted, inZoneOf, requireEvent, unwrap } from "./event-of-call.js";
import type { RunnableMutation } from "./mutation.js";
import { findReplay } from "./replay.js";
import { withZone } from "./result-zone.js";
import type { AnyInput, EventTarget, ReadTool, ToolCaller, ToolResult } from "./tool.js";
import { changeOf, eventOf, type ToolChange, withoutEventId } from "./tool-change.js";
import { incompleteCommit, missingArguments, parseVersion, requestDifference } from "./version.js";

export type ToolDependencies<Services> = { db: Database; baseUrl: string; services: Services };

/** A call of a tool: the arguments as they were given, and parsed with its schema. */
export type ToolCall<Services> = {
  tool: ReadTool | RunnableMutation<Services>;
  caller: ToolCaller;
  given: AnyInput;
  parsed: AnyInput;
};

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
  return inZoneOf(event, () => commitOnce(dependencies, mutation, options, { ...commit, version }));
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
  const { caller, given, parsed } = call;
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
  if (target === undefined) return runTool(dependencies, { tool, caller, given, parsed });
  const { id: event_id, role } = target;
  return runTool(dependencies, {
    tool: { ...tool, event: role },
    caller,
    given: { ...given, event_id },
    parsed: { ...parsed, event_id },
  });
}

/**
 * The result of an earlier commit of the same person, for a repeated call of a tool that the caller no longer has: the
 * first run may have caused that.
 */
export async function findOwnReplay<Services>(
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
