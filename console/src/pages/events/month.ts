import type { DashboardEvent } from "../../../../contract/console/organization.ts";

/** A month as in the address: 2026-12. */
export type Month = string;

const hourMs = 3_600_000;

/** How far the clocks of the earth are from UTC at most. */
const furthestMs = 14 * hourMs;

const partsOf = (month: Month): [year: number, index: number] => {
  const [year = 0, number = 1] = month.split("-").map(Number);
  return [year, number - 1];
};

export const monthOf = (at: string | number, zone: string): Month => dayOf(at, zone).slice(0, 7);

export function movedBy(month: Month, months: number): Month {
  const [year, index] = partsOf(month);
  return new Date(Date.UTC(year, index + months, 1)).toISOString().slice(0, 7);
}

/** From when until when events of this month start, wherever they are. */
export function boundsOf(month: Month): { from: string; until: string } {
  const start = (of: Month) => Date.UTC(...partsOf(of), 1);
  return {
    from: new Date(start(month) - furthestMs).toISOString(),
    until: new Date(start(movedBy(month, 1)) + furthestMs).toISOString(),
  };
}

export function titleOf(month: Month): string {
  const start = new Date(Date.UTC(...partsOf(month), 1));
  return start.toLocaleDateString("en-GB", { month: "long", year: "numeric", timeZone: "UTC" });
}

export type Day = { date: string; number: number; events: DashboardEvent[] };

/** The days of a month with the events that start on each, where they are; `before` is how many days of the week come before the first. */
export function daysOf(month: Month, events: DashboardEvent[]): { before: number; days: Day[] } {
  const [year, index] = partsOf(month);
  const count = new Date(Date.UTC(year, index + 1, 0)).getUTCDate();
  const days = Array.from({ length: count }, (_, i): Day => {
    const date = `${month}-${String(i + 1).padStart(2, "0")}`;
    return { date, number: i + 1, events: [] };
  });
  for (const event of events) {
    const date = dayOf(event.start_time, event.timezone);
    if (date.startsWith(month)) days[Number(date.slice(8)) - 1]?.events.push(event);
  }
  return { before: (new Date(Date.UTC(year, index, 1)).getUTCDay() + 6) % 7, days };
}

const formatters = new Map<string, Intl.DateTimeFormat>();

/** The date at a place: 2026-12-08. */
function dayOf(at: string | number, zone: string): string {
  const known = formatters.get(zone);
  const formatter =
    known ?? new Intl.DateTimeFormat("sv-SE", { year: "numeric", month: "2-digit", day: "2-digit", timeZone: zone });
  if (known === undefined) formatters.set(zone, formatter);
  return formatter.format(new Date(at));
}
