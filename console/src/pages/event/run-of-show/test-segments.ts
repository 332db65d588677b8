import type { Segment } from "../../../../../contract/console/event.ts";
import { type Move, minuteMs, planOf, type Range } from "./layout.ts";

/** For tests: times of one day in UTC. */
export const at = (clock: string, day = "2031-05-01"): number => Date.parse(`${day}T${clock}:00.000Z`);

export function segment(id: string, clock: string, minutes: number, rest: Partial<Segment> = {}): Segment {
  const fields = { kind: "talk", location: null, notes: null, speaker_ids: [] as string[] } as const;
  return {
    id,
    title: id,
    start_time: new Date(at(clock)).toISOString(),
    duration_minutes: minutes,
    ...fields,
    ...rest,
  };
}

export const range = (from: string, to: string): Range => ({ from: at(from), to: at(to) });

export const evening = range("18:00", "20:00");

export const plan = (segments: Segment[], moves: [string, Move][] = [], window = evening) =>
  planOf(segments, new Map(moves), window);

export const minutes = (count: number): number => count * minuteMs;
