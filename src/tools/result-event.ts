import type { CalledEvent } from "../access/hosting.js";

/** The key of the event that a change is about. A symbol, so that it is neither part of the JSON of the result nor recorded. */
const resultEvent = Symbol("event of a result");

export function withEvent<Result extends object>(result: Result, event: CalledEvent | undefined): Result {
  return event === undefined ? result : Object.assign(result, { [resultEvent]: event });
}

/** The event as it was when the call was checked. */
export function eventOfResult(result: object): CalledEvent | undefined {
  return resultEvent in result ? (result[resultEvent] as CalledEvent) : undefined;
}
