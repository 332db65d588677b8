import { randomUUID } from "node:crypto";
import { z } from "zod";
import { fieldError, ServiceError } from "../../../platform/errors.js";
import { exampleIds } from "../../../schema/examples.js";
import { uuid } from "../../../schema/fields.js";
import { defineEventMutation } from "../../../tools/mutation.js";
import { oneOrMany } from "../../../tools/one-or-many.js";
import { saveSegments } from "../change-store.js";
import { endOf, maximumSegments, placed, type Start, shifted, spanOf, startsOf } from "../rules.js";
import { type Segment, segmentInput, shiftFollowing, speakerIds } from "../schema.js";
import {
  getSchedule,
  getSegments,
  getStarts,
  getTimeline,
  requireSpeakers,
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

type NewSegment = Omit<Segment, "id"> & { id: string | null };

/** `next_start` is present only when it decides. `following` are the segments that are shifted. */
type CreateState = {
  next_start?: string;
  segment?: NewSegment | null;
  segments?: NewSegment[];
  following?: Start[];
};

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
  async prepare(_, input) {
    const { rows, isList } = segments.rowsOf(input);
    if (rows[0]?.start_time !== undefined && input.after_segment_id !== undefined) {
      throw fieldError("after_segment_id", "send it or the start_time of the first segment, not both");
    }
    const wanted = rows.map((row) => ({ ...emptySegment, ...row }));
    return { wanted, isList, ids: rows.map(() => randomUUID()) };
  },
  async read({ tx, event }, input, { wanted, isList, ids }, proposed): Promise<CreateState> {
    if (proposed !== undefined) {
      const [stored, following] = await Promise.all([
        getSegments(tx, event.id, ids),
        proposed.following && getStarts(tx, event.id, proposed.following),
      ]);
      return { ...proposed, ...newOnes(stored, isList), ...(following && { following }) };
    }
    const [timeline] = await Promise.all([
      getTimeline(tx, event.id),
      requireSpeakers(
        tx,
        event.id,
        wanted.flatMap(({ speaker_ids }) => speaker_ids),
      ),
    ]);
    requireRoom(timeline.segments.length, wanted.length);
    const nextStart = wanted[0]?.start_time === undefined ? startAfter(timeline, input.after_segment_id) : undefined;
    const { from } = spanOf(placed(wanted, nextStart));
    const following = timeline.segments.filter(({ start_time }) => start_time >= from);
    return {
      ...(nextStart === undefined ? {} : { next_start: nextStart }),
      ...newOnes([], isList),
      ...(input.shift_following && { following: startsOf(following) }),
    };
  },
  propose(current, _, { wanted, isList }) {
    const added = placed(wanted, current.next_start);
    const { minutes } = spanOf(added);
    return {
      ...current,
      ...newOnes(
        added.map((segment) => ({ id: null, ...segment })),
        isList,
      ),
      ...(current.following && { following: shifted(current.following, minutes) }),
    };
  },
  beside: ({ tx, event }) => getSchedule(tx, event.id),
  // Other segments may come and go, and without a start time it comes last, whatever was added meanwhile. But the same
  // segment is not added twice without another look.
  basis({ next_start, following }, input, { segments: existing }) {
    const { rows } = segments.rowsOf(input);
    return {
      same: existing.filter((other) => rows.some((row) => isSame(row, other))).length,
      ...(input.after_segment_id === undefined ? {} : { next_start }),
      following,
    };
  },
  warnings({ proposed, prepared: { ids } }, schedule) {
    const added = rowsOf(proposed).map((segment, place) => ({ ...segment, id: ids[place] ?? "" }));
    return scheduleWarnings(schedule, [...withChanged(schedule.segments, proposed.following ?? []), ...added]);
  },
  async store({ tx, event }, { proposed, prepared: { ids } }) {
    const added = rowsOf(proposed).flatMap((segment, place) =>
      ids[place] === undefined ? [] : [{ ...segment, id: ids[place] }],
    );
    await saveSegments(tx, event.id, { added, changed: proposed.following ?? [] });
  },
});

const emptySegment = { kind: "talk" as const, location: null, speaker_ids: [] as string[], notes: null };

const rowsOf = ({ segment, segments: rows }: CreateState): NewSegment[] => rows ?? (segment == null ? [] : [segment]);

const isSame = (row: { title: string; start_time?: string }, other: Start) =>
  other.title === row.title && (row.start_time ?? other.start_time) === other.start_time;

function newOnes(rows: NewSegment[], isList: boolean): Pick<CreateState, "segment" | "segments"> {
  return isList ? { segments: rows } : { segment: rows[0] ?? null };
}

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
