/** Times as people say them, in a named zone. The console is in English: "Tue 8 Dec, 09:30–10:45, Lisbon time". */

export type Instant = string | number | Date;

/** The year is said only where it is not the current one. */
export function formatTime(at: Instant, zone: string, now: Instant = Date.now()): string {
  return `${formatDay(at, zone, now)}, ${formatClock(at, zone)}, ${zoneName(zone)}`;
}

export function formatRange(from: Instant, to: Instant, zone: string, now: Instant = Date.now()): string {
  const firstDay = formatDay(from, zone, now);
  const lastDay = formatDay(to, zone, now);
  if (firstDay === lastDay)
    return `${firstDay}, ${formatClock(from, zone)}–${formatClock(to, zone)}, ${zoneName(zone)}`;
  return `${firstDay}, ${formatClock(from, zone)} – ${lastDay}, ${formatClock(to, zone)}, ${zoneName(zone)}`;
}

export function formatDay(at: Instant, zone: string, now: Instant = Date.now()): string {
  const { weekday, day, month, year } = partsIn(at, zone);
  const words = `${weekday} ${day} ${month}`;
  return year === partsIn(now, zone).year ? words : `${words} ${year}`;
}

export function formatClock(at: Instant, zone: string): string {
  const { hour, minute } = partsIn(at, zone);
  return `${hour}:${minute}`;
}

/** "Europe/Lisbon" → "Lisbon time". */
export function zoneName(zone: string): string {
  if (/^(Etc\/)?(UTC|GMT|Universal|Zulu)$/i.test(zone)) return "UTC";
  const place = zone.split("/").at(-1) ?? zone;
  return `${place.replaceAll("_", " ")} time`;
}

/** The exact value, for titles and screen readers: "2026-12-08 09:30:00 GMT+00:00 (Europe/Lisbon)". */
export function exactTime(at: Instant, zone: string): string {
  return `${exactFormatter(zone).format(new Date(at))} (${zone})`;
}

const relative = new Intl.RelativeTimeFormat("en-GB", { numeric: "auto" });
const units = [
  ["second", 60],
  ["minute", 60],
  ["hour", 24],
  ["day", 7],
  ["week", 4.35],
  ["month", 12],
] as const;

/** "3 hours ago", "in 2 days", "yesterday". */
export function formatRelative(at: Instant, now: Instant = Date.now()): string {
  let value = (new Date(at).getTime() - new Date(now).getTime()) / 1000;
  if (Math.abs(value) < 45) return value > 0 ? "in a moment" : "just now";
  for (const [unit, length] of units) {
    if (Math.abs(Math.round(value)) < length) return relative.format(Math.round(value), unit);
    value /= length;
  }
  return relative.format(Math.round(value), "year");
}

export function formatDuration(durationMs: number): string {
  const minutes = Math.round(durationMs / 60_000);
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  if (hours === 0) return `${rest} min`;
  return rest === 0 ? `${hours} h` : `${hours} h ${rest} min`;
}

export const localZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

function partsIn(at: Instant, zone: string): Record<string, string> {
  const parts = partsFormatter(zone).formatToParts(new Date(at));
  return Object.fromEntries(parts.map(({ type, value }) => [type, value]));
}

const partsFormatter = formatterByZone("en-GB", {
  weekday: "short",
  day: "numeric",
  month: "short",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
});

export const exactFormatter = formatterByZone("sv-SE", {
  year: "numeric",
  month: "2-digit",
  day: "2-digit",
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  timeZoneName: "longOffset",
});

/** Making a formatter is slow, and a page has few zones. */
function formatterByZone(locale: string, options: Intl.DateTimeFormatOptions) {
  const formatters = new Map<string, Intl.DateTimeFormat>();
  return (zone: string): Intl.DateTimeFormat => {
    const known = formatters.get(zone);
    if (known !== undefined) return known;
    const formatter = new Intl.DateTimeFormat(locale, { ...options, timeZone: zone });
    if (formatters.size < 500) formatters.set(zone, formatter);
    return formatter;
  };
}
