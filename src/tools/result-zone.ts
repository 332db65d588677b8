/** The key of the time zone in which a result is read. A symbol, so that it is no part of the JSON of the result. */
const resultZone = Symbol("time zone of a result");

export function withZone<Result extends object>(result: Result, timezone: string | undefined): Result {
  return timezone === undefined ? result : Object.assign(result, { [resultZone]: timezone });
}

/** That of the event of the call. */
export function zoneOfResult(result: object): string | undefined {
  return resultZone in result ? (result[resultZone] as string) : undefined;
}
