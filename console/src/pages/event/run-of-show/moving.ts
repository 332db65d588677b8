import type { Segment } from "../../../../../contract/console/event.ts";
import {
  inNewOrder,
  longestMinutes,
  shortestMinutes,
  startsWithFollowing,
  type Timed,
} from "../../../../../contract/run-of-show.ts";
import { type Move, type Moves, minuteMs, type Placed, type Plan, sameMove, storedMove } from "./layout.ts";

/** Moving and resizing by steps, and the moves that are not saved yet. */

export const stepMinutes = 5;
const stepMs = stepMinutes * minuteMs;

export type Edge = "start" | "end";

/** The offsets of zones are multiples of five minutes, so a multiple in UTC is one on the clock of the event. */
export const snap = (ms: number): number => Math.round(ms / stepMs) * stepMs;

/** One or more steps on; from a time off the grid, the first step leads onto it. */
export function stepFrom(ms: number, steps: number): number {
  const onGrid = steps > 0 ? Math.floor(ms / stepMs) : Math.ceil(ms / stepMs);
  return (onGrid + steps) * stepMs;
}

export const moveOf = ({ start, end }: Placed): Move => ({ start, minutes: (end - start) / minuteMs });

export const movedTo = (segment: Placed, start: number): Move => ({ ...moveOf(segment), start });

/** Moves one edge and keeps the other. A segment stays at least one step long, unless it is shorter already. */
export function resizedTo(segment: Placed, edge: Edge, at: number): Move {
  const { start, minutes } = moveOf(segment);
  const least = Math.max(shortestMinutes, Math.min(stepMinutes, minutes));
  const wanted = edge === "end" ? (at - start) / minuteMs : (segment.end - at) / minuteMs;
  const kept = Math.min(longestMinutes, Math.max(least, wanted));
  return { start: edge === "end" ? start : segment.end - kept * minuteMs, minutes: kept };
}

/** The move of one segment and, with `following`, of all that start when it is over: they keep their distance. */
export function movesFor({ byId }: Plan, id: string, move: Move, following: boolean): Map<string, Move> {
  const moves = new Map([[id, move]]);
  const segment = byId.get(id);
  if (segment === undefined || !following) return moves;
  const fields = { start_time: timeOf(move.start), duration_minutes: move.minutes };
  for (const [otherId, start] of startsWithFollowing([...byId.values()].map(timed), [{ id, fields }])) {
    const other = byId.get(otherId);
    if (other !== undefined && other.id !== id && Date.parse(start) !== other.start)
      moves.set(other.id, movedTo(other, Date.parse(start)));
  }
  return moves;
}

const timeOf = (ms: number): string => new Date(ms).toISOString();

const timed = ({ id, title, start, end }: Placed): Timed => ({
  id,
  title,
  start_time: timeOf(start),
  duration_minutes: (end - start) / minuteMs,
});

/** The segments in a new order from the earliest start, with or without the pauses that there were. */
export function placedInNewOrder({ byId }: Plan, ids: readonly string[], keepsPauses: boolean): Placed[] {
  const rows = inNewOrder([...byId.values()].map(timed), ids, { keepGaps: keepsPauses });
  return rows.flatMap(({ id, start_time, duration_minutes }) => {
    const segment = byId.get(id);
    if (segment === undefined) return [];
    const start = Date.parse(start_time);
    return [{ ...segment, start, end: start + duration_minutes * minuteMs, isMoved: start !== segment.start }];
  });
}

/** Unsaved moves with what came before them, for undoing one after the other. */
export type MoveHistory = { moves: Moves; before: Moves[] };
export type MoveAction =
  | { type: "move"; moves: Moves }
  | { type: "undo" }
  | { type: "discard" }
  | { type: "saved"; ids: readonly string[] };

export const noMoves: MoveHistory = { moves: new Map(), before: [] };
const maximumUndo = 100;

export function moveReducer(history: MoveHistory, action: MoveAction): MoveHistory {
  const { moves, before } = history;
  switch (action.type) {
    case "move":
      return { moves: new Map([...moves, ...action.moves]), before: [...before, moves].slice(-maximumUndo) };
    case "undo":
      return before.length === 0 ? history : { moves: before.at(-1) ?? moves, before: before.slice(0, -1) };
    case "discard":
      return noMoves;
    case "saved":
      return { moves: without(moves, action.ids), before: [] };
  }
}

const without = (moves: Moves, ids: readonly string[]): Moves =>
  new Map([...moves].filter(([id]) => !ids.includes(id)));

/** What is left to save: not what is stored already, nor what somebody else has removed. */
export function openMoves(moves: Moves, segments: readonly Segment[]): { segment: Segment; move: Move }[] {
  return segments.flatMap((segment) => {
    const move = moves.get(segment.id);
    return move === undefined || sameMove(move, storedMove(segment)) ? [] : [{ segment, move }];
  });
}
