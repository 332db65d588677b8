import { ServiceError } from "./errors.js";

/** Durations are elapsed minutes, so a daylight saving change never changes a length. */

export type Timed = { id: string; title: string; start_time: string; duration_minutes: number };

/** As many as one reordering accepts. */
export const maximumSegments = 500;

/** Of a segment. The longest is a week. */
export const [shortestMinutes, longestMinutes] = [1, 10_080];
export const maximumSegmentSpeakers = 50;

export type Gap = { after: string; before: string; from: string; to: string; minutes: number };
export type Overlap = { first: string; second: string; from: string; to: string; minutes: number };

export function endOf(segment: Pick<Timed, "start_time" | "duration_minutes">): string {
  return later(segment.start_time, segment.duration_minutes);
}

/** The gaps between the first start and the last end. */
export function gapsOf(segments: Timed[]): Gap[] {
  const gaps: Gap[] = [];
  let latest: Timed | undefined;
  for (const segment of byStart(segments)) {
    if (latest !== undefined && endOf(latest) < segment.start_time) {
      const from = endOf(latest);
      const to = segment.start_time;
      gaps.push({ after: latest.id, before: segment.id, from, to, minutes: minutesBetween(from, to) });
    }
    if (latest === undefined || endOf(segment) > endOf(latest)) latest = segment;
  }
  return gaps;
}

/** Every pair of segments that overlap. */
export function overlapsOf(segments: Timed[]): Overlap[] {
  const sorted = byStart(segments).map((segment) => ({ ...segment, end: endOf(segment) }));
  return sorted.flatMap((first, index) => {
    const overlaps: Overlap[] = [];
    for (const second of sorted.slice(index + 1)) {
      if (second.start_time >= first.end) break;
      const from = second.start_time;
      const to = first.end < second.end ? first.end : second.end;
      overlaps.push({ first: first.id, second: second.id, from, to, minutes: minutesBetween(from, to) });
    }
    return overlaps;
  });
}

/**
 * The segments in a new order from the earliest start on, back to back or with the pauses that there were: a pause stays at
 * its place in the order.
 */
export function inNewOrder<Segment extends Timed>(
  segments: Segment[],
  ids: readonly string[],
  { keepGaps = false } = {},
): Segment[] {
  const byId = new Map(segments.map((segment) => [segment.id, segment]));
  const sorted = byStart(segments);
  const gaps = new Map(gapsOf(segments).map(({ before, minutes }) => [before, minutes]));
  const pauses = sorted.map(({ id }) => (keepGaps ? (gaps.get(id) ?? 0) : 0));
  let start = sorted[0]?.start_time ?? "";
  return ids.flatMap((id, place) => {
    const segment = byId.get(id);
    if (segment === undefined) return [];
    const moved = { ...segment, start_time: later(start, pauses[place] ?? 0) };
    start = endOf(moved);
    return [moved];
  });
}

/** What a shift shows and changes of a segment. */
export type Start = Pick<Timed, "id" | "title" | "start_time">;

export function startsOf(segments: Start[]): Start[] {
  return segments.map(({ id, title, start_time }) => ({ id, title, start_time }));
}

/** The same segments, starting `minutes` later. */
export function shifted<Segment extends { start_time: string }>(segments: Segment[], minutes: number): Segment[] {
  return segments.map((segment) => ({ ...segment, start_time: later(segment.start_time, minutes) }));
}

/** New segments one after another: one without a start begins when the one before it ends, the first at `nextStart`. */
export function placed<New extends { start_time?: string; duration_minutes: number }>(
  segments: New[],
  nextStart: string | undefined,
): (New & { start_time: string })[] {
  let next = nextStart;
  return segments.map((segment) => {
    const start_time = segment.start_time ?? next;
    if (start_time === undefined) throw new Error("the first segment has no start");
    next = endOf({ ...segment, start_time });
    return { ...segment, start_time };
  });
}

/** From the first start to the last end, in minutes. */
export function spanOf(segments: Pick<Timed, "start_time" | "duration_minutes">[]): { from: string; minutes: number } {
  const from = segments.map(({ start_time }) => start_time).reduce((a, b) => (b < a ? b : a));
  const to = segments.map(endOf).reduce((a, b) => (b > a ? b : a));
  return { from, minutes: minutesBetween(from, to) };
}

/** How many minutes these segments take, counted once where they overlap, of those that are over at a time. */
export function minutesBefore(segments: Timed[], time: string): number {
  let minutes = 0;
  let counted = "";
  for (const segment of byStart(segments)) {
    const end = endOf(segment);
    const from = segment.start_time > counted ? segment.start_time : counted;
    if (end > time || end <= from) continue;
    minutes += minutesBetween(from, end);
    counted = end;
  }
  return minutes;
}

export type NewTimes = { id: string; fields: { start_time?: string; duration_minutes?: number } };

/**
 * Where segments start when some get new times and what follows moves with them: each keeps its distance to the end of the
 * last changed segment that was over before it. A segment with a new start begins there.
 */
export function startsWithFollowing(segments: Timed[], changes: NewTimes[]): Map<string, string> {
  const newTimes = new Map(changes.map(({ id, fields }) => [id, fields]));
  const changed: { end: string; minutes: number }[] = [];
  const shiftAt = (time: string) =>
    changed.reduce<(typeof changed)[number] | undefined>(
      (last, each) => (each.end <= time && (last === undefined || each.end >= last.end) ? each : last),
      undefined,
    )?.minutes ?? 0;
  const starts = byStart(segments).map((segment): [string, string] => {
    const change = newTimes.get(segment.id);
    const start_time = change?.start_time ?? later(segment.start_time, shiftAt(segment.start_time));
    if (change !== undefined) {
      const end = endOf(segment);
      const newEnd = endOf({ start_time, duration_minutes: change.duration_minutes ?? segment.duration_minutes });
      changed.push({ end, minutes: minutesBetween(end, newEnd) });
    }
    return [segment.id, start_time];
  });
  return new Map(starts);
}

const minuteMs = 60_000;

/** Segments that start at the same time stay in their order. */
export function byStart<Segment extends { start_time: string }>(segments: Segment[]): Segment[] {
  return segments.toSorted((a, b) => (a.start_time < b.start_time ? -1 : a.start_time > b.start_time ? 1 : 0));
}

/** Times are compared as text, so years have four digits. */
export function later(time: string, minutes: number): string {
  const moved = new Date(Date.parse(time) + minutes * minuteMs).toISOString();
  if (/^\d{4}-/.test(moved)) return moved;
  throw new ServiceError("invalid_input", `A segment would start or end beyond the year 9999. Move it by less`);
}

export function minutesBetween(from: string, to: string): number {
  return (Date.parse(to) - Date.parse(from)) / minuteMs;
}
