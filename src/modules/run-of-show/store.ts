import sql, { type Sql } from "sql-template-tag";
import type { z } from "zod";
import type { Queryable } from "../../platform/database/db.js";
import { updateRow } from "../../platform/database/update-row.js";
import { ServiceError } from "../../platform/errors.js";
import { columnsOf } from "../../schema/noun.js";
import type { Timed } from "./rules.js";
import { segmentFields, type segmentInput } from "./schema.js";

type SegmentFields = { [Name in keyof typeof segmentInput]: z.output<(typeof segmentInput)[Name]> };

export type Segment = SegmentFields & { id: string; speaker_ids: string[] };

/** By start time. */
export async function listSegments(tx: Queryable, eventId: string): Promise<Segment[]> {
  return tx.query<Segment>(sql`
    select ${segmentColumns} from segments g where g.event_id = ${eventId} order by g.start_time, g.position, g.id`);
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
  if (row === undefined) throw new ServiceError("not_found", "Event not found");
  return row.page;
}

/** All segments by start time, with only what reordering needs. */
export async function listSegmentTimes(tx: Queryable, eventId: string): Promise<Timed[]> {
  return tx.query<Timed>(sql`
    select g.id, g.title, iso8601(g.start_time) as start_time, g.duration_minutes
    from segments g where g.event_id = ${eventId} order by g.start_time, g.position, g.id`);
}

export async function findSegment(tx: Queryable, eventId: string, id: string): Promise<Segment | undefined> {
  const [row] = await tx.query<Segment>(
    sql`select ${segmentColumns} from segments g where g.event_id = ${eventId} and g.id = ${id}`,
  );
  return row;
}

export async function getSegment(tx: Queryable, eventId: string, id: string): Promise<Segment> {
  const row = await findSegment(tx, eventId, id);
  if (row === undefined) throw unknownSegment(id);
  return row;
}

export function unknownSegment(id: string): ServiceError {
  return new ServiceError("not_found", `No segment of this event has the id ${id}: get_event_run_of_show lists them`);
}

/** The number of other segments and the end of the last one; the event's start if there are none. */
export async function getOtherSegments(
  tx: Queryable,
  eventId: string,
  except: string,
): Promise<{ count: number; end: string }> {
  const [row] = await tx.query<{ count: number; end: string }>(sql`
    select others.count, iso8601(coalesce(others.end, e.start_time)) as end
    from events e, lateral (
      select count(*), max(g.start_time + g.duration_minutes * interval '1 minute') as end
      from segments g where g.event_id = e.id and g.id <> ${except}) others
    where e.id = ${eventId}`);
  if (row === undefined) throw new ServiceError("not_found", "Event not found");
  return row;
}

export async function addSegment(tx: Queryable, eventId: string, segment: Segment): Promise<void> {
  await tx.query(sql`
    insert into segments (id, event_id, title, kind, start_time, duration_minutes, location, notes, position)
    values (
      ${segment.id}, ${eventId}, ${segment.title}, ${segment.kind}, ${segment.start_time}, ${segment.duration_minutes},
      ${segment.location}, ${segment.notes}, 2147483647)`);
  await addSpeakers(tx, eventId, segment.id, segment.speaker_ids);
  await renumber(tx, eventId);
}

/** Writes the given fields and leaves the others as they are stored. */
export async function saveSegment(
  tx: Queryable,
  eventId: string,
  id: string,
  { speaker_ids: speakerIds, ...fields }: Partial<Segment>,
): Promise<void> {
  await updateRow(tx, "segments", { id, event_id: eventId }, fields);
  if (speakerIds !== undefined) {
    await tx.query(sql`delete from segment_speakers where segment_id = ${id} and event_id = ${eventId}`);
    await addSpeakers(tx, eventId, id, speakerIds);
  }
  await renumber(tx, eventId);
}

async function addSpeakers(tx: Queryable, eventId: string, segmentId: string, speakerIds: string[]): Promise<void> {
  await tx.query(sql`
    insert into segment_speakers (segment_id, speaker_id, event_id, position)
    select ${segmentId}, speaker.id, ${eventId}, speaker.position - 1
    from unnest(${speakerIds}::uuid[]) with ordinality as speaker (id, position)`);
}

export async function saveStarts(tx: Queryable, eventId: string, segments: Timed[]): Promise<void> {
  await tx.query(sql`
    update segments g set start_time = moved.start_time, position = moved.position
    from unnest(
      ${segments.map((segment) => segment.id)}::uuid[], ${segments.map((segment) => segment.start_time)}::timestamptz[])
      with ordinality as moved (id, start_time, position)
    where g.id = moved.id and g.event_id = ${eventId}`);
  await renumber(tx, eventId);
}

/** Rejects ids of speakers that do not belong to this event. */
export async function requireSpeakers(tx: Queryable, eventId: string, ids: string[]): Promise<void> {
  const rows = await tx.query<{ id: string }>(sql`
    select wanted.id from unnest(${ids}::uuid[]) as wanted (id)
    where not exists (select from speakers s where s.id = wanted.id and s.event_id = ${eventId})`);
  if (rows.length === 0) return;
  throw new ServiceError(
    "invalid_input",
    `speaker_ids: no speakers of this event: ${rows.map((row) => row.id).join(", ")}. get_event_admin_snapshot lists them`,
  );
}

export type Publication = { published: boolean; segments: number };

export async function getPublication(tx: Queryable, eventId: string): Promise<Publication> {
  const [row] = await tx.query<Publication>(sql`
    select e.run_of_show_published as published, (select count(*) from segments g where g.event_id = e.id) as segments
    from events e where e.id = ${eventId}`);
  if (row === undefined) throw new ServiceError("not_found", "Event not found");
  return row;
}

export async function savePublication(tx: Queryable, eventId: string, published: boolean): Promise<void> {
  await tx.query(sql`update events set run_of_show_published = ${published} where id = ${eventId}`);
}

/** Renumbers the segments by start time. */
async function renumber(tx: Queryable, eventId: string): Promise<void> {
  await tx.query(sql`
    update segments g set position = ranked.position
    from (select id, row_number() over (order by start_time, position, id) - 1 as position
      from segments where event_id = ${eventId}) ranked
    where g.id = ranked.id and g.position <> ranked.position`);
}

const segmentColumns: Sql = sql`
  g.id, ${columnsOf("g", segmentFields, "")},
  array(select s.speaker_id::text from segment_speakers s where s.segment_id = g.id order by s.position, s.speaker_id)
    as speaker_ids`;
