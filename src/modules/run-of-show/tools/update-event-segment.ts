import { z } from "zod";
import { changedFields } from "../../../../contract/changes.js";
import { fieldError } from "../../../../contract/errors.js";
import {
  maximumSegments,
  type Start,
  shifted,
  startsOf,
  startsWithFollowing,
  type Timed,
} from "../../../../contract/run-of-show.js";
import { integer, uuid } from "../../../../contract/schema/fields.js";
import { changesOf } from "../../../../contract/schema/noun.js";
import { type Segment, segmentInput, shiftFollowing, speakerIds } from "../../../../contract/schema/run-of-show.js";
import { someOf } from "../../../../contract/shortened.js";
import type { Queryable } from "../../../infra/database/db.js";
import { defineEventMutation } from "../../../runner/mutation.js";
import { oneOrMany } from "../../../runner/one-or-many.js";
import { exampleIds } from "../../../schema/examples.js";
import { readSpeakers, type ShownSegment, shownSegment, speakersOf, storedSegment } from "../shown-segment.js";
import { getSchedule, getSegments, listSegmentTimes, saveSegments } from "../store.js";
import { scheduleWarnings, withChanged } from "../warnings.js";

const segments = oneOrMany("segments", maximumSegments, {
  segment_id: uuid,
  ...changesOf({ ...segmentInput, speaker_ids: speakerIds }),
});

/** A week, the longest duration of a segment. */
const longestShift = 10_080;

type Changed = Partial<ShownSegment> & { id: string; title: string };

/** The segments that the request names, and after them those that move with them. */
type UpdateState = { segments: Changed[] };

export const updateEventSegment = defineEventMutation({
  name: "update_event_segment",
  title: "Change segments",
  group: "production",
  description:
    "Change one segment, or several in `segments`. Send only what changes; speaker_ids is replaced as a whole. shift_following moves the segments after a changed one along with its end; shift_all_minutes, sent alone, moves the whole run of show.",
  scope: "events:write",
  role: "admin",
  example: { event_id: exampleIds.event, segment_id: exampleIds.segments[1], duration_minutes: 10 },
  event: "host_or_co_host",
  destructive: true,
  input: z.object({
    ...segments.fields,
    shift_following: shiftFollowing,
    shift_all_minutes: integer(-longestShift, longestShift).exactOptional(),
  }),
  async prepare({ db, event }, { shift_all_minutes: minutes, shift_following: _following, ...own }) {
    if (minutes !== undefined) {
      const others = Object.keys(own);
      if (others.length > 0) throw fieldError("shift_all_minutes", `send it alone, without ${others.join(", ")}`);
      return { changes: [], speakers: [] };
    }
    const { rows } = segments.rowsOf(own);
    const ids = rows.map(({ segment_id }) => segment_id);
    const repeated = ids.filter((id, index) => ids.indexOf(id) !== index);
    if (repeated.length > 0) throw fieldError("segments", `expected each segment once; repeated: ${someOf(repeated)}`);
    const speakers = await readSpeakers(db, event.id, speakersOf(rows));
    return { changes: rows.map(({ segment_id: id, ...fields }) => ({ id, fields })), speakers };
  },
  async read({ tx, event }, input, { changes, speakers }, proposed): Promise<UpdateState> {
    const { shift_all_minutes: all, shift_following: shifts } = input;
    if (all !== undefined) return { segments: startsOf(await listSegmentTimes(tx, event.id)) };
    const [stored, following] = await Promise.all([
      getSegments(
        tx,
        event.id,
        changes.map(({ id }) => id),
      ),
      shifts ? readFollowing(tx, event.id, changes, proposed) : [],
      readSpeakers(tx, event.id, speakersOf(changes.map(({ fields }) => fields))),
    ]);
    const named = stored.map((segment, index) =>
      shownSegment(shownFields(segment, changes[index]?.fields ?? {}, shifts), speakers),
    );
    return { segments: [...named, ...following] };
  },
  propose(current, { shift_all_minutes: minutes, shift_following: shifts }, { changes, speakers }) {
    if (minutes !== undefined) return { segments: startsOf(shifted(current.segments.map(timed), minutes)) };
    const starts = shifts ? startsWithFollowing(current.segments.map(timed), changes) : undefined;
    const fields = new Map(changes.map((change) => [change.id, shownSegment(change.fields, speakers)]));
    return {
      segments: current.segments.map((row) => ({
        ...row,
        ...fields.get(row.id),
        ...(starts && { start_time: starts.get(row.id) ?? "" }),
      })),
    };
  },
  related: ({ tx, event }) => getSchedule(tx, event.id),
  warnings: ({ proposed }, schedule) =>
    scheduleWarnings(schedule, withChanged(schedule.segments, proposed.segments.map(storedSegment))),
  async store({ tx, event }, { current, proposed }) {
    const changed = proposed.segments.map((row, index) => ({
      ...storedSegment(changedFields(current.segments[index] ?? row, row)),
      id: row.id,
    }));
    await saveSegments(tx, event.id, { changed });
  },
});

type SegmentChange = { id: string; fields: Partial<Segment> };

/** Only what changes, because notes can be long, and the title, which identifies the segment. */
function shownFields(
  segment: Segment,
  fields: Partial<Segment>,
  shifts: boolean,
): Partial<Segment> & { id: string; title: string } {
  const { id, title, start_time, duration_minutes } = segment;
  const names = Object.keys(fields) as (keyof Segment)[];
  return {
    id,
    title,
    ...(shifts && { start_time, duration_minutes }),
    ...Object.fromEntries(names.map((name) => [name, segment[name]])),
  };
}

/** The segments that move with those that are changed; after the change, the same ones. */
async function readFollowing(
  tx: Queryable,
  eventId: string,
  changes: SegmentChange[],
  proposed: UpdateState | undefined,
): Promise<Start[]> {
  const timeline = await listSegmentTimes(tx, eventId);
  const named = new Set(changes.map(({ id }) => id));
  const moved =
    proposed === undefined
      ? movedBy(timeline, changes)
      : new Set(proposed.segments.map(({ id }) => id).filter((id) => !named.has(id)));
  return startsOf(timeline.filter(({ id }) => moved.has(id)));
}

function movedBy(timeline: Timed[], changes: SegmentChange[]): Set<string> {
  const starts = startsWithFollowing(timeline, changes);
  const changed = new Set(changes.map(({ id }) => id));
  const moved = timeline.filter(({ id, start_time }) => !changed.has(id) && starts.get(id) !== start_time);
  return new Set(moved.map(({ id }) => id));
}

/** Where only the start is known, the duration does not matter: nothing follows the segment. */
const timed = ({ id, title, start_time = "", duration_minutes = 0 }: Changed): Timed => ({
  id,
  title,
  start_time,
  duration_minutes,
});
