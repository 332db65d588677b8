const minuteMs = 60_000;
const dayMs = 86_400_000;

/** In the order of `Date.getUTCDay`. */
export const weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"] as const;

/** The first date (YYYY-MM-DD) on this weekday that is at least `afterDays` days after `now`. */
export function firstWeekdayAfter(now: Date, afterDays: number, weekday: (typeof weekdays)[number]): string {
  const earliest = new Date(now.getTime() + afterDays * dayMs);
  const daysToWait = (weekdays.indexOf(weekday) - earliest.getUTCDay() + 7) % 7;
  return new Date(earliest.getTime() + daysToWait * dayMs).toISOString().slice(0, 10);
}

export function addDays(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10);
}

/** The instant at which local time in `timeZone` is `date` (YYYY-MM-DD) and `time` (HH:MM). */
export function zonedInstant(date: string, time: string, timeZone: string): Date {
  const localMs = Date.parse(`${date}T${time}:00Z`);
  const guessMs = localMs - offsetMs(localMs, timeZone);
  // The first offset is read up to a day off the real instant; the second one is right if the clocks change in between.
  return new Date(localMs - offsetMs(guessMs, timeZone));
}

export function daysBefore(now: Date, days: number, minutes = 0): string {
  return new Date(now.getTime() - days * dayMs - minutes * minuteMs).toISOString();
}

/** How far local time is ahead of UTC at an instant. */
function offsetMs(instantMs: number, timeZone: string): number {
  const parts = localTimeFormat(timeZone).formatToParts(instantMs);
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.find((candidate) => candidate.type === type)?.value ?? "";
  const local = `${part("year")}-${part("month")}-${part("day")}T${part("hour")}:${part("minute")}:00Z`;
  return Date.parse(local) - Math.floor(instantMs / minuteMs) * minuteMs;
}

const localTimeFormats = new Map<string, Intl.DateTimeFormat>();

function localTimeFormat(timeZone: string): Intl.DateTimeFormat {
  const cached = localTimeFormats.get(timeZone);
  if (cached) return cached;
  const format = new Intl.DateTimeFormat("en-GB", {
    timeZone,
    hourCycle: "h23",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
  });
  localTimeFormats.set(timeZone, format);
  return format;
}
