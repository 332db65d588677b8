import type { Segment } from "../../../../../contract/console/event.ts";

/** Rules of the timeline, without any drawing. Times are milliseconds; lengths are elapsed time, whatever the clocks do. */

/** Where a person has put a segment without saving it yet. */
export type Move = { start: number; minutes: number };
export type Moves = ReadonlyMap<string, Move>;

export type Range = { from: number; to: number };
/** A segment at its place. */
export type Placed = Segment & { start: number; end: number; isMoved: boolean };
/** `between` two segments, or between the event's own start or end and the nearest segment. */
export type Gap = Range & { kind: "between" | "before" | "after" };
/** A time in which at least two segments run; `ids` are all of them, by start. */
export type Overlap = Range & { ids: string[] };
/** A speaker who is in several segments at the same time. */
export type Clash = Range & { speakerId: string; ids: string[] };
/** What is wrong with one segment. */
export type Problems = {
  overlaps: { id: string; ms: number }[];
  clashes: { id: string; speakerId: string }[];
  /** How long it runs before the event's start, and after its end. */
  earlyMs: number;
  lateMs: number;
};

export type Plan = {
  /** By start. */
  placed: Placed[];
  /** In the order of the service, which decides between segments that start together. */
  byId: ReadonlyMap<string, Placed>;
  window: Range;
  gaps: Gap[];
  overlaps: Overlap[];
  clashes: Clash[];
  problems: ReadonlyMap<string, Problems>;
};

export const minuteMs = 60_000;

export function planOf(segments: readonly Segment[], moves: Moves, window: Range): Plan {
  const all = segments.map((segment) => place(segment, moves.get(segment.id)));
  const placed = all.toSorted(byStart);
  const overlaps = overlapsOf(placed);
  const clashes = clashesOf(placed);
  return {
    placed,
    window,
    overlaps,
    clashes,
    gaps: gapsOf(placed, window),
    byId: new Map(all.map((segment) => [segment.id, segment])),
    problems: problemsOf(placed, window),
  };
}

export const storedMove = ({ start_time, duration_minutes }: Segment): Move => ({
  start: Date.parse(start_time),
  minutes: duration_minutes,
});

export const sameMove = (one: Move, other: Move): boolean => one.start === other.start && one.minutes === other.minutes;

function place(segment: Segment, move: Move | undefined): Placed {
  const stored = storedMove(segment);
  const { start, minutes } = move ?? stored;
  const isMoved = move !== undefined && !sameMove(move, stored);
  return { ...segment, start, end: start + minutes * minuteMs, isMoved };
}

export const byStart = (one: Placed, other: Placed): number => one.start - other.start || one.end - other.end;

/** Expects segments by start, as the rules below. */
export function gapsOf(placed: readonly Placed[], window: Range): Gap[] {
  const [first] = placed;
  if (first === undefined) return [];
  const gaps: Gap[] = [];
  if (window.from < first.start) gaps.push({ kind: "before", from: window.from, to: first.start });
  let end = first.end;
  for (const segment of placed) {
    if (segment.start > end) gaps.push({ kind: "between", from: end, to: segment.start });
    end = Math.max(end, segment.end);
  }
  if (end < window.to) gaps.push({ kind: "after", from: end, to: window.to });
  return gaps;
}

/** Adjoining times with different segments are one overlap: five talks at once are one thing to look at, not ten pairs. */
export function overlapsOf(placed: readonly Placed[]): Overlap[] {
  const found: (Range & { ids: Set<string> })[] = [];
  let running: Placed[] = [];
  for (const segment of placed) {
    running = running.filter(({ end }) => end > segment.start);
    if (running.length > 0) {
      const to = Math.min(segment.end, Math.max(...running.map(({ end }) => end)));
      let last = found.at(-1);
      if (last === undefined || last.to < segment.start) {
        last = { from: segment.start, to, ids: new Set() };
        found.push(last);
      }
      last.to = Math.max(last.to, to);
      for (const { id } of [...running, segment]) last.ids.add(id);
    }
    running.push(segment);
  }
  return found.map(({ ids, ...range }) => ({ ...range, ids: [...ids] }));
}

export function clashesOf(placed: readonly Placed[]): Clash[] {
  const bySpeaker = new Map<string, Placed[]>();
  for (const segment of placed) {
    for (const id of segment.speaker_ids) {
      const segments = bySpeaker.get(id) ?? [];
      segments.push(segment);
      bySpeaker.set(id, segments);
    }
  }
  const clashes = [...bySpeaker].flatMap(([speakerId, segments]) =>
    overlapsOf(segments).map((overlap) => ({ ...overlap, speakerId })),
  );
  return clashes.toSorted((one, other) => one.from - other.from);
}

function problemsOf(placed: readonly Placed[], window: Range): Map<string, Problems> {
  const problems = new Map<string, Problems>(
    placed.map(({ id, start, end }) => [
      id,
      {
        overlaps: [],
        clashes: [],
        earlyMs: Math.max(0, Math.min(end, window.from) - start),
        lateMs: Math.max(0, end - Math.max(start, window.to)),
      },
    ]),
  );
  for (const [index, first] of placed.entries()) {
    for (let next = index + 1; next < placed.length; next++) {
      const second = placed[next];
      if (second === undefined || second.start >= first.end) break;
      const ms = Math.min(first.end, second.end) - second.start;
      problems.get(first.id)?.overlaps.push({ id: second.id, ms });
      problems.get(second.id)?.overlaps.push({ id: first.id, ms });
      for (const speakerId of first.speaker_ids) {
        if (!second.speaker_ids.includes(speakerId)) continue;
        problems.get(first.id)?.clashes.push({ id: second.id, speakerId });
        problems.get(second.id)?.clashes.push({ id: first.id, speakerId });
      }
    }
  }
  return problems;
}

export type Lane = { lane: number; lanes: number };

/**
 * Columns for segments that run at the same time. A segment that is drawn higher than it is long, to be readable, takes
 * `minimumMs`. Segments that are connected by overlaps share the number of columns.
 */
export function lanesOf(placed: readonly Placed[], minimumMs = 0): Map<string, Lane> {
  const lanes = new Map<string, Lane>();
  let group: { id: string; lane: number }[] = [];
  let ends: number[] = [];
  const close = () => {
    for (const { id, lane } of group) lanes.set(id, { lane, lanes: ends.length });
    group = [];
    ends = [];
  };
  for (const { id, start, end } of placed) {
    if (ends.every((laneEnd) => laneEnd <= start)) close();
    const free = ends.findIndex((laneEnd) => laneEnd <= start);
    const lane = free === -1 ? ends.length : free;
    ends[lane] = Math.max(end, start + minimumMs);
    group.push({ id, lane });
  }
  close();
  return lanes;
}

/** Keeps notes beside the timeline readable: each at its place, or below the one before it. */
export function stack(notes: readonly { top: number; height: number }[]): number[] {
  let free = Number.NEGATIVE_INFINITY;
  return notes.map(({ top, height }) => {
    const placedTop = Math.max(top, free);
    free = placedTop + height;
    return placedTop;
  });
}
