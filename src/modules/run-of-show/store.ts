import sql, { join, raw, type Sql } from "sql-template-tag";
import { ServiceError } from "../../../contract/errors.js";
import type { Start, Timed } from "../../../contract/run-of-show.js";
import { type Segment, segmentFields } from "../../../contract/schema/run-of-show.js";
import { someOf } from "../../../contract/shortened.js";
import type { Queryable } from "../../infra/database/db.js";
import { queryNamed } from "../../infra/database/statement-names.js";
import { identifier } from "../../infra/database/update-row.js";
import { eventNotFound, idSources, unknownId } from "../../runner/known-ids.js";
import { columnsOf } from "../../schema/columns.js";
import type { Schedule } from "./warnings.js";

/** By start time. */
export async function listSegments(tx: Queryable, eventId: string): Promise<Segment[]> {
  return queryNamed<Segment>(tx, "list segments")`
    select ${segmentColumns} from segments g where g.event_id = ${eventId} order by g.start_time, g.position, g.id`;
}

/** More than the tools allow an event to have; imported ones may exceed that. */
const shownRows = 1000;

/** What the console's page of the run of show has, as JSON text. Notes are whole, because its form edits them. */
export async function getRunOfShow(db: Queryable, eventId: string, baseUrl: string): Promise<string> {
  const [row] = await db.query<{ page: string }>(sql`
    select json_build_object(
      'published', e.run_of_show_published,
      'segments', (select coalesce(json_agg(item), '[]') from (
        select ${segmentColumns} from segments g where g.event_id = e.id
        order by g.start_time, g.position, g.id limit ${shownRows}) item),
      'speakers', (select coalesce(json_agg(item), '[]') from (
        select s.id, s.name, absolute_url(${baseUrl}, s.photo_url) as photo_url from speakers s
        where s.event_id = e.id order by s.position, s.id limit ${shownRows}) item))::text as page
    from events e where e.id = ${eventId}`);
  if (row === undefined) throw eventNotFound();
  return row.page;
}

/** All segments by start time, with only what decides about times. */
export async function listSegmentTimes(tx: Queryable, eventId: string): Promise<Timed[]> {
  return queryNamed<Timed>(tx, "list segment times")`
    select g.id, g.title, iso8601(g.start_time) as start_time, g.duration_minutes
    from segments g where g.event_id = ${eventId} order by g.start_time, g.position, g.id`;
}

/** Those of these segments that there are, in the given order. */
export async function findSegments(tx: Queryable, eventId: string, ids: string[]): Promise<Segment[]> {
  return queryNamed<Segment>(tx, "find segments")`
    select ${segmentColumns} from segments g
    where g.event_id = ${eventId} and g.id = any (${ids}::uuid[]) order by array_position(${ids}::uuid[], g.id)`;
}

export async function getSegments(tx: Queryable, eventId: string, ids: string[]): Promise<Segment[]> {
  const rows = await findSegments(tx, eventId, ids);
  const known = new Set(rows.map(({ id }) => id));
  const unknown = ids.filter((id) => !known.has(id));
  if (unknown.length > 0) throw unknownSegments(unknown);
  return rows;
}

export function unknownSegments(ids: string[]): ServiceError {
  const [first] = ids;
  if (first !== undefined && ids.length === 1) return unknownId("segment", first);
  return new ServiceError("not_found", `No segments of this event: ${someOf(ids)}. ${idSources.segment} lists them`, {
    details: { unknown_ids: ids },
  });
}

export function saveStarts(tx: Queryable, eventId: string, segments: Start[]): Promise<void> {
  return saveSegments(tx, eventId, { changed: segments.map(({ id, start_time }) => ({ id, start_time })) });
}

/** When an event starts, and the times of its segments. */
export type Timeline = { start: string; segments: Timed[] };

export async function getTimeline(tx: Queryable, eventId: string): Promise<Timeline> {
  const [[event], segments] = await Promise.all([
    queryNamed<{ start: string }>(tx, "get event start")`
      select iso8601(start_time) as start from events where id = ${eventId}`,
    listSegmentTimes(tx, eventId),
  ]);
  if (event === undefined) throw eventNotFound();
  return { ...event, segments };
}

/** What warnings about a run of show compare it with. */
export async function getSchedule(tx: Queryable, eventId: string): Promise<Schedule> {
  const [row] = await queryNamed<Schedule>(tx, "get schedule")`
    select iso8601(e.start_time) as start_time, iso8601(e.end_time) as end_time, e.timezone,
      (select coalesce(json_agg(item), '[]') from (
        select g.id, g.title, iso8601(g.start_time) as start_time, g.duration_minutes, ${segmentSpeakers} as speaker_ids
        from segments g where g.event_id = e.id order by g.start_time, g.position, g.id) item) as segments,
      (select coalesce(json_object_agg(s.id, s.name), '{}') from speakers s where s.event_id = e.id) as speaker_names
    from events e where e.id = ${eventId}`;
  if (row === undefined) throw new ServiceError("not_found", "Event not found");
  return row;
}

