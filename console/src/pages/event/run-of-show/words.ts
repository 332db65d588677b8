import type { SegmentKind } from "../../../../../contract/nouns.ts";
import { countOf, listOf } from "../../../format/counts.ts";
import { formatClock, formatDay, formatDuration } from "../../../format/times.ts";
import type { Placed, Plan, Problems } from "./layout.ts";

/** What the timeline, the list and screen readers say about segments. */

export const kindNames: Record<SegmentKind, string> = {
  talk: "Talk",
  panel: "Panel",
  break: "Break",
  performance: "Performance",
  logistics: "Logistics",
  other: "Other",
};

/** Names of speakers by id. */
export type Names = ReadonlyMap<string, string>;

export const nameOf = (names: Names, id: string): string => names.get(id) ?? "Unknown speaker";

/** "18:00–18:30", or "23:30–00:30 (Fri 2 May)" over midnight. */
export function clockRange({ start, end }: Pick<Placed, "start" | "end">, zone: string): string {
  const range = `${formatClock(start, zone)}–${formatClock(end, zone)}`;
  const lastDay = formatDay(end, zone);
  return lastDay === formatDay(start, zone) ? range : `${range} (${lastDay})`;
}

const isFine = ({ overlaps, clashes, earlyMs, lateMs }: Problems): boolean =>
  overlaps.length + clashes.length + earlyMs + lateMs === 0;

export type ProblemWords = { kind: "clash" | "overlap" | "outside"; short: string; long: string };

const listed = 3;

/** One line for each kind of problem of a segment, the worst first. */
export function problemsInWords(plan: Plan, id: string, names: Names): ProblemWords[] {
  const problems = plan.problems.get(id);
  if (problems === undefined || isFine(problems)) return [];
  const titleOf = (other: string) => plan.byId.get(other)?.title ?? "another segment";
  const words: ProblemWords[] = [];
  const clashing = [...new Set(problems.clashes.map(({ speakerId }) => nameOf(names, speakerId)))];
  if (clashing.length > 0) {
    const others = [...new Set(problems.clashes.map((clash) => titleOf(clash.id)))];
    words.push({
      kind: "clash",
      short: `${few(clashing)} also elsewhere`,
      long: `${few(clashing)} ${clashing.length === 1 ? "is" : "are"} in ${few(others)} at the same time`,
    });
  }
  if (problems.overlaps.length > 0) {
    const longest = Math.max(...problems.overlaps.map(({ ms }) => ms));
    const others = problems.overlaps.map((overlap) => titleOf(overlap.id));
    words.push({
      kind: "overlap",
      short: `Overlap ${formatDuration(longest)}`,
      long: `Overlaps ${formatDuration(longest)} with ${few(others)}`,
    });
  }
  const outside = outsideWords(problems);
  if (outside !== undefined) words.push({ kind: "outside", short: outside, long: `${outside} of the event` });
  return words;
}

function outsideWords({ earlyMs, lateMs }: Problems): string | undefined {
  const parts = [
    ...(earlyMs > 0 ? [`${formatDuration(earlyMs)} before the start`] : []),
    ...(lateMs > 0 ? [`${formatDuration(lateMs)} after the end`] : []),
  ];
  return parts.length === 0 ? undefined : listOf(parts);
}

function few(items: string[]): string {
  return items.length <= listed
    ? listOf(items)
    : listOf([...items.slice(0, listed), countOf(items.length - listed, "other")]);
}

/** The whole segment in one sentence, for screen readers. */
export function segmentInWords(plan: Plan, segment: Placed, names: Names, zone: string): string {
  const { title, kind, start, end, location, speaker_ids, isMoved } = segment;
  const facts = [
    title,
    kindNames[kind].toLowerCase(),
    `${formatClock(start, zone)} to ${formatClock(end, zone)}`,
    formatDuration(end - start),
    ...(location === null ? [] : [location]),
    ...speaker_ids.map((id) => nameOf(names, id)),
  ].join(", ");
  const problems = problemsInWords(plan, segment.id, names).map(({ long }) => ` ${long}.`);
  return `${facts}.${problems.join("")}${isMoved ? " Not saved yet." : ""}`;
}
