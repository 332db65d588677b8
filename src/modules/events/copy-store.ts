import { randomUUID } from "node:crypto";
import sql from "sql-template-tag";
import { maximumSegments, minutesBetween, shifted } from "../../../contract/run-of-show.js";
import type { Queryable } from "../../infra/database/db.js";
import { inlined, queryNamed } from "../../infra/database/statement-names.js";
import { eventNotFound } from "../../runner/known-ids.js";
import { addPosters, factsNow, type PosterRow } from "../posters/store.js";
import { listSegments, saveSegments } from "../run-of-show/store.js";
import { maximumSpeakers } from "../speakers/store.js";
import type { EventDetails } from "./rules.js";
import { findEventDetails } from "./store.js";

type Segment = Awaited<ReturnType<typeof listSegments>>[number];
type SpeakerRow = { id: string; name: string };
type CopiedPoster = Omit<PosterRow, "published">;

/** What a copy of an event is made of. Guests, check-ins, posted links and the link to the ticketing platform are no part of it. */
export type CopySource = {
  details: Required<EventDetails>;
  conferenceId: string;
  speakers: SpeakerRow[];
  segments: Segment[];
  posters: CopiedPoster[];
  /** How many posters the event has in all. */
  posterCount: number;
};

export const maximumCopiedPosters = 100;

export async function readCopySource(tx: Queryable, eventId: string): Promise<CopySource> {
  const [details, segments, [rows]] = await Promise.all([
    // Without an address in front: images of the service are stored as paths.
    findEventDetails(tx, eventId, ""),
    listSegments(tx, eventId),
    queryNamed<Pick<CopySource, "conferenceId" | "speakers" | "posters" | "posterCount">>(tx, "read copy source")`
      select e.conference_id as "conferenceId",
        (select coalesce(json_agg(to_jsonb(s) - 'event_id' order by s.position, s.id), '[]') from speakers s
          where s.event_id = e.id) as speakers,
        (select count(*)::int from posters p where p.event_id = e.id) as "posterCount",
        (select coalesce(json_agg(item), '[]') from (
          select p.id, p.title, p.image_url, p.thumbnail_url, p.sort_order, p.metadata,
            coalesce(p.drawn_from, ${factsNow}::jsonb) as drawn_from
          from posters p where p.event_id = e.id
          order by p.sort_order, p.created_at, p.id limit ${inlined(maximumCopiedPosters)}) item) as posters
      from events e where e.id = ${eventId}`,
  ]);
  if (details === undefined || rows === undefined) throw eventNotFound();
  return { details, segments, ...rows };
}

/** What of each list is copied, and what is beyond the limits that an import may exceed. */
export function copiedParts({ speakers, segments, posters, posterCount }: CopySource) {
  const copied = {
    speakers: speakers.slice(0, maximumSpeakers),
    segments: segments.slice(0, maximumSegments),
    posters,
  };
  const left = {
    speakers: speakers.length - copied.speakers.length,
    segments: segments.length - copied.segments.length,
    posters: posterCount - posters.length,
  };
  return { copied, left };
}

/** Stores the parts of a copy, with ids of their own, moved with the event. Posters become drafts that were never posted. */
export async function saveCopiedParts(
  tx: Queryable,
  eventId: string,
  source: CopySource,
  start: string,
): Promise<void> {
  const { speakers, segments, posters } = copiedParts(source).copied;
  const ids = new Map(speakers.map(({ id }) => [id, randomUUID()]));
  const newId = (id: string) => ids.get(id) ?? [];
  const columns = sql`s.name, s.title, s.company, s.bio, s.photo_url, s.links, s.role, s.position`;
  await tx.query(sql`
    insert into speakers (id, event_id, name, title, company, bio, photo_url, links, role, position)
    select s.id, ${eventId}, ${columns}
    from jsonb_populate_recordset(null::speakers, ${JSON.stringify(speakers.map((row) => ({ ...row, id: newId(row.id) })))}::jsonb) s`);
  const moved = shifted(segments, minutesBetween(source.details.start_time, start));
  const added = segments.map((segment, index) => ({
    ...segment,
    ...moved[index],
    id: randomUUID(),
    speaker_ids: segment.speaker_ids.flatMap(newId),
  }));
  if (added.length > 0) await saveSegments(tx, eventId, { added });
  if (posters.length === 0) return;
  // Metadata and what a poster shows name speakers by id.
  const text = JSON.stringify(posters.map((poster) => ({ ...poster, id: randomUUID(), published: false })));
  const renamed = [...ids].reduce((result, [id, copy]) => result.replaceAll(id, copy), text);
  await addPosters(tx, eventId, JSON.parse(renamed));
}

const shownNames = 20;

/** How much a list of a copy has, and how it begins. */
export type CopiedList = { count: number; first: string[] };

export const listOfCopy = (names: (string | null)[]): CopiedList => ({
  count: names.length,
  first: names.slice(0, shownNames).map((name) => name ?? "Untitled"),
});

/** The lists of an event as they are stored. */
export async function readCopiedLists(
  tx: Queryable,
  eventId: string,
): Promise<Record<"speakers" | "run_of_show" | "posters", CopiedList>> {
  const { speakers, segments, posters } = await readCopySource(tx, eventId);
  return listsOf({ speakers, segments, posters });
}

export function listsOf({ speakers, segments, posters }: Pick<CopySource, "speakers" | "segments" | "posters">) {
  return {
    speakers: listOfCopy(speakers.map(({ name }) => name)),
    run_of_show: listOfCopy(segments.map(({ title }) => title)),
    posters: listOfCopy(posters.map(({ title }) => title)),
  };
}
