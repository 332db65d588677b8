import { type KeyboardEvent, type PointerEvent, type RefCallback, useCallback, useEffect, useRef } from "react";
import { type Crop, moved, type Point, type Region, zoomed } from "./crop-geometry.ts";

type Change = (change: (region: Region) => Region) => void;

const arrows: Partial<Record<string, Point>> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};
const zoomKeys: Partial<Record<string, number>> = { "+": 1.1, "=": 1.1, "-": 1 / 1.1, "−": 1 / 1.1 };
const step = 0.02;
const largeStep = 0.1;
/** How much a picture is enlarged per pixel of the wheel. */
const wheelSpeed = 0.002;

/** What moves and enlarges a picture in its frame: one pointer or two, the wheel, and the keyboard. */
export function useCropGestures(crop: Crop, change: Change) {
  const pointers = useRef(new Map<number, Point>());
  const onPointerMove = (event: PointerEvent<HTMLElement>) => {
    const before = [...pointers.current.values()];
    if (!pointers.current.has(event.pointerId)) return;
    pointers.current.set(event.pointerId, placeIn(event.currentTarget, event));
    const after = [...pointers.current.values()];
    const [from, to] = [middleOf(before), middleOf(after)];
    const spread = spreadOf(before, crop);
    const factor = spread === 0 ? 1 : spreadOf(after, crop) / spread;
    change((region) => zoomed(crop, moved(crop, region, { x: to.x - from.x, y: to.y - from.y }), factor, to));
  };
  const release = ({ pointerId }: PointerEvent) => void pointers.current.delete(pointerId);
  const onKeyDown = (event: KeyboardEvent) => {
    const arrow = arrows[event.key];
    const factor = zoomKeys[event.key];
    if (event.ctrlKey || event.metaKey || (arrow === undefined && factor === undefined)) return;
    event.preventDefault();
    const by = event.shiftKey ? largeStep : step;
    if (arrow !== undefined) change((region) => moved(crop, region, { x: arrow.x * by, y: arrow.y * by }));
    if (factor !== undefined) change((region) => zoomed(crop, region, factor));
  };
  return {
    ref: useWheel((event) => {
      const factor = Math.exp(-event.deltaY * wheelSpeed);
      const around = placeIn(event.currentTarget as HTMLElement, event);
      change((region) => zoomed(crop, region, factor, around));
    }),
    tabIndex: 0,
    onKeyDown,
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      event.currentTarget.setPointerCapture(event.pointerId);
      pointers.current.set(event.pointerId, placeIn(event.currentTarget, event));
    },
    onPointerMove,
    onPointerUp: release,
    onPointerCancel: release,
  };
}

/** React listens to the wheel in a way that cannot keep the dialog from scrolling. */
function useWheel(turn: (event: WheelEvent) => void): RefCallback<HTMLElement> {
  const latest = useRef(turn);
  useEffect(() => {
    latest.current = turn;
  });
  return useCallback((element) => {
    const listen = (event: WheelEvent) => {
      event.preventDefault();
      latest.current(event);
    };
    element?.addEventListener("wheel", listen, { passive: false });
    return () => element?.removeEventListener("wheel", listen);
  }, []);
}

function placeIn(element: HTMLElement, { clientX, clientY }: { clientX: number; clientY: number }): Point {
  const { left, top, width, height } = element.getBoundingClientRect();
  return { x: (clientX - left) / width, y: (clientY - top) / height };
}

function middleOf(points: Point[]): Point {
  const sum = points.reduce((total, { x, y }) => ({ x: total.x + x, y: total.y + y }), { x: 0, y: 0 });
  return { x: sum.x / points.length, y: sum.y / points.length };
}

/** How far two pointers are apart; nothing for one. */
function spreadOf([one, other]: Point[], { ratio }: Crop): number {
  return one === undefined || other === undefined ? 0 : Math.hypot((one.x - other.x) * ratio, one.y - other.y);
}
