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

/** What a format of the zone takes to create is more than all else. */
const clocks = new LRUCache<string, Clock>({ max: 100 });

function createClock(timezone: string): Clock {
  const offsetAt = createOffsets(timezone);
  return (timestamp) => {
    const time = Date.parse(timestamp);
    const { text, ms } = offsetAt(time);
    const local = new Date(time + ms).toISOString().slice(0, -1);
    return local.replace(/(:00)?\.000$/, "") + text;
  };
}

type Offset = { text: string; ms: number };

const dayMs = 86_400_000;

/** Lists have many times of the same days. A day at whose beginning and end the offset is the same has no other. */
const rememberedDays = 1_000;

function createOffsets(timezone: string): (time: number) => Offset {
  const format = new Intl.DateTimeFormat("en-GB", { timeZone: timezone, timeZoneName: "longOffset" });
  const exactOffset = (time: number): Offset => {
    const [, text = "", sign, hours, minutes, seconds = "0"] =
      /GMT(([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/.exec(format.format(time)) ?? [];
    if (text === "") return { text: "+00:00", ms: 0 };
    const ms = (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000;
    return { text, ms: sign === "-" ? -ms : ms };
  };
  const startsOfDays = new LRUCache<number, Offset>({ max: rememberedDays });
  const startOf = (day: number): Offset => {
    const known = startsOfDays.get(day) ?? exactOffset(day * dayMs);
    startsOfDays.set(day, known);
    return known;
  };
  return (time) => {
    const day = Math.floor(time / dayMs);
    const start = startOf(day);
    return start.ms === startOf(day + 1).ms ? start : exactOffset(time);
  };
}

export function isTimestamp(text: string): boolean {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text) && !Number.isNaN(Date.parse(text));
}

const timestamps = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g;

/** A sentence of the service with the times in it as guests of the event read them. */
export function inLocalTimes(sentence: string, timezone: string | undefined): string {
  if (timezone === undefined) return sentence;
  // A name in it can have the look of a time.
  return sentence.replaceAll(timestamps, (text) => (isTimestamp(text) ? localClock(timezone)(text) : text));
}

/** Fields whose values are as somebody has written them; the arguments of a commit are those of its preview. */
const foreignFields = new Set(["metadata", "answers", "request", "commit_with"]);

const isTimeField = (name: string) => /(^|_)(at|time|start|end)$|^(from|to)$/.test(name);

/**
 * The same result with the times of an event as its guests read them. An object with a `timezone`, or with an event that
 * has one, has its own; the others have that of the object around them, or of the event of the call. Times without a zone
 * stay in UTC.
 */
export function withLocalTimes(value: unknown, timezone?: string, name = ""): unknown {
  if (typeof value === "string") {
    return timezone !== undefined && isTimeField(name) && isTimestamp(value) ? localClock(timezone)(value) : value;
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
