import { offsetAt } from "../../../format/zoned-input.ts";
import { minuteMs, type Plan, type Range } from "./layout.ts";

/** Where times are on the timeline: in proportion, except for long times without anything, which are shortened. */
export type Axis = {
  height: number;
  pixelsPerMinute: number;
  parts: AxisPart[];
  toY: (at: number) => number;
  toTime: (y: number) => number;
};
export type AxisPart = Range & { kind: "time" | "break"; top: number; height: number };

export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;
/** Free time around what is planned, so that there is room to move it. */
const marginMs = 15 * minuteMs;
const longestFreeMs = 3 * hourMs;
const breakHeight = 72;
const maximumHeight = 60_000;

export const zooms = [2, 4, 8] as const;
export type Zoom = (typeof zooms)[number];
/** High enough for a line of text. */
export const readableHeight = 20;

/** The smallest zoom in which nearly all segments have room for their title. */
export function zoomFor({ placed }: Pick<Plan, "placed">): Zoom {
  const lengths = placed.map(({ start, end }) => (end - start) / minuteMs).toSorted((one, other) => one - other);
  const short = lengths[Math.floor(lengths.length / 10)] ?? 30;
  return zooms.find((zoom) => short * zoom >= readableHeight && zoom <= 4) ?? 4;
}

export function axisOf({ placed, window }: Pick<Plan, "placed" | "window">, zoom: number): Axis {
  const times = timesWithSomething(placed, window);
  const minutes = times.reduce((sum, { from, to }) => sum + (to - from) / minuteMs, 0);
  const pixelsPerMinute = Math.min(zoom, maximumHeight / minutes);
  const parts: AxisPart[] = [];
  let top = 0;
  for (const range of times) {
    const last = parts.at(-1);
    if (last !== undefined) {
      parts.push({ kind: "break", from: last.to, to: range.from, top, height: breakHeight });
      top += breakHeight;
    }
    const height = ((range.to - range.from) / minuteMs) * pixelsPerMinute;
    parts.push({ kind: "time", ...range, top, height });
    top += height;
  }
  return { height: top, pixelsPerMinute, parts, toY: (at) => yOf(parts, at), toTime: (y) => timeOf(parts, y) };
}

/** Times near a segment or near the event's start or end, in quarters of an hour, with what is too short to be left out. */
function timesWithSomething(placed: Plan["placed"], window: Range): Range[] {
  const ranges = [
    { from: window.from, to: window.from },
    { from: window.to, to: window.to },
    ...placed.map(({ start, end }) => ({ from: start, to: end })),
  ].toSorted((one, other) => one.from - other.from);
  const merged: Range[] = [];
  for (const { from, to } of ranges) {
    const last = merged.at(-1);
    if (last !== undefined && from - last.to <= longestFreeMs) last.to = Math.max(last.to, to);
    else merged.push({ from, to });
  }
  return merged.map(({ from, to }) => ({
    from: Math.floor((from - marginMs) / marginMs) * marginMs,
    to: Math.ceil((to + marginMs) / marginMs) * marginMs,
  }));
}

function yOf(parts: AxisPart[], at: number): number {
  const part = parts.find(({ to }) => at <= to) ?? parts.at(-1);
  return part === undefined ? 0 : part.top + ((at - part.from) / (part.to - part.from)) * part.height;
}

function timeOf(parts: AxisPart[], y: number): number {
  const part = parts.find(({ top, height }) => y <= top + height) ?? parts.at(-1);
  return part === undefined ? 0 : part.from + ((y - part.top) / part.height) * (part.to - part.from);
}

/** A time in which the clocks of a zone are ahead of UTC by the same. */
export type ClockPeriod = Range & { offset: number };

/** The periods of a range: more than one if the clocks change in it. */
export function clockPeriods(range: Range, zone: string): ClockPeriod[] {
  const periods: ClockPeriod[] = [{ ...range, offset: offsetAt(range.from, zone) }];
  for (let at = range.from; at < range.to; at += dayMs) {
    const last = periods.at(-1);
    const next = Math.min(at + dayMs, range.to);
    const offset = offsetAt(next, zone);
    if (last === undefined || offset === last.offset) continue;
    let [before, after] = [at, next];
    while (after - before > minuteMs) {
      const middle = Math.floor((before + after) / 2 / minuteMs) * minuteMs;
      if (offsetAt(middle, zone) === last.offset) before = middle;
      else after = middle;
    }
    last.to = after;
    periods.push({ from: after, to: range.to, offset });
  }
  return periods;
}

export type Tick = { at: number; label: string; isDay: boolean };
/** Clocks go forward (positive) or back. */
export type ClockChange = { at: number; ms: number };

const tickMinutes = [15, 30, 60, 120, 180, 360, 720, 1440];
const tickDistance = 44;

/** Lines at full hours and the like on the clock of the zone, and one where each day begins. */
export function ticksOf(
  range: Range,
  zone: string,
  pixelsPerMinute: number,
): { ticks: Tick[]; changes: ClockChange[] } {
  const stepMs = (tickMinutes.find((minutes) => minutes * pixelsPerMinute >= tickDistance) ?? 1440) * minuteMs;
  const ticks: Tick[] = [];
  const changes: ClockChange[] = [];
  const periods = clockPeriods(range, zone);
  let day = Math.floor((range.from - 1 + (periods[0]?.offset ?? 0)) / dayMs);
  for (const [index, { from, to, offset }] of periods.entries()) {
    const repeated = (periods[index - 1]?.offset ?? offset) - offset;
    if (index > 0) changes.push({ at: from, ms: -repeated });
    const first = Math.ceil((from + offset) / stepMs) * stepMs;
    // The clocks may skip midnight: the day then begins with the change.
    const locals = dayOf(from + offset) > day && first !== from + offset ? [from + offset] : [];
    for (let local = first; local < to + offset; local += stepMs) locals.push(local);
    for (const local of locals) {
      const clock = new Date(local).toISOString().slice(11, 16);
      const isDay = dayOf(local) > day;
      day = Math.max(day, dayOf(local));
      ticks.push({ at: local - offset, isDay, label: local - offset < from + repeated ? `${clock} again` : clock });
    }
  }
  return { ticks, changes };
}

/** The clock and the two lines of words at the start and the end of the event, above and below its line. */
const edgeLabel = { above: readableHeight, below: 44 };

/** Whether a time has no room for its tick, because the label of the event's start or end is there. */
export const isBesideEdge = (at: number, { from, to }: Range, { toY }: Pick<Axis, "toY">): boolean =>
  [from, to].some((edge) => {
    const distance = toY(at) - toY(edge);
    return distance > -edgeLabel.above && distance < edgeLabel.below;
  });

const dayOf = (local: number): number => Math.floor(local / dayMs);
