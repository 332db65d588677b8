import type { DashboardEvent } from "../../../../contract/console/organization.ts";
import { dayOf, daysOfMonth, type Month, movedBy, startOfMonth } from "../../format/calendar.ts";

const hourMs = 3_600_000;

/** How far the clocks of the earth are from UTC at most. */
const furthestMs = 14 * hourMs;

/** From when until when events of this month start, wherever they are. */
export const boundsOf = (month: Month): { from: string; until: string } => ({
  from: new Date(startOfMonth(month) - furthestMs).toISOString(),
  until: new Date(startOfMonth(movedBy(month, 1)) + furthestMs).toISOString(),
});

export type Day = { date: string; number: number; events: DashboardEvent[] };

/** The days of a month with the events that start on each, where they are. */
export function daysOf(month: Month, events: DashboardEvent[]): { before: number; days: Day[] } {
  const { before, days: dates } = daysOfMonth(month);
  const days = dates.map((date, index): Day => ({ date, number: index + 1, events: [] }));
  for (const event of events) {
    const date = dayOf(event.start_time, event.timezone);
    if (date.startsWith(month)) days[Number(date.slice(8)) - 1]?.events.push(event);
  }
  return { before, days };
}
