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
