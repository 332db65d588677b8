import { type CSSProperties, type ReactNode, useMemo } from "react";
import type { Segment } from "../../../../../contract/console/event.ts";
import { formatClock, formatDay, formatDuration } from "../../../format/times.ts";
import { classes } from "../../../ui/classes.ts";
import { Icon } from "../../../ui/icon.tsx";
import { type Axis, axisOf, isBesideEdge, readableHeight, ticksOf } from "./axis.ts";
import { type Gap, lanesOf, minuteMs, type Plan, type Range } from "./layout.ts";
import { ProblemRail } from "./problem-rail.tsx";
import { type BoxHandlers, SegmentBox } from "./segment-box.tsx";
import styles from "./timeline.module.css";
import { type Names, nameOf, problemsInWords, segmentInWords } from "./words.ts";

export type TimelineProps = {
  plan: Plan;
  /** In the order in which they are stored: an element that changes its place in the document loses the focus. */
  segments: readonly Segment[];
  names: Names;
  zone: string;
  zoom: number;
  /** Keeps the axis while something is dragged. */
  axis?: Axis | undefined;
  activeId: string | undefined;
  onActive: (id: string) => void;
  onOpen: (id: string) => void;
  onAdd?: ((gap: Gap) => void) | undefined;
  draggedId?: string | undefined;
  handlersOf?: ((id: string) => BoxHandlers) | undefined;
  boxRef?: (id: string, element: HTMLButtonElement | null) => void;
  /** Beside the boxes, such as announcements. */
  children?: ReactNode;
};

export function Timeline(props: TimelineProps) {
  const { plan, segments, names, zone, zoom, handlersOf, activeId } = props;
  const own = useMemo(() => axisOf(plan, zoom), [plan, zoom]);
  const axis = props.axis ?? own;
  const minimumMs = (readableHeight / axis.pixelsPerMinute) * minuteMs;
  const lanes = useMemo(() => lanesOf(plan.placed, minimumMs), [plan, minimumMs]);
  const most = Math.max(1, ...[...lanes.values()].map((lane) => lane.lanes));
  const tabStop = activeId !== undefined && plan.byId.has(activeId) ? activeId : plan.placed[0]?.id;
  return (
    <div
      className={styles.timeline}
      role="application"
      aria-label="Timeline"
      style={{ "--height": `${axis.height}px`, "--most": most } as CSSProperties}
    >
      <Clock axis={axis} window={plan.window} zone={zone} />
      <div className={styles.scroll}>
        <div className={styles.canvas}>
          <Background axis={axis} plan={plan} zone={zone} />
          <Gaps {...props} axis={axis} />
          <ol className={styles.segments}>
            {segments.map(({ id, speaker_ids }) => {
              const segment = plan.byId.get(id);
              const lane = lanes.get(id);
              if (segment === undefined || lane === undefined) return null;
              const top = axis.toY(segment.start);
              const trueHeight = axis.toY(segment.end) - top;
              return (
                <SegmentBox
                  key={id}
                  segment={segment}
                  speakers={speaker_ids.map((speaker) => nameOf(names, speaker))}
                  problems={problemsInWords(plan, id, names)}
                  label={segmentInWords(plan, segment, names, zone)}
                  zone={zone}
                  place={{ ...lane, top, trueHeight, height: Math.max(trueHeight, readableHeight) }}
                  isDragged={props.draggedId === id}
                  isTabStop={id === tabStop}
                  onFocus={() => props.onActive(id)}
                  onOpen={() => props.onOpen(id)}
                  handlers={handlersOf?.(id)}
                  boxRef={(element) => props.boxRef?.(id, element)}
                />
              );
            })}
          </ol>
        </div>
      </div>
      <ProblemRail axis={axis} plan={plan} names={names} zone={zone} />
      {props.children}
    </div>
  );
}

const at = (top: number, height?: number) =>
  ({ "--top": `${top}px`, ...(height === undefined ? {} : { "--height": `${height}px` }) }) as CSSProperties;