export async function getScheduleState(tx: Queryable, eventId: string) {
  const [row] = await queryNamed<{ published: boolean; timezone: string }>(tx, "get schedule state")`
    select run_of_show_published as published, timezone from events where id = ${eventId}`;
  if (row === undefined) throw eventNotFound();
  return row;
}

type Publication = { published: boolean; segment_count: number };

export async function getPublication(tx: Queryable, eventId: string): Promise<Publication> {
  const [row] = await queryNamed<Publication>(tx, "get run of show publication")`
    select e.run_of_show_published as published, (select count(*) from segments g where g.event_id = e.id) as segment_count
    from events e where e.id = ${eventId}`;
  if (row === undefined) throw eventNotFound();
  return row;
}

export async function savePublication(tx: Queryable, eventId: string, published: boolean): Promise<void> {
  await queryNamed(tx, "save run of show publication")`
    update events set run_of_show_published = ${published} where id = ${eventId}`;
}

const segmentSpeakers: Sql = sql`
  array(select s.speaker_id::text from segment_speakers s where s.segment_id = g.id order by s.position, s.speaker_id)`;

const segmentColumns: Sql = sql`g.id, ${columnsOf("g", segmentFields, "")}, ${segmentSpeakers} as speaker_ids`;

/** `changed` segments have the fields to write; the others stay as they are stored. */
type SegmentChanges = {
  added?: Segment[];
  changed?: (Partial<Segment> & { id: string })[];
  removed?: string[];
};

/** Sends as many statements for one segment as for all. */
export async function saveSegments(
  tx: Queryable,
  eventId: string,
  { added = [], changed = [], removed = [] }: SegmentChanges,
): Promise<void> {
  const withSpeakers = changed.filter(({ speaker_ids }) => speaker_ids !== undefined);
  await Promise.all([
    ...(removed.length === 0 ? [] : [remove(tx, eventId, removed)]),
    ...(added.length === 0 ? [] : [add(tx, eventId, added)]),
    ...(changed.length === 0 ? [] : [change(tx, eventId, changed)]),
    ...(withSpeakers.length === 0 ? [] : [removeSpeakers(tx, eventId, withSpeakers)]),
    addSpeakers(tx, eventId, [...added, ...withSpeakers]),
    renumber(tx, eventId),
  ]);
}

const names = Object.keys(segmentFields);
const columns: Sql = join(names.map(identifier));
/** The same of a row `s`. */
const values: Sql = join(names.map((name) => raw(`s.${name}`)));

/** New segments follow all that start at the same time, in the given order. */
const lastPosition = 2_000_000_000;

const add = (tx: Queryable, eventId: string, segments: Segment[]) =>
  queryNamed(tx, "add segments")`
    insert into segments (id, event_id, position, ${columns})
    select s.id, ${eventId}, ${lastPosition}::integer + given.n, ${values}
    from jsonb_array_elements(${JSON.stringify(segments)}::jsonb) with ordinality given (segment, n),
      jsonb_populate_record(null::segments, given.segment) s`;

const change = (tx: Queryable, eventId: string, segments: SegmentChanges["changed"]) =>
  queryNamed(tx, "change segments")`
    update segments g set (${columns}) = (select ${values} from jsonb_populate_record(g, given.fields) s)
    from jsonb_array_elements(${JSON.stringify(segments)}::jsonb) given (fields)
    where g.event_id = ${eventId} and g.id = (given.fields ->> 'id')::uuid`;

const remove = (tx: Queryable, eventId: string, ids: string[]) =>
  queryNamed(tx, "remove segments")`delete from segments where event_id = ${eventId} and id = any (${ids}::uuid[])`;

const removeSpeakers = (tx: Queryable, eventId: string, segments: { id: string }[]) =>
  queryNamed(tx, "remove segment speakers")`
    delete from segment_speakers
    where event_id = ${eventId} and segment_id = any (${segments.map(({ id }) => id)}::uuid[])`;

async function addSpeakers(
  tx: Queryable,
  eventId: string,
  segments: (Partial<Segment> & { id: string })[],
): Promise<void> {
  const rows = segments.flatMap(({ id, speaker_ids = [] }) =>
    speaker_ids.map((speaker, index) => ({ id, speaker, index })),
  );
  if (rows.length === 0) return;
  await queryNamed(tx, "add segment speakers")`
    insert into segment_speakers (segment_id, speaker_id, event_id, position)
    select s.segment_id, s.speaker_id, ${eventId}, s.position
    from unnest(
      ${rows.map(({ id }) => id)}::uuid[], ${rows.map(({ speaker }) => speaker)}::uuid[],
      ${rows.map(({ index }) => index)}::integer[]) s (segment_id, speaker_id, position)`;
}

/** Numbers the segments by start time. */
export async function renumber(tx: Queryable, eventId: string): Promise<void> {
  await queryNamed(tx, "renumber segments")`
    update segments g set position = ranked.position
    from (select id, row_number() over (order by start_time, position, id) - 1 as position
      from segments where event_id = ${eventId}) ranked
    where g.id = ranked.id and g.position <> ranked.position`;
}
