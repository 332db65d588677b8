import { LRUCache } from "lru-cache";

/** Formats instants as ISO 8601 with the zone's offset at that time, such as 2027-03-28T03:30+01:00. */
export function localClock(timezone: string): Clock {
  const known = clocks.get(timezone);
  if (known !== undefined) return known;
  const clock = createClock(timezone);
  clocks.set(timezone, clock);
  return clock;
}

type Clock = (timestamp: string) => string;

/** A format takes a while to create, and a list has the times of many events. */
const clocks = new LRUCache<string, Clock>({ max: 100 });

function createClock(timezone: string): Clock {
  const format = new Intl.DateTimeFormat("en-GB", {
    timeZone: timezone,
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    fractionalSecondDigits: 3,
    hourCycle: "h23",
    timeZoneName: "longOffset",
  });
  return (timestamp) => {
    const parts = Object.fromEntries(format.formatToParts(new Date(timestamp)).map(({ type, value }) => [type, value]));
    const { year, month, day, hour, minute, second, fractionalSecond } = parts;
    const offset = parts.timeZoneName?.replace("GMT", "") || "+00:00";
    const seconds = fractionalSecond !== "000" ? `:${second}.${fractionalSecond}` : second !== "00" ? `:${second}` : "";
    return `${year}-${month}-${day}T${hour}:${minute}${seconds}${offset}`;
  };
}

/** Fields whose values are as somebody has written them; the arguments of a commit are those of its preview. */
const foreignFields = new Set(["metadata", "answers", "request", "commit_with"]);

const isTimeField = (name: string) => /(^|_)(at|time|start|end)$|^(from|to)$/.test(name);

const utcTimestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/**
 * The same result with the times of an event as its guests read them. An object with a `timezone`, or with an event that
 * has one, has its own; the others have that of the object around them, or of the event of the call. Times without a zone
 * stay in UTC.
 */
export function withLocalTimes(value: unknown, timezone?: string, name = ""): unknown {
  if (typeof value === "string") {
    return timezone !== undefined && isTimeField(name) && utcTimestamp.test(value)
      ? localClock(timezone)(value)
      : value;
  }
  if (Array.isArray(value)) return value.map((item) => withLocalTimes(item, timezone, name));
  if (typeof value !== "object" || value === null || foreignFields.has(name)) return value;
  const zone = zoneOf(value) ?? ("event" in value ? zoneOf(value.event) : undefined) ?? timezone;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withLocalTimes(inner, zone, key)]));
}

function zoneOf(value: unknown): string | undefined {
  return typeof value === "object" && value !== null && "timezone" in value && typeof value.timezone === "string"
    ? value.timezone
    : undefined;
}
