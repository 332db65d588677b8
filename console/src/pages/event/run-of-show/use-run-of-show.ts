import { useEffect, useEffectEvent, useMemo, useReducer } from "react";
import type { RunOfShow } from "../../../../../contract/console/event.ts";
import { useDraft } from "../../../drafts/use-draft.ts";
import { useEvent } from "../event-page.ts";
import { type Move, planOf } from "./layout.ts";
import { moveReducer, noMoves, openMoves } from "./moving.ts";

const nothingMoved: { moves: [string, Move][] } = { moves: [] };

/** The run of show as it is stored, with what was moved and is not saved yet. */
export function useRunOfShow({ segments, speakers, published }: RunOfShow) {
  const event = useEvent();
  const draft = useDraft({ form: `moves ${event.id}`, source: nothingMoved, read: (none) => none });
  const [{ moves, before }, dispatch] = useReducer(moveReducer, { ...noMoves, moves: new Map(draft.values.moves) });
  const names = useMemo(() => new Map(speakers.map(({ id, name }) => [id, name])), [speakers]);
  const window = useMemo(
    () => ({ from: Date.parse(event.start_time), to: Date.parse(event.end_time) }),
    [event.start_time, event.end_time],
  );
  const plan = useMemo(() => planOf(segments, moves, window), [segments, moves, window]);
  const unsaved = useMemo(() => openMoves(moves, segments), [moves, segments]);
  const keep = useEffectEvent((moved: typeof unsaved) =>
    draft.set({ moves: moved.map(({ segment, move }) => [segment.id, move]) }),
  );
  useEffect(() => keep(unsaved), [unsaved]);
  return {
    event,
    segments,
    speakers,
    published,
    names,
    plan,
    moves,
    unsaved,
    dispatch,
    zone: event.timezone,
    canEdit: event.can_edit,
    canUndo: before.length > 0,
  };
}

export type RunOfShowState = ReturnType<typeof useRunOfShow>;
