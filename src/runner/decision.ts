import { changesBetween } from "../../contract/changes.js";
import { ServiceError } from "../../contract/errors.js";
import type { Warning } from "../../contract/warnings.js";
import { type CalledEvent, getHosting, requireHosted, requireNotCancelled } from "../access/hosting.js";
import type { Queryable } from "../infra/database/db.js";
import { type EarlierChange, inWords } from "./changed-since.js";
import { maximumCommitBytes, maximumReasonBytes, timedKey, versionOf, versionText } from "./commit-arguments.js";
import { eventAdvice } from "./known-ids.js";
import { inLocalTimes } from "./local-times.js";
import { eventOf, type ReadState, type ToolChange, type ToolState } from "./mutation.js";
import { shownStates } from "./shown-states.js";
import { type AnyInput, type RunContext, type RunnableTool, type ToolCaller, withoutImages } from "./tool.js";

export async function readState<Services>(
  context: RunContext,
  { tool, own }: ToolChange<Services>,
  prepared: unknown,
): Promise<ReadState> {
  const [current, related] = await Promise.all([
    tool.read(context, own, prepared),
    tool.related(context, own, prepared),
  ]);
  return { current, related };
}

/** What a preview needs besides the state: its event, if it is about one, and the arguments and reason as they were given. */
export type PreviewOptions = {
  prepared: unknown;
  event: CalledEvent | undefined;
  given: AnyInput;
  reason: string | undefined;
};

export function previewOf<Services>(
  state: ReadState,
  mutation: ToolChange<Services>,
  { prepared, event, given, reason }: PreviewOptions,
): Record<string, unknown> {
  const { tool, own } = mutation;
  const { proposed, isChange, warnings } = decide(state, mutation, prepared, event);
  const [current, after] = shownStates(state.current, proposed);
  const expected_version = versionText(versionOf(state, mutation, given));
  const commit_with = {
    ...given,
    dry_run: false,
    confirm: true,
    ...(reason === undefined ? {} : { reason }),
    idempotency_key: timedKey(),
    expected_version,
  };
  requireSendable(commit_with);
  return {
    dry_run: true,
    ...(event && { event: shownEvent(event) }),
    ...(isChange ? {} : { message: nothingToChange }),
    current,
    proposed: after,
    warnings,
    ...tool.report({ current: state.current, proposed, input: own, prepared }, event),
    ...tool.explain(state.related),
    expected_version,
    commit_with,
  };
}

/** So that a preview that was accepted can be committed, with any reason and in any encoding. */
function requireSendable(commit: AnyInput): void {
  const bytes = Buffer.byteLength(JSON.stringify(commit)) + (commit.reason === undefined ? maximumReasonBytes : 0);
  if (bytes <= maximumCommitBytes) return;
  throw new ServiceError(
    "too_large",
    `The arguments of the commit would have up to ${bytes} bytes, and ${maximumCommitBytes} are the maximum: change less at once`,
  );
}

export const nothingToChange = "Nothing to change: this is the current state.";

export function shownEvent({ id, name, timezone }: CalledEvent): Pick<CalledEvent, "id" | "name" | "timezone"> {
  return { id, name, timezone };
}

type Decision = { proposed: ToolState; isChange: boolean; warnings: Warning[] };

export function decide<Services>(
  { current, related }: ReadState,
  { tool, own: input }: ToolChange<Services>,
  prepared: unknown,
  event: CalledEvent | undefined,
): Decision {
  const proposed = tool.propose(current, input, prepared);
  const isChange = changesBetween(current, proposed).length > 0;
  const found = isChange ? tool.warnings({ current, proposed, input, prepared }, related) : [];
  const warnings = found.map((each) => ({ ...each, message: inLocalTimes(each.message, event?.timezone) }));
  return { proposed, isChange, warnings };
}

/** Why a commit is refused: what was changed since its preview, and by whom, as far as that is known. */
type Reason = { happened: string; since: EarlierChange[] };

export const unknownVersion: Reason = { happened: "expected_version is not one that a preview returned", since: [] };

export function whatHappened(since: EarlierChange[], event: CalledEvent | undefined): Reason {
  const named = since.map(inWords(event)).join(". ");
  return { happened: named === "" ? "The state has changed since the preview" : named, since };
}

