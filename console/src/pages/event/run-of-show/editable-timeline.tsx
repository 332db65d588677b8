import { type KeyboardEvent, useId, useMemo, useRef, useState } from "react";
import { formatClock, formatDuration } from "../../../format/times.ts";
import { axisOf } from "./axis.ts";
import styles from "./editable-timeline.module.css";
import { type Move, type Moves, type Placed, type Plan, planOf, storedMove } from "./layout.ts";
import { movedTo, movesFor, resizedTo, stepFrom } from "./moving.ts";
import { Timeline, type TimelineProps } from "./timeline.tsx";
import { useDrag } from "./use-drag.ts";
import { problemsInWords } from "./words.ts";

type Props = Omit<TimelineProps, "axis" | "draggedId" | "handlersOf" | "boxRef" | "children"> & {
  moves: Moves;
  /** Segments that follow move along. */
  following: boolean;
  onMove: (moves: Moves) => void;
  onUndo: () => void;
};

const pageSteps = 6;
const keySteps: Record<string, number> = { ArrowUp: -1, ArrowDown: 1, PageUp: -pageSteps, PageDown: pageSteps };

/** The timeline with moving and resizing, by pointer and by keyboard. Loaded after the page, and only for those who may. */
export default function EditableTimeline({ moves, following, onMove, onUndo, ...props }: Props) {
  const { plan: stored, segments, zoom, zone, names } = props;
  const helpId = useId();
  const boxes = useRef(new Map<string, HTMLButtonElement>());
  const [said, setSaid] = useState("");
  const planWith = (more: Moves) => planOf(segments, new Map([...moves, ...more]), stored.window);
  const announce = (plan: Plan, id: string) => {
    const segment = plan.byId.get(id);
    if (segment === undefined) return;
    const problems = problemsInWords(plan, id, names).map(({ long }) => ` ${long}.`);
    const times = `${formatClock(segment.start, zone)} to ${formatClock(segment.end, zone)}`;
    setSaid(`${times}, ${formatDuration(segment.end - segment.start)}.${problems.join("")}`);
  };
  const apply = (id: string, next: Moves) => {
    onMove(next);
    announce(planWith(next), id);
    // After the timeline has been drawn.
    requestAnimationFrame(() => boxes.current.get(id)?.scrollIntoView({ block: "nearest" }));
  };
  const { drag, begin, wasDragged } = useDrag({ following, onDrop: apply });
  const dragged = drag?.moves;
  const plan = dragged === undefined ? stored : planWith(dragged);
  const axis = useMemo(() => drag?.axis ?? axisOf(stored, zoom), [drag?.axis, stored, zoom]);

  const onKeyDown = (event: KeyboardEvent, segment: Placed) => {
    const handled = () => {
      event.preventDefault();
      event.stopPropagation();
    };
    const steps = keySteps[event.key];
    const target = focusTarget(event.key, stored, segment.id);
    if (event.key.toLowerCase() === "z" && (event.ctrlKey || event.metaKey)) {
      handled();
      onUndo();
      setSaid("Last move undone.");
    } else if (event.altKey || event.ctrlKey || event.metaKey) return;
    else if (steps !== undefined) {
      handled();
      apply(segment.id, movesFor(stored, segment.id, stepped(segment, steps, event.shiftKey), following));
    } else if (event.key === "Escape" && segment.isMoved) {
      handled();
      apply(segment.id, new Map([[segment.id, storedMove(segment)]]));
    } else if (target !== undefined) {
      handled();
      boxes.current.get(target)?.focus();
    }
  };

  return (
    <Timeline
      {...props}
      plan={plan}
      axis={axis}
      draggedId={dragged === undefined ? undefined : drag?.id}
      onOpen={(id) => !wasDragged.current && props.onOpen(id)}
      boxRef={(id, element) => {
        if (element === null) boxes.current.delete(id);
        else boxes.current.set(id, element);
      }}
      handlersOf={(id) => ({
        describedBy: helpId,
        onKeyDown: (event) => {
          const segment = stored.byId.get(id);
          if (segment !== undefined) onKeyDown(event, segment);
        },
        onPointerDown: (event, edge) => begin(event, id, edge, stored, axis),
      })}
    >
      <span id={helpId} className="visually-hidden">
        Arrow up and down move by 5 minutes, Page up and Page down by 30. With Shift they change the length. Arrow left
        and right go to other segments. Enter opens. Escape puts it back. Control Z undoes the last move.
      </span>
      <span role="status" className="visually-hidden">
        {said}
      </span>
      {dragged !== undefined && drag !== undefined && <DragNote plan={plan} id={drag.id} zone={zone} />}
    </Timeline>
  );
}

function stepped(segment: Placed, steps: number, resize: boolean): Move {
  return resize
    ? resizedTo(segment, "end", stepFrom(segment.end, steps))
    : movedTo(segment, stepFrom(segment.start, steps));
}

function focusTarget(key: string, { placed }: Plan, id: string): string | undefined {
  const index = placed.findIndex((segment) => segment.id === id);
  const targets: Record<string, number> = {
    ArrowLeft: index - 1,
    ArrowRight: index + 1,
    Home: 0,
    End: placed.length - 1,
  };
  return placed[targets[key] ?? -1]?.id;
}

/** The times under the pointer, at the lower edge of the window: the box itself may be too small for them. */
function DragNote({ plan, id, zone }: { plan: Plan; id: string; zone: string }) {
  const segment = plan.byId.get(id);
  if (segment === undefined) return null;
  const { start, end } = segment;
  return (
    <div className={styles.note} aria-hidden="true">
      {formatClock(start, zone)}–{formatClock(end, zone)} · {formatDuration(end - start)}
    </div>
  );
}
