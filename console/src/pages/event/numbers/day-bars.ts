import type { Statistics } from "../../../../../contract/schema/statistics.ts";

type Day = Statistics["registrations"]["days"][number];

/** A bar of a chart: one day, or several where there would be more bars than can be told apart. */
export type Bar = { from: string; to: string; count: number };

export const mostBars = 60;
/** So that a single day is a bar and not a block. */
export const leastDays = 14;
const dayMs = 86_400_000;

/** Bars of as many days each as are needed, from the first day, or two weeks, to the last, also for days without any. */
export function barsOf(days: Day[]): Bar[] {
  const [earliest, latest] = [days[0], days.at(-1)];
  if (earliest === undefined || latest === undefined) return [];
  const last = Date.parse(latest.day);
  const first = Math.min(Date.parse(earliest.day), last - (leastDays - 1) * dayMs);
  const length = Math.ceil(((last - first) / dayMs + 1) / mostBars);
  const bars = Array.from({ length: Math.floor((last - first) / dayMs / length) + 1 }, (_, n) => {
    const start = first + n * length * dayMs;
    return { from: dateOf(start), to: dateOf(Math.min(last, start + (length - 1) * dayMs)), count: 0 };
  });
  for (const { day, count } of days) {
    const bar = bars[Math.floor((Date.parse(day) - first) / dayMs / length)];
    if (bar !== undefined) bar.count += count;
  }
  return bars;
}

/** How many days the longest bar has, which is the first. */
export const lengthOf = ({ from, to }: Bar): number => (Date.parse(to) - Date.parse(from)) / dayMs + 1;

const dateOf = (time: number) => new Date(time).toISOString().slice(0, 10);
