import { type PointerEvent as ReactPointerEvent, useCallback, useEffect, useRef, useState } from "react";
import type { Axis } from "./axis.ts";
import type { Move, Moves, Plan } from "./layout.ts";
import { type Edge, movedTo, movesFor, resizedTo, snap } from "./moving.ts";

type Drag = {
  id: string;
  /** Undefined: the whole segment. */
  edge: Edge | undefined;
  /** As they were when it began: the timeline must not move under the pointer. */
  plan: Plan;
  axis: Axis;
  pointerId: number;
  fromY: number;
  moves: Moves | undefined;
};

type Options = { following: boolean; onDrop: (id: string, moves: Moves) => void };

/** A click with an unsteady hand is still a click. */
const thresholdPixels = 4;
const scrollZone = 72;
const scrollPixels = 12;

/** Dragging a segment, or one of its edges, with a mouse, a pen, or a finger on a handle. Escape takes it back. */
export function useDrag({ following, onDrop }: Options) {
  const [drag, setDrag] = useState<Drag>();
  const latest = useRef({ following, onDrop });
  latest.current = { following, onDrop };
  const current = useRef<Drag>(undefined);
  current.current = drag;
  const wasDragged = useRef(false);

  const begin = useCallback((event: ReactPointerEvent, id: string, edge: Edge | undefined, plan: Plan, axis: Axis) => {
    // A finger on the segment itself scrolls the page.
    if (event.button !== 0 || (event.pointerType === "touch" && event.currentTarget instanceof HTMLButtonElement))
      return;
    if (edge !== undefined) event.preventDefault();
    const { pointerId, pageY } = event;
    setDrag({ id, edge, plan, axis, pointerId, fromY: pageY, moves: undefined });
  }, []);

  /** The browser sends a click after the pointer was released, which must not open the segment. */
  const forgetAfterClick = useCallback(() => {
    setTimeout(() => {
      wasDragged.current = false;
    });
  }, []);

  const isActive = drag !== undefined;
  useEffect(() => {
    if (!isActive) return;
    let clientY = Number.NaN;
    const update = () => {
      const { current: active } = current;
      if (active === undefined || Number.isNaN(clientY)) return;
      const distance = clientY + window.scrollY - active.fromY;
      if (active.moves === undefined && Math.abs(distance) < thresholdPixels) return;
      const moves = movesFor(active.plan, active.id, moveBy(active, distance), latest.current.following);
      setDrag((before) => before && { ...before, moves });
    };
    const onMove = (event: PointerEvent) => {
      if (event.pointerId !== current.current?.pointerId) return;
      clientY = event.clientY;
      update();
    };
    const onUp = (event: PointerEvent) => {
      const { current: active } = current;
      if (event.pointerId !== active?.pointerId) return;
      setDrag(undefined);
      if (active.moves === undefined) return;
      wasDragged.current = true;
      forgetAfterClick();
      if (event.type === "pointerup") latest.current.onDrop(active.id, active.moves);
    };
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== "Escape") return;
      event.stopPropagation();
      if (current.current?.moves !== undefined) {
        wasDragged.current = true;
        window.addEventListener("pointerup", forgetAfterClick, { once: true });
      }
      setDrag(undefined);
    };
    let frame = requestAnimationFrame(function scroll() {
      const by = clientY < scrollZone ? -scrollPixels : clientY > innerHeight - scrollZone ? scrollPixels : 0;
      if (by !== 0 && current.current?.moves !== undefined) {
        window.scrollBy(0, by);
        update();
      }
      frame = requestAnimationFrame(scroll);
    });
    window.addEventListener("pointermove", onMove);
    window.addEventListener("pointerup", onUp);
    window.addEventListener("pointercancel", onUp);
    window.addEventListener("keydown", onKey, true);
    return () => {
      cancelAnimationFrame(frame);
      window.removeEventListener("pointermove", onMove);
      window.removeEventListener("pointerup", onUp);
      window.removeEventListener("pointercancel", onUp);
      window.removeEventListener("keydown", onKey, true);
    };
  }, [isActive, forgetAfterClick]);

  return { drag, begin, wasDragged };
}

function moveBy({ id, edge, plan, axis }: Drag, pixels: number): Move {
  const segment = plan.byId.get(id);
  if (segment === undefined) throw new Error("the dragged segment is not in the plan");
  const shifted = (at: number) => snap(axis.toTime(Math.max(0, Math.min(axis.height, axis.toY(at) + pixels))));
  return edge === undefined
    ? movedTo(segment, shifted(segment.start))
    : resizedTo(segment, edge, shifted(segment[edge]));
}
