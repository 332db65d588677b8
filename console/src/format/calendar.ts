/** Days and months without a time: "2026-12-08" and "2026-12". */

export type Month = string;

export const weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];

const partsOf = (month: Month): [year: number, index: number] => {
  const [year = 0, number = 1] = month.split("-").map(Number);
  return [year, number - 1];
};

/** When a month begins in UTC. */
export const startOfMonth = (month: Month): number => Date.UTC(...partsOf(month), 1);

export const monthOf = (at: string | number, zone: string): Month => dayOf(at, zone).slice(0, 7);

export function movedBy(month: Month, months: number): Month {
  const [year, index] = partsOf(month);
  return new Date(Date.UTC(year, index + months, 1)).toISOString().slice(0, 7);
}

export const titleOf = (month: Month): string =>
  new Date(startOfMonth(month)).toLocaleDateString("en-GB", { month: "long", year: "numeric", timeZone: "UTC" });

/** The days of a month; `before` is how many days of the week come before the first. Weeks begin on Monday. */
export function daysOfMonth(month: Month): { before: number; days: string[] } {
  const [year, index] = partsOf(month);
  const count = new Date(Date.UTC(year, index + 1, 0)).getUTCDate();
  const days = Array.from({ length: count }, (_, i) => `${month}-${String(i + 1).padStart(2, "0")}`);
  return { before: weekdayOf(`${month}-01`), days };
}

const utc = (day: string): Date => new Date(`${day}T00:00:00Z`);

/** 0 is Monday. */
export const weekdayOf = (day: string): number => (utc(day).getUTCDay() + 6) % 7;

export function dayMovedBy(day: string, days: number): string {
  const date = utc(day);
  date.setUTCDate(date.getUTCDate() + days);
  return date.toISOString().slice(0, 10);
}

/** The same day of another month, or its last one. */
export function dayInMonth(day: string, month: Month): string {
  const { days } = daysOfMonth(month);
  return days[Number(day.slice(8)) - 1] ?? days.at(-1) ?? day;
}

const formatters = new Map<string, Intl.DateTimeFormat>();

/** The date at a place: 2026-12-08. */
export function dayOf(at: string | number, zone: string): string {
  const known = formatters.get(zone);
  const formatter =
    known ?? new Intl.DateTimeFormat("sv-SE", { year: "numeric", month: "2-digit", day: "2-digit", timeZone: zone });
  if (known === undefined) formatters.set(zone, formatter);
  return formatter.format(new Date(at));
}
