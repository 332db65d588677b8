/** The time zones in which results and details of errors are read, kept outside of them so that they are no part of their JSON. */
const zones = new WeakMap<object, string>();

export function withZone<Result extends object>(result: Result, timezone: string | undefined): Result {
  if (timezone !== undefined) zones.set(result, timezone);
  return result;
}

/** That of the event of the call. */
export function zoneOfResult(result: object): string | undefined {
  return zones.get(result);
}