/** The hours. Each segment says its own times. */
function Clock({ axis, window, zone }: { axis: Axis; window: Range; zone: string }) {
  return (
    <div className={styles.clock} aria-hidden="true">
      <EdgeLabel at={window.from} axis={axis} zone={zone}>
        Event starts
      </EdgeLabel>
      <EdgeLabel at={window.to} axis={axis} zone={zone}>
        Event ends
      </EdgeLabel>
      {axis.parts
        .filter(({ kind }) => kind === "time")
        .map((part) => {
          const { ticks, changes } = ticksOf(part, zone, axis.pixelsPerMinute);
          return (
            <div key={part.from}>
              <span className={styles.day} style={at(part.top)}>
                {formatDay(part.from, zone)}
              </span>
              {ticks
                .filter(({ at: time }) => axis.toY(time) - part.top >= readableHeight)
                .filter(({ at: time, isDay }) => isDay || !isBesideEdge(time, window, axis))
                .map(({ at: time, label, isDay }) => (
                  <span
                    key={time}
                    className={classes(styles.hour, isDay && styles.midnight)}
                    style={at(axis.toY(time))}
                  >
                    {isDay && <strong>{formatDay(time, zone)}</strong>}
                    {label}
                  </span>
                ))}
              {changes.map(({ at: time, ms }) => (
                <span key={time} className={styles.change} style={at(axis.toY(time))}>
                  Clocks {ms > 0 ? "forward" : "back"} {formatDuration(Math.abs(ms))}
                </span>
              ))}
            </div>
          );
        })}
    </div>
  );
}

/** When the event starts or ends, which may be between the ticks. */
function EdgeLabel({ at: time, axis, zone, children }: { at: number; axis: Axis; zone: string; children: string }) {
  return (
    <>
      <span className={styles.hour} style={at(axis.toY(time))}>
        {formatClock(time, zone)}
      </span>
      <span className={styles.edgeLabel} style={at(axis.toY(time))}>
        {children}
      </span>
    </>
  );
}

/** Lines of the hours, the event's start and end, and what lies outside of it. */
function Background({ axis, plan: { window }, zone }: { axis: Axis; plan: Plan; zone: string }) {
  const [start, end] = [axis.toY(window.from), axis.toY(window.to)];
  return (
    <div aria-hidden="true">
      {axis.parts.map((part) =>
        part.kind === "break" ? (
          <div key={part.from} className={styles.break} style={at(part.top, part.height)} />
        ) : (
          ticksOf(part, zone, axis.pixelsPerMinute).ticks.map(({ at: time, isDay }) => (
            <div key={time} className={classes(styles.grid, isDay && styles.dayLine)} style={at(axis.toY(time))} />
          ))
        ),
      )}
      <div className={styles.outside} style={at(0, start)} />
      <div className={styles.outside} style={at(end, axis.height - end)} />
      <div className={classes(styles.edge, styles.start)} style={at(start)} />
      <div className={styles.edge} style={at(end)} />
    </div>
  );
}

const gapWords = { between: "Gap", before: "Before the first segment", after: "After the last segment" };

function Gaps({ plan, axis, zone, onAdd }: TimelineProps & { axis: Axis }) {
  return (
    <ul aria-label="Gaps">
      {plan.gaps.map((gap) => {
        const top = axis.toY(gap.from);
        const length = formatDuration(gap.to - gap.from);
        const words = `${gapWords[gap.kind]} · ${length}`;
        return (
          <li key={gap.from} className={classes(styles.gap, styles[gap.kind])} style={at(top, axis.toY(gap.to) - top)}>
            {onAdd === undefined ? (
              <span className={styles.gapLabel}>{words}</span>
            ) : (
              <button
                type="button"
                tabIndex={-1}
                className={styles.gapButton}
                aria-label={`Add a segment at ${formatClock(gap.from, zone)}, ${words}`}
                onClick={() => onAdd(gap)}
              >
                <span className={styles.gapLabel}>{words}</span>
                <span className={styles.gapAdd}>
                  <Icon name="plus" size={14} /> Add a segment
                </span>
              </button>
            )}
          </li>
        );
      })}
    </ul>
  );
}
