import type { FieldChange, Json, Preview } from "../../api/tools.ts";
import { type Difference, describeValue, wordsOf } from "../../format/differences.ts";
import { formatDuration } from "../../format/times.ts";
import { minuteMs, type SegmentKind } from "./layout.ts";
import { kindNames, type Names, nameOf } from "./words.ts";

/** The difference of one segment in words: speakers by name, lengths as lengths. */
export function segmentDifferences({ changes }: Preview, names: Names, zone: string): Difference[] {
  return changes.flatMap(({ path, from, to }) => {
    if (path === "segment" && from === null) return newSegment(to as Json, names, zone);
    return [differenceOf({ path: path.replace(/^segment\./, ""), from, to }, names, zone)];
  });
}

function differenceOf({ path, from, to }: FieldChange, names: Names, zone: string): Difference {
  const label = labels[path] ?? wordsOf(path);
  if (path === "notes" && typeof from === "string" && typeof to === "string") return { kind: "text", label, from, to };
  return { kind: "value", label, from: wordsFor(path, from, names, zone), to: wordsFor(path, to, names, zone) };
}

function newSegment(segment: Json, names: Names, zone: string): Difference[] {
  const fields = Object.entries(segment).flatMap(([path, value]) => {
    const words = path === "id" || path === "title" ? null : wordsFor(path, value, names, zone);
    return words === null ? [] : [{ name: labels[path] ?? wordsOf(path), value: words }];
  });
  return [{ kind: "row", label: String(segment.title), change: "added", fields }];
}

const labels: Record<string, string> = { start_time: "Start", duration_minutes: "Length", speaker_ids: "Speakers" };

function wordsFor(path: string, value: unknown, names: Names, zone: string): string | null {
  if (path === "duration_minutes" && typeof value === "number") return formatDuration(value * minuteMs);
  if (path === "kind" && typeof value === "string") return kindNames[value as SegmentKind] ?? value;
  if (path === "speaker_ids" && Array.isArray(value))
    return value.length === 0 ? null : value.map((id) => nameOf(names, String(id))).join(", ");
  return describeValue(value, zone);
}
