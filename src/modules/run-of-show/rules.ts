/** Durations are elapsed minutes, so a daylight saving change never changes a length. */

export type Timed = { id: string; title: string; start_time: string; duration_minutes: number };

/** As many as one reordering accepts. */
export const maximumSegments = 500;

export type Gap = { after: string; before: string; from: string; to: string; minutes: number };
export type Overlap = { first: string; second: string; from: string; to: string; minutes: number };

export function endOf(segment: Pick<Timed, "start_time" | "duration_minutes">): string {
  return new Date(Date.parse(segment.start_time) + segment.duration_minutes * minuteMs).toISOString();
}

/** The gaps between the first start and the last end. */
export function gapsOf(segments: Timed[]): Gap[] {
  const gaps: Gap[] = [];
  let latest: Timed | undefined;
  for (const segment of inOrder(segments)) {
    if (latest !== undefined && endOf(latest) < segment.start_time) {
      const from = endOf(latest);
      const to = segment.start_time;
      gaps.push({ after: latest.id, before: segment.id, from, to, minutes: minutesBetween(from, to) });
    }
    if (latest === undefined || endOf(segment) > endOf(latest)) latest = segment;
  }
  return gaps;
}

/** Every pair of segments that overlap. */
export function overlapsOf(segments: Timed[]): Overlap[] {
  const sorted = inOrder(segments).map((segment) => ({ ...segment, end: endOf(segment) }));
  return sorted.flatMap((first, index) => {
    const overlaps: Overlap[] = [];
    for (const second of sorted.slice(index + 1)) {
      if (second.start_time >= first.end) break;
      const from = second.start_time;
      const to = first.end < second.end ? first.end : second.end;
      overlaps.push({ first: first.id, second: second.id, from, to, minutes: minutesBetween(from, to) });
    }
    return overlaps;
  });
}

/** The segments back to back in a new order, from the earliest start. */
export function inNewOrder<Segment extends Timed>(segments: Segment[], ids: string[]): Segment[] {
  const byId = new Map(segments.map((segment) => [segment.id, segment]));
  let start = inOrder(segments)[0]?.start_time ?? "";
  return ids.flatMap((id) => {
    const segment = byId.get(id);
    if (segment === undefined) return [];
    const moved = { ...segment, start_time: start };
    start = endOf(moved);
    return [moved];
  });
}

/** Formats instants as ISO 8601 with the zone's offset at that time, such as 2027-03-28T03:30+01:00. */
export function localClock(timezone: string): (timestamp: string) => string {
  const format = new Intl.DateTimeFormat("en-GB", {
    timeZone: timezone,
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
    timeZoneName: "longOffset",
  });
  return (timestamp) => {
    const parts = Object.fromEntries(format.formatToParts(new Date(timestamp)).map(({ type, value }) => [type, value]));
    const offset = parts.timeZoneName?.replace("GMT", "") || "+00:00";
    return `${parts.year}-${parts.month}-${parts.day}T${parts.hour}:${parts.minute}${offset}`;
  };
}

const minuteMs = 60_000;

function inOrder<Segment extends Timed>(segments: Segment[]): Segment[] {
  return segments.toSorted((a, b) => (a.start_time < b.start_time ? -1 : a.start_time > b.start_time ? 1 : 0));
}

function minutesBetween(from: string, to: string): number {
  return (Date.parse(to) - Date.parse(from)) / minuteMs;
}
