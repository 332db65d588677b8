const minuteMs = 60_000;
const dayMs = 86_400_000;

/** The first date (YYYY-MM-DD) with this weekday that is at least `afterDays` days after `now`. Sunday is 0. */
export function firstWeekdayAfter(now: Date, afterDays: number, weekday: number): string {
  const earliest = new Date(now.getTime() + afterDays * dayMs);
  const daysToWait = (weekday - earliest.getUTCDay() + 7) % 7;
  return new Date(earliest.getTime() + daysToWait * dayMs).toISOString().slice(0, 10);
}

export function addDays(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10);
}

/** The instant at which a wall clock in `timeZone` shows `date` and `time` (HH:MM). */
export function zonedInstant(date: string, time: string, timeZone: string): Date {
  const wallMs = Date.parse(`${date}T${time}:00Z`);
  const guessMs = wallMs - offsetMs(wallMs, timeZone);
  // The offset at the guess can differ from the one at the wall time read as UTC, when a clock change lies between.
  return new Date(wallMs - offsetMs(guessMs, timeZone));
}

export function daysBefore(now: Date, days: number, minutes = 0): string {
  return new Date(now.getTime() - days * dayMs - minutes * minuteMs).toISOString();
}

function offsetMs(instantMs: number, timeZone: string): number {
  const parts = wallClock(timeZone).formatToParts(instantMs);
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.find((candidate) => candidate.type === type)?.value ?? "";
  const wall = `${part("year")}-${part("month")}-${part("day")}T${part("hour")}:${part("minute")}:00Z`;
  return Date.parse(wall) - Math.floor(instantMs / minuteMs) * minuteMs;
}

const wallClocks = new Map<string, Intl.DateTimeFormat>();

function wallClock(timeZone: string): Intl.DateTimeFormat {
  const known = wallClocks.get(timeZone);
  if (known) return known;
  const made = new Intl.DateTimeFormat("en-GB", {
    timeZone,
    hourCycle: "h23",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
  });
  wallClocks.set(timeZone, made);
  return made;
}
