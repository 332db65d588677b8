import type { FieldChange, Json, Preview } from "../../api/tools.ts";
import { type Difference, describeValue, wordsOf } from "../../format/differences.ts";
import { formatDuration } from "../../format/times.ts";
import { minuteMs, type SegmentKind } from "./layout.ts";
import { kindNames, type Names, nameOf } from "./words.ts";

/** Differences of segments in words: speakers by name, lengths as lengths. Of several segments, each with its title. */
export function segmentDifferences(preview: Preview, names: Names, zone: string): Difference[] {
  const titles = titlesIn(preview.current);
  return preview.changes.flatMap(({ path, from, to }) => {
    if (from === null && isRow(to)) return wholeSegment(to, "added", names, zone);
    if (isRow(from) && to === null) return wholeSegment(from, "removed", names, zone);
    const [, id, field] = /^\w+\[([^\]]+)\]\.(.+)$/.exec(path) ?? [];
    if (id === undefined || field === undefined) {
      return [differenceOf({ path: path.replace(/^segment\./, ""), from, to }, names, zone)];
    }
    const difference = differenceOf({ path: field, from, to }, names, zone);
    return [{ ...difference, label: `${titles.get(id) ?? ""} › ${difference.label}` }];
  });
}

type Row = { id: string | null; title: string };

const isRow = (value: unknown): value is Json & Row =>
  typeof value === "object" && value !== null && "title" in value && "id" in value;

function titlesIn(state: Json): Map<string, string> {
  const rows = Object.values(state).flat().filter(isRow);
  return new Map(rows.map(({ id, title }) => [String(id), title]));
}

function differenceOf({ path, from, to }: FieldChange, names: Names, zone: string): Difference {
  const label = labels[path] ?? wordsOf(path);
  if (path === "notes" && typeof from === "string" && typeof to === "string") return { kind: "text", label, from, to };
  return { kind: "value", label, from: wordsFor(path, from, names, zone), to: wordsFor(path, to, names, zone) };
}

function wholeSegment(segment: Json, change: "added" | "removed", names: Names, zone: string): Difference[] {
  const fields = Object.entries(segment).flatMap(([path, value]) => {
    const words = path === "id" || path === "title" ? null : wordsFor(path, value, names, zone);
    return words === null ? [] : [{ name: labels[path] ?? wordsOf(path), value: words }];
  });
  return [{ kind: "row", label: String(segment.title), change, fields }];
}

const labels: Record<string, string> = { start_time: "Start", duration_minutes: "Length", speaker_ids: "Speakers" };

function wordsFor(path: string, value: unknown, names: Names, zone: string): string | null {
  if (path === "duration_minutes" && typeof value === "number") return formatDuration(value * minuteMs);
  if (path === "kind" && typeof value === "string") return kindNames[value as SegmentKind] ?? value;
  if (path === "speaker_ids" && Array.isArray(value))
    return value.length === 0 ? null : value.map((id) => nameOf(names, String(id))).join(", ");
  return describeValue(value, zone);
}
