import type { CSSProperties } from "react";
import { countOf, formatCount } from "../../../format/counts.ts";
import { formatClock, formatDuration } from "../../../format/times.ts";
import { classes } from "../../../ui/classes.ts";
import { Icon } from "../../../ui/icon.tsx";
import type { Axis } from "./axis.ts";
import { type Clash, type Overlap, type Plan, stack } from "./layout.ts";
import styles from "./problem-rail.module.css";
import { type Names, nameOf } from "./words.ts";

const [titleHeight, lineHeight, shownClashes] = [40, 20, 3];
/** Below this height, a gap has no room for its own label. */
const smallestGapLabel = 16;

type Note = {
  key: string;
  top: number;
  height: number;
  length: number;
  overlap?: Overlap;
  clashes: Clash[];
  gapMs?: number;
};

/** Beside the timeline: how long each overlap is, and who is in two segments at once. */
export function ProblemRail({ axis, plan, names, zone }: { axis: Axis; plan: Plan; names: Names; zone: string }) {
  const notes = notesOf(plan, axis);
  const tops = stack(notes);
  if (notes.length === 0) return null;
  return (
    <ul className={styles.rail} aria-label="Overlaps">
      {notes.map(({ key, overlap, clashes, top, length, gapMs }, index) => (
        <li key={key} className={classes(clashes.length > 0 && styles.clash, overlap === undefined && styles.gap)}>
          <span className={styles.bracket} style={place(top, length)} aria-hidden="true" />
          <span className={styles.text} style={place(tops[index] ?? top)}>
            {overlap === undefined ? (
              <strong>Gap {formatDuration(gapMs ?? 0)}</strong>
            ) : (
              <>
                <strong>Overlap {formatDuration(overlap.to - overlap.from)}</strong>
                <span>
                  {countOf(overlap.ids.length, "segment")} from {formatClock(overlap.from, zone)}
                </span>
              </>
            )}
            {clashes.slice(0, shownClashes).map(({ speakerId, ids }) => (
              <span key={speakerId} className={styles.speaker}>
                <Icon name="users" size={14} />
                <span>
                  <bdi>{nameOf(names, speakerId)}</bdi> in {formatCount(ids.length)}
                </span>
              </span>
            ))}
            {clashes.length > shownClashes && <span>and {clashes.length - shownClashes} more</span>}
          </span>
        </li>
      ))}
    </ul>
  );
}

function notesOf(plan: Plan, axis: Axis): Note[] {
  const overlaps = plan.overlaps.map((overlap): Note => {
    const top = axis.toY(overlap.from);
    const clashes = plan.clashes.filter(({ from, to }) => from < overlap.to && to > overlap.from);
    const height = titleHeight + Math.min(clashes.length, shownClashes + 1) * lineHeight;
    return { key: `overlap ${overlap.from}`, overlap, clashes, top, height, length: axis.toY(overlap.to) - top };
  });
  const gaps = plan.gaps.flatMap(({ kind, from, to }): Note[] => {
    const top = axis.toY(from);
    const length = axis.toY(to) - top;
    if (kind !== "between" || length >= smallestGapLabel) return [];
    return [{ key: `gap ${from}`, top, length, height: lineHeight, clashes: [], gapMs: to - from }];
  });
  return [...overlaps, ...gaps].toSorted((one, other) => one.top - other.top);
}

const place = (top: number, height?: number) =>
  ({ "--top": `${top}px`, ...(height === undefined ? {} : { "--height": `${height}px` }) }) as CSSProperties;
