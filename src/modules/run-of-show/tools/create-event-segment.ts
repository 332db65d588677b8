import { randomUUID } from "node:crypto";
import { z } from "zod";
import { fieldError, ServiceError } from "../../../../contract/errors.js";
import {
  byStart,
  endOf,
  maximumSegments,
  placed,
  type Start,
  shifted,
  spanOf,
  startsOf,
  type Timed,
} from "../../../../contract/run-of-show.js";
import { uuid } from "../../../../contract/schema/fields.js";
import { segmentInput, shiftFollowing, speakerIds } from "../../../../contract/schema/run-of-show.js";
import { defineEventMutation } from "../../../runner/mutation.js";
import { oneOrMany } from "../../../runner/one-or-many.js";
import { exampleIds } from "../../../schema/examples.js";
import { readSpeakers, type ShownSegment, shownSegment, speakersOf, storedSegment } from "../shown-segment.js";
import {
  getSchedule,
  getSegments,
  getTimeline,
  listSegmentTimes,
  saveSegments,
  type Timeline,
  unknownSegments,
} from "../store.js";
import { scheduleWarnings, withChanged } from "../warnings.js";

const segments = oneOrMany("segments", 50, {
  title: segmentInput.title,
  duration_minutes: segmentInput.duration_minutes,
  kind: segmentInput.kind.exactOptional().meta({ default: "talk" }),
  start_time: segmentInput.start_time.exactOptional(),
  location: segmentInput.location.exactOptional(),
  speaker_ids: speakerIds.exactOptional(),
  notes: segmentInput.notes.exactOptional().meta({ description: "for the crew only" }),
});

type NewSegment = Omit<ShownSegment, "id"> & { id: string | null };

/** The run of show by start; new segments have all their fields. `next_start` is present only when it decides. */
type CreateState = { next_start?: string; segments: (Timed | NewSegment)[] };

export const createEventSegment = defineEventMutation({
  name: "create_event_segment",
  title: "Add segments",
  group: "production",
  description:
    "Add one segment to the run of show, or up to 50 in `segments`. Without start_time, the first one starts when after_segment_id, or else the last segment, ends, and the others follow. shift_following moves later segments by the added length.",
  scope: "events:write",
  role: "admin",
  example: { event_id: exampleIds.event, title: "Closing words", kind: "talk", duration_minutes: 15 },
  event: "host_or_co_host",
  destructive: false,
  input: z.object({ ...segments.fields, after_segment_id: uuid.exactOptional(), shift_following: shiftFollowing }),
  async prepare({ db, event }, input) {
    const { rows } = segments.rowsOf(input);
    if (rows[0]?.start_time !== undefined && input.after_segment_id !== undefined) {
      throw fieldError("after_segment_id", "send it or the start_time of the first segment, not both");
    }
    const speakers = await readSpeakers(db, event.id, speakersOf(rows));
    const wanted = rows.map((row) => ({ ...emptySegment, ...row }));
    return { wanted, speakers, ids: rows.map(() => randomUUID() as string) };
  },
  async read({ tx, event }, input, { wanted, speakers, ids }, proposed): Promise<CreateState> {
    if (proposed !== undefined) {
      const [times, added] = await Promise.all([listSegmentTimes(tx, event.id), getSegments(tx, event.id, ids)]);
      const shown = new Map(added.map((segment) => [segment.id, shownSegment(segment, speakers)]));
      return { ...proposed, segments: times.map((segment) => shown.get(segment.id) ?? segment) };
    }
    const [timeline] = await Promise.all([
      getTimeline(tx, event.id),
      readSpeakers(tx, event.id, speakersOf(segments.rowsOf(input).rows)),
    ]);
    requireRoom(timeline.segments.length, wanted.length);
    const next_start = wanted[0]?.start_time === undefined ? startAfter(timeline, input.after_segment_id) : undefined;
    return { ...(next_start === undefined ? {} : { next_start }), segments: timeline.segments };
  },
  propose(current, input, { wanted, speakers }) {
    const added = placed(wanted, current.next_start).map((segment) => ({
      id: null,
      ...shownSegment(segment, speakers),
    }));
    const { from, minutes } = spanOf(added);
    const moved = current.segments.flatMap((segment) =>
      input.shift_following && segment.start_time >= from ? shifted([segment], minutes) : [segment],
    );
    return { ...current, segments: byStart([...moved, ...added]) };
  },
  related: ({ tx, event }) => getSchedule(tx, event.id),
  // Other segments may come and go, and without a start time it comes last, whatever was added meanwhile. But the same
  // segment is not added twice without another look.
  basis({ next_start }, input, { segments: existing }) {
    const { rows } = segments.rowsOf(input);
    const { from } = spanOf(placed(rows, next_start));
    return {
      same: existing.filter((other) => rows.some((row) => isSame(row, other))).length,
      ...(input.after_segment_id === undefined ? {} : { next_start }),
      ...(input.shift_following && { following: startsOf(existing.filter((other) => other.start_time >= from)) }),
    };
  },
  warnings({ proposed, prepared: { ids } }, schedule) {
    const { added, others } = rowsOf(proposed, ids);
    return scheduleWarnings(schedule, [...withChanged(schedule.segments, others), ...added]);
  },
  async store({ tx, event }, { current, proposed, prepared: { ids } }) {
    const { added, others } = rowsOf(proposed, ids);
    const starts = new Map(current.segments.map(({ id, start_time }) => [id, start_time]));
    await saveSegments(tx, event.id, {
      added,
      changed: startsOf(others).filter(({ id, start_time }) => starts.get(id) !== start_time),
    });
  },
  report({ current, proposed: { segments: rows } }) {
    const known = new Set(current.segments.map(({ id }) => id));
    const created = rows.flatMap(({ id, title }) => (id === null || known.has(id) ? [] : [{ id, title }]));
    return created.length === 0 ? {} : { created };
  },
});

const emptySegment = { kind: "talk" as const, location: null, speaker_ids: [] as string[], notes: null };

/** The new segments with the ids that they get, and those that there are. */
function rowsOf({ segments: rows }: CreateState, ids: string[]) {
  const added = rows.filter((row): row is NewSegment => row.id === null);
  return {
    added: added.map((segment, index) => ({ ...storedSegment(segment), id: ids[index] ?? "" })),
    others: rows.filter((row): row is Timed => row.id !== null),
  };
}

const isSame = (row: { title: string; start_time?: string }, other: Start) =>
  other.title === row.title && (row.start_time ?? other.start_time) === other.start_time;

function requireRoom(existing: number, added: number): void {
  if (existing + added <= maximumSegments) return;
  throw new ServiceError(
    "conflict",
    `A run of show has at most ${maximumSegments} segments, and this one has ${existing}. Nothing was changed. Add at most ${Math.max(0, maximumSegments - existing)}, or remove some with remove_event_segment`,
  );
}

/** When the named segment ends, or the last one; the event's start if there are none. */
function startAfter({ start, segments: existing }: Timeline, afterId: string | undefined): string {
  if (afterId === undefined) {
    const [first = start, ...ends] = existing.map(endOf);
    return ends.reduce((last, end) => (end > last ? end : last), first);
  }
  const segment = existing.find(({ id }) => id === afterId);
  if (segment === undefined) throw unknownSegments([afterId]);
  return endOf(segment);
}