/** A refusal that says why, with a complete new preview, or what makes the change impossible now. */
export function versionConflict<Services>(
  state: ReadState,
  mutation: ToolChange<Services>,
  options: PreviewOptions,
  reason: Reason,
): ServiceError {
  try {
    const preview = withoutImages(previewOf(state, mutation, options));
    return conflict(reason, "This is a new preview: if it is still right, commit with its commit_with", preview);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const [current] = shownStates(state.current, state.current);
    const expected_version = versionText(versionOf(state, mutation, options.given));
    return impossible(reason, error, options, { current, expected_version });
  }
}

/**
 * The same where the preview's state cannot be read any more, as of a row that somebody has removed. Without a change since the
 * preview, and for any other failure, the failure itself.
 */
export async function goneConflict(
  error: unknown,
  options: PreviewOptions,
  readSince: () => Promise<EarlierChange[]>,
): Promise<unknown> {
  // After a failed statement, the transaction takes no other.
  if (!(error instanceof ServiceError) || error.code !== "not_found") return error;
  const since = await readSince();
  return since.length === 0 ? error : impossible(whatHappened(since, options.event), error, options, {});
}

function impossible(
  reason: Reason,
  error: ServiceError,
  { event }: PreviewOptions,
  state: Record<string, unknown>,
): ServiceError {
  const details = { ...error.details, ...(event && { event: shownEvent(event) }), ...state };
  return conflict(reason, `The request is not possible now: ${error.message}`, details);
}

const nothingChanged = "Nothing was changed.";

function conflict({ happened, since }: Reason, next: string, details: Record<string, unknown>): ServiceError {
  const outcome = next.includes(nothingChanged) ? "" : ` ${nothingChanged}`;
  return new ServiceError("version_conflict", `${happened}.${outcome} ${next}`, {
    details: { ...details, ...(since.length === 0 ? {} : { changed_since: since }) },
  });
}

export function contextOf<Services>(tx: Queryable, { tool, caller, input, baseUrl }: ToolChange<Services>): RunContext {
  return { tx, caller, baseUrl, event: eventOf(tool, input) };
}

/**
 * What `read` returns, if the organization hosts the event of the call at this moment. Both queries are sent together; if
 * the organization does not host the event, the result or error of `read` is discarded.
 */
export async function ifHosted<Result>(
  tx: Queryable,
  tool: RunnableTool,
  caller: ToolCaller,
  input: AnyInput,
  read: () => Promise<Result>,
): Promise<{ event: CalledEvent | undefined; result: Result }> {
  // Also after a refusal the statements of `read` end before the transaction does. A `read` that throws at once, before it
  // returns a promise, must not leave the other one alone.
  const reading = async () => read();
  const [hosted, result] = await Promise.allSettled([requireEvent(tx, tool, caller, input), reading()]);
  const event = unwrap(hosted);
  return { event, result: await inZoneOf(event, async () => unwrap(result)) };
}

/** Refusals of a call about an event name times in the event's time zone. */
export async function inZoneOf<Result>(event: CalledEvent | undefined, run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof ServiceError) {
      error.message = inLocalTimes(error.message, event?.timezone);
      withZone(error.details, event?.timezone);
    }
    throw error;
  }
}

/** The event of a call, if the organization hosts it in the role that the tool requires; undefined where none is declared. */
export async function requireEvent(
  db: Queryable,
  tool: RunnableTool,
  caller: ToolCaller,
  input: AnyInput,
): Promise<CalledEvent | undefined> {
  if (tool.event === undefined || caller.tier === "super-admin") return undefined;
  const event = requireHosted(await getHosting(db, caller, String(input.event_id)), tool.event, eventAdvice);
  if (tool.kind === "mutation" && tool.event !== "host_or_cancelled") requireNotCancelled(event);
  return event;
}

export function unwrap<Value>(outcome: PromiseSettledResult<Value>): Value {
  if (outcome.status === "rejected") throw outcome.reason;
  return outcome.value;
}

/** The time zones of results and of details of errors. Kept apart from them, so that their JSON does not contain them. */
const zones = new WeakMap<object, string>();

export function withZone<Result extends object>(result: Result, timezone: string | undefined): Result {
  if (timezone !== undefined) zones.set(result, timezone);
  return result;
}

/** That of the event of the call. */
export function zoneOfResult(result: object): string | undefined {
  return zones.get(result);
}
