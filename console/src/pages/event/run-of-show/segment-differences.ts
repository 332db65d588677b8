import type { SpeakerName } from "../../../../../contract/console/event.ts";
import type { SegmentKind } from "../../../../../contract/nouns.ts";
import type { FieldChange, Json, Preview } from "../../../api/tools.ts";
import { type Difference, describeValue, wordsOf } from "../../../format/differences.ts";
import { formatDuration } from "../../../format/times.ts";
import { minuteMs } from "./layout.ts";
import { kindNames } from "./words.ts";

/** Differences of segments in words: speakers by name, lengths as lengths. Of several segments, each with its title. */
export function segmentDifferences({ changes, current, proposed }: Preview, zone: string): Difference[] {
  const [before, after] = [rowsById(current), rowsById(proposed)];
  const isOne = new Set(changes.map(({ path }) => idIn(path))).size === 1;
  const speakersOf = (rows: Map<string, Row>, id: string) => rows.get(id)?.speakers ?? [];
  const differences = changes.map(({ path, from, to }) => {
    if (from === null && isRow(to)) return wholeSegment(to, "added", zone);
    if (isRow(from) && to === null) return wholeSegment(from, "removed", zone);
    const id = idIn(path);
    const field = path.replace(/^\w+\[[^\]]+\]\./, "");
    const change = field.startsWith("speakers")
      ? { path: "speakers", from: speakersOf(before, id), to: speakersOf(after, id) }
      : { path: field, from, to };
    const difference = differenceOf(change, zone);
    return isOne ? difference : { ...difference, label: `${before.get(id)?.title ?? ""} › ${difference.label}` };
  });
  // Each speaker who comes or goes is a change of the same list.
  return [...new Map(differences.map((difference) => [JSON.stringify(difference), difference])).values()];
}

type Row = Json & { id: string | null; title: string; speakers?: SpeakerName[] };

const isRow = (value: unknown): value is Row =>
  typeof value === "object" && value !== null && "title" in value && "id" in value;

const rowsById = ({ segments }: Json): Map<string, Row> =>
  new Map(([segments].flat().filter(isRow) as Row[]).map((row) => [String(row.id), row]));

const idIn = (path: string): string => /^\w+\[([^\]]+)\]/.exec(path)?.[1] ?? "";

function differenceOf({ path, from, to }: FieldChange, zone: string): Difference {
  const label = labels[path] ?? wordsOf(path);
  if (path === "notes" && typeof from === "string" && typeof to === "string") return { kind: "text", label, from, to };
  return { kind: "value", label, from: wordsFor(path, from, zone), to: wordsFor(path, to, zone) };
}

function wholeSegment(segment: Row, change: "added" | "removed", zone: string): Difference {
  const fields = Object.entries(segment).flatMap(([path, value]) => {
    const words = path === "id" || path === "title" ? null : wordsFor(path, value, zone);
    return words === null ? [] : [{ name: labels[path] ?? wordsOf(path), value: words }];
  });
  return { kind: "row", label: segment.title, change, fields };
}

const labels: Record<string, string> = { start_time: "Start", duration_minutes: "Length" };

function wordsFor(path: string, value: unknown, zone: string): string | null {
  if (path === "duration_minutes" && typeof value === "number") return formatDuration(value * minuteMs);
  if (path === "kind" && typeof value === "string") return kindNames[value as SegmentKind] ?? value;
  return describeValue(value, zone);
}
