import sql from "sql-template-tag";
import type { z } from "zod";
import { ServiceError } from "../../../contract/errors.js";
import { speakerFields, type speakerInput } from "../../../contract/schema/speakers.js";
import type { Queryable } from "../../infra/database/db.js";
import { queryNamed } from "../../infra/database/statement-names.js";
import type { RevertibleTable } from "../../revert/revertible-table.js";
import { unknownId } from "../../runner/known-ids.js";
import { requireEachOnce } from "../../runner/one-or-many.js";
import { columnsOf } from "../../schema/columns.js";

export type SpeakerFields = { [Name in keyof typeof speakerInput]: z.output<(typeof speakerInput)[Name]> };

export type Speaker = SpeakerFields & { id: string };

export async function findSpeaker(
  tx: Queryable,
  eventId: string,
  id: string,
  baseUrl: string,
): Promise<Speaker | undefined> {
  const [row] = await queryNamed<Speaker>(tx, "find speaker")`
    select s.id, ${columnsOf("s", speakerFields, baseUrl)}
    from speakers s where s.id = ${id} and s.event_id = ${eventId}`;
  return row;
}

export async function getSpeaker(tx: Queryable, eventId: string, id: string, baseUrl: string): Promise<Speaker> {
  const row = await findSpeaker(tx, eventId, id, baseUrl);
  if (row === undefined) throw unknownSpeaker(id);
  return row;
}

export function unknownSpeaker(id: string): ServiceError {
  return unknownId("speaker", id);
}

export type SpeakerName = { id: string; name: string };

/** By position. */
export async function listSpeakerNames(tx: Queryable, eventId: string): Promise<SpeakerName[]> {
  return queryNamed<SpeakerName>(tx, "list speaker names")`
    select s.id, s.name from speakers s where s.event_id = ${eventId} order by s.position, s.id`;
}

/** More than an event may have; imported ones may exceed that. */
const shownSpeakers = 1000;

/** By position, with the segments in which each speaks, as JSON text. */
export async function listSpeakersOnStage(db: Queryable, eventId: string, baseUrl: string): Promise<string> {
  const [row] = await db.query<{ speakers: string }>(sql`
    select json_build_object('speakers', coalesce(json_agg(item), '[]'))::text as speakers from (
      select s.id, ${columnsOf("s", speakerFields, baseUrl)}, (
        select coalesce(json_agg(json_build_object('id', g.id, 'title', g.title) order by g.start_time, g.id), '[]')
        from segment_speakers k join segments g on g.id = k.segment_id where k.speaker_id = s.id) as segments
      from speakers s where s.event_id = ${eventId} order by s.position, s.id limit ${shownSpeakers}) item`);
  return row?.speakers ?? "";
}

async function countSpeakers(tx: Queryable, eventId: string): Promise<number> {
  const [row] = await queryNamed<{ count: number }>(tx, "count speakers")`
    select count(*) as count from speakers where event_id = ${eventId}`;
  return row?.count ?? 0;
}

export async function countSpeakersNamed(tx: Queryable, eventId: string, name: string): Promise<number> {
  const [row] = await queryNamed<{ count: number }>(tx, "count speakers named")`
    select count(*) as count from speakers where event_id = ${eventId} and lower(name) = lower(${name})`;
  return row?.count ?? 0;
}

/** Adds a speaker at a place, which counts from 1, or in last position. */
export async function addSpeaker(tx: Queryable, eventId: string, speaker: Speaker, place?: number): Promise<void> {
  const position = place === undefined ? 2147483647 : place - 1;
  const insert = sql`
    insert into speakers (id, event_id, name, title, company, bio, photo_url, links, role, position)
    values (
      ${speaker.id}, ${eventId}, ${speaker.name}, ${speaker.title}, ${speaker.company}, ${speaker.bio},
      ${speaker.photo_url}, ${JSON.stringify(speaker.links)}, ${speaker.role}, ${position})`;
  await Promise.all([
    // An import may leave gaps, in which a place would be another one.
    place === undefined ? undefined : closePositions(tx, eventId),
    queryNamed(tx, "add speaker")`${insert}`,
    closePositions(tx, eventId, [speaker.id]),
  ]);
}

/** Removes a speaker, also from the segments that name it. */
export async function removeSpeaker(tx: Queryable, eventId: string, id: string): Promise<void> {
  await Promise.all([
    tx.query(sql`delete from speakers where id = ${id} and event_id = ${eventId}`),
    closePositions(tx, eventId),
  ]);
}

export async function listSegmentsNaming(
  tx: Queryable,
  eventId: string,
  speakerId: string,
): Promise<{ id: string; title: string }[]> {
  return queryNamed<{ id: string; title: string }>(tx, "list segments naming")`
    select g.id, g.title from segment_speakers n join segments g on g.id = n.segment_id
    where n.speaker_id = ${speakerId} and n.event_id = ${eventId} order by g.position, g.id`;
}

export async function saveSpeakerOrder(tx: Queryable, eventId: string, ids: string[]): Promise<void> {
  await tx.query(sql`
    update speakers s set position = n.number - 1
    from unnest(${ids}::uuid[]) with ordinality n (id, number)
    where s.id = n.id and s.event_id = ${eventId}`);
}

/** Renumbers the positions 0, 1, 2, … in the same order. Of speakers in the same position, those in `first` come first. */
async function closePositions(tx: Queryable, eventId: string, first: string[] = []): Promise<void> {
  await queryNamed(tx, "close speaker positions")`
    update speakers s set position = n.number - 1
    from (
      select id, row_number() over (order by position, id <> all (${first}::uuid[]), id) as number
      from speakers where event_id = ${eventId}) n
    where s.id = n.id and s.position <> n.number - 1`;
}

/** As many as fit into one result. */
export const maximumSpeakers = 200;

type Named = { id: string; name: string };

/** The speakers in a new order, which lists each exactly once. */
export function inNewOrder<Row extends Named>(speakers: Row[], wanted: string[]): Row[] {
  const known = new Map(speakers.map((speaker) => [speaker.id, speaker]));
  requireEachOnce("speaker_ids", wanted, [...known.keys()]);
  return wanted.flatMap((id) => known.get(id) ?? []);
}

export const revertibleSpeakers: RevertibleTable = {
  name: "speakers",
  noun: "speaker",
  nouns: "speakers",
  key: ["id"],
  label: ["name"],
  whole: ["name", "title", "company", "bio", "photo_url", "links", "role"],
  columns: { photo_url: "image" },
  order: { column: "position", isShown: true },
  dependents: [{ table: "segment_speakers", column: "speaker_id", noun: "segments that name the speaker" }],
  instead: { change: "update_event_speaker", add: "add_event_speaker", remove: "remove_event_speaker" },
  async check({ tx, eventId }, rows) {
    const added = rows.filter(({ now }) => now === null).length;
    if (added === 0 || eventId === undefined || (await countSpeakers(tx, eventId)) + added <= maximumSpeakers) return;
    throw new ServiceError("conflict", `An event has at most ${maximumSpeakers} speakers: remove one first`);
  },
  renumber: closePositions,
};
