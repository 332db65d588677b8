import { canonicalJson } from "../../../contract/canonical-json.js";
import { endOf, overlapsOf, type Timed } from "../../../contract/run-of-show.js";
import type { Warning, WarningCode } from "../../../contract/warnings.js";
import { localClock } from "../../runner/local-times.js";

/** A segment in an event's schedule. */
export type PlacedSegment = Timed & { speaker_ids: string[] };

/** What the warnings about a run of show compare it with. */
export type Schedule = {
  start_time: string;
  end_time: string;
  timezone: string;
  segments: PlacedSegment[];
  speaker_names: Record<string, string>;
};

/** The segments with what a change gives some of them. */
export function withChanged(segments: PlacedSegment[], changed: (Partial<PlacedSegment> & { id: string })[]) {
  const byId = new Map(changed.map((segment) => [segment.id, segment]));
  return segments.map((segment) => ({ ...segment, ...byId.get(segment.id) }));
}

/** What is wrong with the segments of `after` that the schedule does not have, or not so. */
export function scheduleWarnings(schedule: Schedule, after: PlacedSegment[], now = Date.now()): Warning[] {
  const before = new Map(schedule.segments.map((segment) => [segment.id, canonicalJson(placeOf(segment))]));
  const changed = after.filter((segment) => before.get(segment.id) !== canonicalJson(placeOf(segment)));
  const ids = new Set(changed.map(({ id }) => id));
  const overlaps = overlapsOf(after).filter(({ first, second }) => ids.has(first) || ids.has(second));
  const byId = new Map(after.map((segment) => [segment.id, segment]));
  const title = (id: string) => quoted(byId.get(id)?.title ?? id);
  const clashes = overlaps.flatMap(({ first, second }) => {
    const others = new Set(byId.get(second)?.speaker_ids);
    const shared = byId.get(first)?.speaker_ids.filter((id) => others.has(id)) ?? [];
    return shared.map(
      (id) => `${schedule.speaker_names[id] ?? id} is in ${title(first)} and ${title(second)} at the same time`,
    );
  });
  return [
    ...outsideWarnings(schedule, changed, after.length),
    ...listed(
      "segments_overlap",
      overlaps.map(
        ({ first, second, minutes }) => `${title(first)} and ${title(second)} overlap by ${minutes} minutes`,
      ),
    ),
    ...listed("speaker_double_booked", clashes),
    ...listed(
      "in_the_past",
      changed.filter((segment) => Date.parse(segment.start_time) < now).map(({ id }) => `${title(id)} is in the past`),
    ),
  ];
}

/** The segments that do not lie within the event, in one warning; `total` is how many the run of show has. */
export function outsideWarnings(
  event: Pick<Schedule, "start_time" | "end_time" | "timezone">,
  segments: Timed[],
  total = segments.length,
): Warning[] {
  const early = segments.filter(({ start_time }) => start_time < event.start_time);
  const late = segments.filter((segment) => endOf(segment) > event.end_time);
  const first = early.map(({ start_time }) => start_time).sort()[0];
  const last = late.map(endOf).sort().at(-1);
  const outside = [
    { field: "start_time", segments: early, at: first, words: ["begin", "before", "first"] },
    { field: "end_time", segments: late, at: last, words: ["end", "after", "last"] },
  ] as const;
  const clock = clockIn(event.timezone);
  const sentences = outside.flatMap(({ field, segments: [only, ...others], at, words: [verb, place, extreme] }) => {
    if (only === undefined || at === undefined) return [];
    const boundary = `${place} the event (${clock(event[field])})`;
    const time = clock(at, event[field]);
    return others.length === 0
      ? [`${quoted(only.title)} ${verb}s ${boundary}, at ${time}`]
      : [`${others.length + 1} of ${total} segments ${verb} ${boundary}; the ${extreme} at ${time}`];
  });
  if (sentences.length === 0) return [];
  const fields = outside.filter(({ at }) => at !== undefined).map(({ field }) => field);
  const message = `${sentences.join(". ")}. Set ${fields.join(" and ")} with update_event_details`;
  return [{ code: "outside_event", message }];
}

/** The local time, with its date if that is another one than that of `other`. */
function clockIn(timezone: string): (at: string, other?: string) => string {
  const local = localClock(timezone);
  return (at, other = at) => {
    const [day, time] = [local(at).slice(0, 10), local(at).slice(11, 16)];
    return local(other).startsWith(day) ? time : `${day} ${time}`;
  };
}

/** What counts as a changed segment: neither title nor notes. */
function placeOf({ start_time, duration_minutes, speaker_ids }: PlacedSegment) {
  return { start_time, duration_minutes, speaker_ids };
}

const shownOfKind = 5;

/** One warning for each message; those beyond the first few are only counted. */
function listed(code: WarningCode, messages: string[]): Warning[] {
  const more = messages.length - shownOfKind;
  const shown = messages.slice(0, shownOfKind).map((message) => ({ code, message }));
  return more <= 0 ? shown : [...shown, { code, message: `and ${more} more like these` }];
}

function quoted(text: string): string {
  return `“${text}”`;
}
