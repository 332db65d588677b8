import { Suspense } from "react";
import { lazyPart } from "../../../ui/lazy-part.ts";
import type { Zoom } from "./axis.ts";
import { type Gap, minuteMs } from "./layout.ts";
import { movedTo, movesFor, resizedTo } from "./moving.ts";
import { SegmentTable } from "./segment-table.tsx";
import { Timeline } from "./timeline.tsx";
import type { RunOfShowState } from "./use-run-of-show.ts";
import type { View } from "./use-view.ts";

/** Moving by pointer and keyboard is not needed to look at the run of show. */
const EditableTimeline = lazyPart(() => import("./editable-timeline.tsx"), "default");

type Props = {
  state: RunOfShowState;
  view: View;
  zoom: Zoom;
  following: boolean;
  activeId: string | undefined;
  onActive: (id: string) => void;
  onOpen: (id: string) => void;
  onAdd: (gap: Gap) => void;
  onRemove: (id: string) => void;
};

export function RunOfShowView({ state, view, zoom, following, activeId, onActive, onOpen, onAdd, onRemove }: Props) {
  const { plan, names, zone, canEdit, segments, moves, dispatch } = state;
  const common = { plan, names, zone, onOpen, onAdd: canEdit ? onAdd : undefined };
  if (view === "list") {
    const step = (id: string, minutes: number, resize: boolean) => {
      const segment = plan.byId.get(id);
      if (segment === undefined) return;
      const ms = minutes * minuteMs;
      const move = resize ? resizedTo(segment, "end", segment.end + ms) : movedTo(segment, segment.start + ms);
      dispatch({ type: "move", moves: movesFor(plan, id, move, following) });
    };
    return <SegmentTable {...common} onStep={canEdit ? step : undefined} onRemove={onRemove} />;
  }
  const timeline = { ...common, segments, zoom, activeId, onActive };
  if (!canEdit) return <Timeline {...timeline} />;
  return (
    <Suspense fallback={<Timeline {...timeline} />}>
      <EditableTimeline
        {...timeline}
        moves={moves}
        following={following}
        onMove={(next) => dispatch({ type: "move", moves: next })}
        onUndo={() => dispatch({ type: "undo" })}
      />
    </Suspense>
  );
}
