import { ServiceError } from "../../contract/errors.js";
import { type CalledEvent, getHosting, requireHosted } from "../access/hosting.js";
import type { Queryable } from "../infra/database/db.js";
import { eventAdvice } from "./known-ids.js";
import { inLocalTimes } from "./local-times.js";
import { eventOf, type ToolChange } from "./mutation.js";
import type { AnyInput, RunContext, RunnableTool, ToolCaller } from "./tool.js";

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
  // Also after a refusal the statements of `read` end before the transaction does.
  const [hosted, result] = await Promise.allSettled([requireEvent(tx, tool, caller, input), read()]);
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
  return requireHosted(await getHosting(db, caller, String(input.event_id)), tool.event, eventAdvice);
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
