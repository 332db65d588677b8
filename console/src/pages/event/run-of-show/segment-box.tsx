import type { CSSProperties, KeyboardEvent, PointerEvent, Ref } from "react";
import { classes } from "../../../ui/classes.ts";
import { Icon, type IconName } from "../../../ui/icon.tsx";
import type { Lane, Placed } from "./layout.ts";
import type { Edge } from "./moving.ts";
import styles from "./segment-box.module.css";
import { clockRange, kindNames, type ProblemWords } from "./words.ts";

/** What makes a segment movable; without it, it can only be opened. */
export type BoxHandlers = {
  onKeyDown: (event: KeyboardEvent) => void;
  /** `edge`: which one is dragged; undefined: the whole segment. */
  onPointerDown: (event: PointerEvent, edge: Edge | undefined) => void;
  describedBy: string;
};

type Props = {
  segment: Placed;
  speakers: string[];
  problems: ProblemWords[];
  label: string;
  zone: string;
  place: Lane & { top: number; height: number; trueHeight: number };
  isDragged: boolean;
  /** One box of the timeline is in the order of the Tab key; arrow keys lead to the others. */
  isTabStop: boolean;
  onFocus: () => void;
  onOpen: () => void;
  handlers: BoxHandlers | undefined;
  boxRef: Ref<HTMLButtonElement>;
};

export const problemIcons: Record<ProblemWords["kind"], IconName> = {
  clash: "users",
  overlap: "copy",
  outside: "clock",
};

export function SegmentBox(props: Props) {
  const { segment, speakers, problems, label, zone, place, isDragged, handlers } = props;
  const { title, kind, location, isMoved } = segment;
  const details = [location, ...speakers].filter((detail) => detail !== null);
  const [worst] = problems;
  return (
    <li
      className={classes(
        styles.box,
        styles[kind],
        isMoved && styles.moved,
        isDragged && styles.dragged,
        worst !== undefined && styles[worst.kind],
        handlers !== undefined && styles.movable,
      )}
      style={placeStyle(place)}
    >
      <span className={styles.bar} aria-hidden="true" />
      <button
        type="button"
        ref={props.boxRef}
        data-segment={segment.id}
        className={styles.button}
        aria-label={label}
        title={`${title}, ${clockRange(segment, zone)}`}
        tabIndex={props.isTabStop ? 0 : -1}
        onFocus={props.onFocus}
        onClick={props.onOpen}
        {...(handlers === undefined
          ? {}
          : {
              "aria-describedby": handlers.describedBy,
              onKeyDown: handlers.onKeyDown,
              onPointerDown: (event) => handlers.onPointerDown(event, undefined),
            })}
      >
        <span className="flex centered gap-2 shrinks">
          <span className={styles.title} dir="auto">
            {title}
          </span>
          {isMoved && <span className={styles.unsaved}>Not saved</span>}
          <span className={styles.time}>{clockRange(segment, zone)}</span>
          {problems.map((problem) => (
            <span key={problem.kind} className={styles.problemIcon}>
              <Icon name={problemIcons[problem.kind]} size={14} />
            </span>
          ))}
        </span>
        <span className={styles.facts}>
          <bdi>{[kindNames[kind], ...details].join(" · ")}</bdi>
        </span>
        <span className={styles.problems}>
          {problems.map((problem) => (
            <span key={problem.kind} className={styles.problem} data-kind={problem.kind}>
              <Icon name={problemIcons[problem.kind]} size={14} />
              {problem.short}
            </span>
          ))}
        </span>
      </button>
      {handlers !== undefined && <Handles handlers={handlers} />}
    </li>
  );
}

/** For pointers and fingers; the keyboard has Shift with the arrow keys. */
function Handles({ handlers: { onPointerDown } }: { handlers: BoxHandlers }) {
  return (
    <>
      <span className={styles.grip} aria-hidden="true" onPointerDown={(event) => onPointerDown(event, undefined)}>
        <Icon name="drag" size={14} />
      </span>
      <span
        className={styles.startHandle}
        data-handle="start"
        aria-hidden="true"
        onPointerDown={(event) => onPointerDown(event, "start")}
      />
      <span
        className={styles.endHandle}
        data-handle="end"
        aria-hidden="true"
        onPointerDown={(event) => onPointerDown(event, "end")}
      />
    </>
  );
}

function placeStyle({ top, height, trueHeight, lane, lanes }: Props["place"]): CSSProperties {
  const values = {
    "--top": `${top}px`,
    "--height": `${height}px`,
    "--true-height": `${trueHeight}px`,
    "--lane": lane,
    "--lanes": lanes,
  };
  return values as CSSProperties;
}
