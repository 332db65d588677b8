import sql, { join, raw, type Sql } from "sql-template-tag";
import { type Segment, segmentFields } from "../../../contract/schema/run-of-show.js";
import type { Queryable } from "../../infra/database/db.js";
import { queryNamed } from "../../infra/database/statement-names.js";
import { identifier } from "../../infra/database/update-row.js";

/** `changed` segments have the fields to write; the others stay as they are stored. */
export type SegmentChanges = {
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
  queryNamed(
    tx,
    "add segments",
    sql`
    insert into segments (id, event_id, position, ${columns})
    select s.id, ${eventId}, ${lastPosition}::integer + given.n, ${values}
    from jsonb_array_elements(${JSON.stringify(segments)}::jsonb) with ordinality given (segment, n),
      jsonb_populate_record(null::segments, given.segment) s`,
  );

const change = (tx: Queryable, eventId: string, segments: SegmentChanges["changed"]) =>
  queryNamed(
    tx,
    "change segments",
    sql`
    update segments g set (${columns}) = (select ${values} from jsonb_populate_record(g, given.fields) s)
    from jsonb_array_elements(${JSON.stringify(segments)}::jsonb) given (fields)
    where g.event_id = ${eventId} and g.id = (given.fields ->> 'id')::uuid`,
  );

const remove = (tx: Queryable, eventId: string, ids: string[]) =>
  queryNamed(
    tx,
    "remove segments",
    sql`delete from segments where event_id = ${eventId} and id = any (${ids}::uuid[])`,
  );

const removeSpeakers = (tx: Queryable, eventId: string, segments: { id: string }[]) =>
  queryNamed(
    tx,
    "remove segment speakers",
    sql`
    delete from segment_speakers
    where event_id = ${eventId} and segment_id = any (${segments.map(({ id }) => id)}::uuid[])`,
  );

async function addSpeakers(
  tx: Queryable,
  eventId: string,
  segments: (Partial<Segment> & { id: string })[],
): Promise<void> {
  const rows = segments.flatMap(({ id, speaker_ids = [] }) =>
    speaker_ids.map((speaker, index) => ({ id, speaker, index })),
  );
  if (rows.length === 0) return;
  await queryNamed(
    tx,
    "add segment speakers",
    sql`
    insert into segment_speakers (segment_id, speaker_id, event_id, position)
    select s.segment_id, s.speaker_id, ${eventId}, s.position
    from unnest(
      ${rows.map(({ id }) => id)}::uuid[], ${rows.map(({ speaker }) => speaker)}::uuid[],
      ${rows.map(({ index }) => index)}::integer[]) s (segment_id, speaker_id, position)`,
  );
}

/** Numbers the segments by start time. */
export async function renumber(tx: Queryable, eventId: string): Promise<void> {
  await queryNamed(
    tx,
    "renumber segments",
    sql`
    update segments g set position = ranked.position
    from (select id, row_number() over (order by start_time, position, id) - 1 as position
      from segments where event_id = ${eventId}) ranked
    where g.id = ranked.id and g.position <> ranked.position`,
  );
}
