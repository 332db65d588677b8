import sql, { type Sql } from "sql-template-tag";
import type { z } from "zod";
import type { Queryable } from "../../platform/db.js";
import { ServiceError } from "../../platform/errors.js";
import type { segmentKind } from "./schema.js";

export type Segment = {
  id: string;
  title: string;
  kind: z.infer<typeof segmentKind>;
  start_time: string;
  duration_minutes: number;
  location: string | null;
  speaker_ids: string[];
  notes: string | null;
};

export async function listSegments(tx: Queryable, eventId: string): Promise<Segment[]> {
  return tx.query<Segment>(sql`
    select ${segmentColumns} from segments g where g.event_id = ${eventId} order by g.position, g.start_time, g.id`);
}

export async function findSegment(tx: Queryable, eventId: string, id: string): Promise<Segment | undefined> {
  const [row] = await tx.query<Segment>(
    sql`select ${segmentColumns} from segments g where g.event_id = ${eventId} and g.id = ${id}`,
  );
  return row;
}

export async function getSegment(tx: Queryable, eventId: string, id: string): Promise<Segment> {
  const row = await findSegment(tx, eventId, id);
  if (row === undefined) {
    throw new ServiceError("not_found", "No segment of this event has that id: get_event_run_of_show lists them");
  }
  return row;
}

/** When the run of show ends; the event's start where it is empty. */
export async function getNextStart(tx: Queryable, eventId: string, except: string): Promise<string> {
  const [row] = await tx.query<{ next: string }>(sql`
    select iso8601(coalesce(
      (select max(g.start_time + g.duration_minutes * interval '1 minute') from segments g
        where g.event_id = e.id and g.id <> ${except}),
      e.start_time)) as next
    from events e where e.id = ${eventId}`);
  if (row === undefined) throw new ServiceError("not_found", "Event not found");
  return row.next;
}

export async function saveSegment(tx: Queryable, eventId: string, segment: Segment): Promise<void> {
  await tx.query(sql`
    insert into segments (id, event_id, title, kind, start_time, duration_minutes, location, notes, position)
    values (
      ${segment.id}, ${eventId}, ${segment.title}, ${segment.kind}, ${segment.start_time}, ${segment.duration_minutes},
      ${segment.location}, ${segment.notes}, 2147483647)
    on conflict (id) do update set
      title = excluded.title, kind = excluded.kind, start_time = excluded.start_time,
      duration_minutes = excluded.duration_minutes, location = excluded.location, notes = excluded.notes`);
  await tx.query(sql`delete from segment_speakers where segment_id = ${segment.id}`);
  await tx.query(sql`
    insert into segment_speakers (segment_id, speaker_id, event_id, position)
    select ${segment.id}, speaker.id, ${eventId}, speaker.position - 1
    from unnest(${segment.speaker_ids}::uuid[]) with ordinality as speaker (id, position)`);
  await renumber(tx, eventId);
}

export async function saveStarts(tx: Queryable, eventId: string, segments: Segment[]): Promise<void> {
  await tx.query(sql`
    update segments g set start_time = moved.start_time, position = moved.position
    from unnest(
      ${segments.map((segment) => segment.id)}::uuid[], ${segments.map((segment) => segment.start_time)}::timestamptz[])
      with ordinality as moved (id, start_time, position)
    where g.id = moved.id and g.event_id = ${eventId}`);
  await renumber(tx, eventId);
}

/** Refuses speakers that are not of this event, by id. */
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

/** Segments stand in the order in which they start. */
async function renumber(tx: Queryable, eventId: string): Promise<void> {
  await tx.query(sql`
    update segments g set position = ranked.position
    from (select id, row_number() over (order by start_time, position, id) - 1 as position
      from segments where event_id = ${eventId}) ranked
    where g.id = ranked.id and g.position <> ranked.position`);
}

const segmentColumns: Sql = sql`
  g.id, g.title, g.kind, iso8601(g.start_time) as start_time, g.duration_minutes, g.location,
  array(select s.speaker_id::text from segment_speakers s where s.segment_id = g.id order by s.position, s.speaker_id)
    as speaker_ids, g.notes`;
