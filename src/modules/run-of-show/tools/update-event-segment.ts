import { z } from "zod";
import type { Queryable } from "../../../platform/database/db.js";
import { fieldError } from "../../../platform/errors.js";
import { exampleIds } from "../../../schema/examples.js";
import { integer, uuid } from "../../../schema/fields.js";
import { changesOf } from "../../../schema/noun.js";
import { someOf } from "../../../tools/bounded.js";
import { changedFields } from "../../../tools/changes.js";
import { defineEventMutation } from "../../../tools/mutation.js";
import { oneOrMany } from "../../../tools/one-or-many.js";
import { saveSegments } from "../change-store.js";
import { maximumSegments, type Start, shifted, startsOf, startsWithFollowing, type Timed } from "../rules.js";
import { type Segment, segmentInput, shiftFollowing, speakerIds } from "../schema.js";
import { getSchedule, getSegments, listSegmentTimes, requireSpeakers } from "../store.js";
import { scheduleWarnings, withChanged } from "../warnings.js";

const segments = oneOrMany("segments", maximumSegments, {
  segment_id: uuid,
  ...changesOf({ ...segmentInput, speaker_ids: speakerIds }),
});

/** A week, the longest duration of a segment. */
const longestShift = 10_080;

type Changed = Partial<Segment> & { id: string; title: string };

/** `following` are the segments that are shifted beside those that the request names. */
type UpdateState = { segment?: Changed; segments?: Changed[]; following?: Start[] };

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
  async prepare(_, { shift_all_minutes: minutes, shift_following: _following, ...own }) {
    if (minutes !== undefined) {
      const others = Object.keys(own);
      if (others.length > 0) throw fieldError("shift_all_minutes", `send it alone, without ${others.join(", ")}`);
      return { changes: [], isList: true };
    }
    const { rows, isList } = segments.rowsOf(own);
    const ids = rows.map(({ segment_id }) => segment_id);
    const repeated = ids.filter((id, index) => ids.indexOf(id) !== index);
    if (repeated.length > 0) throw fieldError("segments", `expected each segment once; repeated: ${someOf(repeated)}`);
    return { changes: rows.map(({ segment_id: id, ...fields }) => ({ id, fields })), isList };
  },
  async read({ tx, event }, input, { changes, isList }, proposed): Promise<UpdateState> {
    const { shift_all_minutes: all, shift_following: shifts } = input;
    if (all !== undefined) return { segments: startsOf(await listSegmentTimes(tx, event.id)) };
    const [stored, following] = await Promise.all([
      getSegments(
        tx,
        event.id,
        changes.map(({ id }) => id),
      ),
      shifts ? readFollowing(tx, event.id, changes, proposed) : undefined,
      requireSpeakers(
        tx,
        event.id,
        changes.flatMap(({ fields }) => fields.speaker_ids ?? []),
      ),
    ]);
    const rows = stored.map((segment, place) => shownFields(segment, changes[place]?.fields ?? {}, shifts));
    return { ...asRequested(rows, isList), ...(following && { following }) };
  },
  propose(current, { shift_all_minutes: minutes }, { changes, isList }) {
    if (minutes !== undefined) return { segments: startsOf(shifted(rowsOf(current).map(timed), minutes)) };
    const { following } = current;
    const starts = following && startsWithFollowing([...rowsOf(current), ...following].map(timed), changes);
    const changed = rowsOf(current).map((row, place) => ({
      ...row,
      ...changes[place]?.fields,
      ...(starts && { start_time: starts.get(row.id) ?? "" }),
    }));
    return {
      ...asRequested(changed, isList),
      ...(following && { following: following.map((row) => ({ ...row, start_time: starts?.get(row.id) ?? "" })) }),
    };
  },
  beside: ({ tx, event }) => getSchedule(tx, event.id),
  warnings: ({ proposed }, schedule) =>
    scheduleWarnings(schedule, withChanged(schedule.segments, [...rowsOf(proposed), ...(proposed.following ?? [])])),
  async store({ tx, event }, { current, proposed }) {
    const before = rowsOf(current);
    const changed = rowsOf(proposed).map((row, place) => ({ ...changedFields(before[place] ?? row, row), id: row.id }));
    await saveSegments(tx, event.id, { changed: [...changed, ...(proposed.following ?? [])] });
  },
});

type SegmentChange = { id: string; fields: Partial<Segment> };

const rowsOf = ({ segment, segments: rows }: UpdateState): Changed[] =>
  rows ?? (segment === undefined ? [] : [segment]);

function asRequested(rows: Changed[], isList: boolean): UpdateState {
  const [segment] = rows;
  return isList || segment === undefined ? { segments: rows } : { segment };
}

/** Only what changes, because notes can be long, and the title, which identifies the segment. */
function shownFields(segment: Segment, fields: Partial<Segment>, shifts: boolean): Changed {
  const { id, title, start_time, duration_minutes } = segment;
  const names = Object.keys(fields) as (keyof Segment)[];
  return {
    ...{ id, title },
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
  const moved =
    proposed?.following === undefined ? movedBy(timeline, changes) : new Set(proposed.following.map(({ id }) => id));
  return startsOf(timeline.filter(({ id }) => moved.has(id)));
}

function movedBy(timeline: Timed[], changes: SegmentChange[]): Set<string> {
  const starts = startsWithFollowing(timeline, changes);
  const changed = new Set(changes.map(({ id }) => id));
  const moved = timeline.filter(({ id, start_time }) => !changed.has(id) && starts.get(id) !== start_time);
  return new Set(moved.map(({ id }) => id));
}

/** Where only the start is known, the duration does not matter: nothing follows the segment. */
const timed = ({ id, title, start_time = "", duration_minutes = 0 }: Partial<Segment> & Changed): Timed => ({
  ...{ id, title, start_time, duration_minutes },
});
