import { z } from "zod";
import { canonicalJson } from "../../../../contract/canonical-json.js";
import { fieldError } from "../../../../contract/errors.js";
import { maximumRedrawn } from "../../../../contract/poster-designs.js";
import { uuidList } from "../../../../contract/schema/fields.js";
import { someOf } from "../../../../contract/shortened.js";
import type { Queryable } from "../../../infra/database/db.js";
import { unknownId } from "../../../runner/known-ids.js";
import { defineEventMutation, type PrepareContext } from "../../../runner/mutation.js";
import type { EventToolContext } from "../../../runner/tool.js";
import { exampleIds } from "../../../schema/examples.js";
import { type DrawnPosterRow, findPosterRows, listOutdatedPosters, savePictures } from "../asset-store.js";
import { drawnChoiceOf, factsOf, posterJob, redrawnMetadata, redrawnTitle } from "../draft-rules.js";
import {
  changedMeanwhile,
  type Drawing,
  type Drawings,
  drawPosters,
  hashOf,
  missingFrom,
  type PlannedPoster,
  pathsOf,
  shownDrawings,
  storeDrawings,
} from "../drawings.js";
import { type EventMaterial, getMaterialOfRemaining } from "../material-store.js";
import type { PosterServices } from "../poster-job.js";
import {
  nameOf,
  type PosterFacts,
  type StalePart,
  speakersNamed,
  spelledPlatform,
  stalePartsOf,
  titlesOf,
} from "../rules.js";
import { getPosterFacts } from "../store.js";

/** A poster as it was read, and what it is drawn from now. */
type Source = { poster: DrawnPosterRow; material: EventMaterial };

type Planned = PlannedPoster & Source & { title: string | null; metadata(drawn: Drawing["drawn"]): Metadata };

type Metadata = Record<string, unknown>;

type Prepared = Drawings<Planned> & {
  /** How many outdated posters are not among them. */
  left: number;
  baseUrl: string;
};

type ShownPoster = Pick<DrawnPosterRow, "id" | "title" | "published" | "image_url" | "thumbnail_url"> & {
  format: unknown;
  alt_text: unknown;
  stale: StalePart[];
};

/** `drawing` is from the hashes of the drawings; null if they do not show what they should any more. */
type Redrawn = { drawing: string | null; posters: ShownPoster[] };

export const redrawEventPosters = defineEventMutation({
  name: "redraw_event_posters",
  title: "Redraw outdated posters",
  group: "production",
  addition: true,
  description:
    "Draw outdated posters again in place, as the event is now. Design, captions, publication and links stay.",
  scope: "events:write",
  role: "admin",
  example: { event_id: exampleIds.event },
  event: "host_or_co_host",
  destructive: true,
  // Photos and logos are fetched from where they are.
  openWorld: true,
  input: z.object({
    poster_ids: uuidList(maximumRedrawn, { required: true })
      .exactOptional()
      .meta({ description: "default: the outdated ones" }),
  }),
  async prepare(context: PrepareContext<EventToolContext, PosterServices>, { poster_ids }): Promise<Prepared> {
    const { db, event, baseUrl } = context;
    const facts = await getPosterFacts(db, event.id);
    const outdated = await listOutdatedPosters(db, event.id, facts);
    const ids = poster_ids ?? outdated.slice(0, maximumRedrawn);
    const sources = await readSources(db, event.id, ids, facts, baseUrl);
    const unknown = poster_ids?.find((id) => !sources.some(({ poster }) => poster.id === id));
    if (unknown !== undefined) throw unknownId("poster", unknown);
    const drawings = await drawPosters(context, sources.map(planOf), ids);
    return { ...drawings, left: outdated.filter((id) => !ids.includes(id)).length, baseUrl };
  },
  async read({ tx, event, baseUrl }, _input, { drawings }, proposed): Promise<Redrawn> {
    const facts = await getPosterFacts(tx, event.id);
    const ids = drawings.map(({ id }) => id);
    const sources = await readSources(tx, event.id, ids, facts, baseUrl);
    const isCurrent = canonicalJson(sources.map(drawnPart)) === canonicalJson(drawings.map(drawnPart));
    return {
      // What was stored is what was proposed.
      drawing: proposed === undefined ? (isCurrent ? hashOf(drawings) : null) : proposed.drawing,
      posters: sources.map(({ poster }) => shownPoster(poster, stalePartsOf(poster.drawn_from, facts))),
    };
  },
  propose(current, _input, { drawings, baseUrl }) {
    if (current.drawing === null) throw changedMeanwhile(current);
    const posters = drawings.map(({ poster, title, metadata, drawn }) =>
      shownPoster({ ...poster, title, metadata: metadata(drawn), ...pathsOf(drawn, baseUrl) }, []),
    );
    return { ...current, posters };
  },
  related: async (_context, { poster_ids }, prepared) => ({
    ...noteOn(prepared, poster_ids === undefined),
    ...shownDrawings(prepared),
  }),
  explain: (related) => related,
  async store({ tx, event }, { prepared }) {
    await storeDrawings(tx, event.id, prepared);
    const rows = prepared.drawings.map(({ id, title, material, metadata, drawn }) => ({
      id,
      title,
      ...pathsOf(drawn),
      metadata: metadata(drawn),
      drawn_from: factsOf(material),
    }));
    await savePictures(tx, event.id, rows);
  },
  report: ({ prepared }) => ({ missing: missingFrom(prepared), outdated_left: prepared.left }),
});

/** The posters with what they are drawn from now: the speakers that they showed and that are still the event's. */
async function readSources(
  db: Queryable,
  eventId: string,
  ids: string[],
  facts: PosterFacts,
  baseUrl: string,
): Promise<Source[]> {
  const posters = await findPosterRows(db, eventId, ids, baseUrl);
  return Promise.all(
    posters.map(async (poster) => {
      const shown = poster.drawn_from?.speakers ?? speakersNamed(poster.metadata, facts.speakers);
      const speakerIds = shown.map(({ id }) => id);
      return { poster, material: await getMaterialOfRemaining(db, eventId, baseUrl, speakerIds) };
    }),
  );
}

function planOf({ poster, material }: Source): Planned {
  const { id, metadata } = poster;
  const choice = drawnChoiceOf(metadata);
  if (choice === undefined) {
    throw fieldError("poster_ids", `${nameOf(poster)} (${id}) was not drawn by this service, so it cannot redraw it`);
  }
  const title = redrawnTitle(poster.title, poster.drawn_from, material.event_name);
  const speaker_ids = material.speakers.map((speaker) => speaker.id);
  const drawn = { ...choice, title: title ?? undefined, speaker_ids };
  const job = posterJob(material, drawn);
  return {
    id,
    poster,
    material,
    title,
    job,
    choice: drawn,
    metadata: (size) => redrawnMetadata(metadata, job, size, choice),
  };
}

/** What of a source decides what is drawn and stored. A link that is reported meanwhile does not matter. */
function drawnPart({ poster, material }: Source) {
  const { posted_on: _, published: _published, ...stored } = poster;
  return { stored, material };
}

function shownPoster(
  { id, title, published, metadata, image_url, thumbnail_url }: Omit<DrawnPosterRow, "posted_on" | "drawn_from">,
  stale: StalePart[],
): ShownPoster {
  const { format = null, alt_text = null } = metadata;
  return { id, title, published, format, image_url, thumbnail_url, alt_text, stale };
}

/** What a reader cannot see from the difference. */
function noteOn({ drawings, left }: Prepared, isDefault: boolean): { note?: string } {
  const published = drawings.filter(({ poster }) => poster.published).length;
  const posted = drawings.filter(({ poster }) => poster.posted_on.length > 0);
  const emptied = drawings.filter(
    ({ poster, material }) => material.speakers.length === 0 && (poster.drawn_from?.speakers.length ?? 0) > 0,
  );
  const platforms = [...new Set(posted.flatMap(({ poster }) => poster.posted_on.map(spelledPlatform)))];
  const notes: [boolean, string][] = [
    [drawings.length === 0 && isDefault, "No poster that this service drew is outdated."],
    [
      published > 0,
      `${countOf(published, drawings.length)} published: attendees and posting agents see the new picture at once.`,
    ],
    [posted.length > 0, `Posts on ${someOf(platforms)} keep the old picture: ${posterTitles(posted)}.`],
    [emptied.length > 0, `None of the speakers shown is left on ${posterTitles(emptied)}.`],
    [
      left > 0,
      `${left} more outdated ${left === 1 ? "poster remains" : "posters remain"}: at most ${maximumRedrawn} are redrawn at once.`,
    ],
  ];
  const note = notes.flatMap(([applies, text]) => (applies ? [text] : [])).join(" ");
  return note === "" ? {} : { note };
}

const posterTitles = (drawings: Source[]) => titlesOf(drawings.map(({ poster }) => poster));

/** "It is", "All are" or "2 of 3 are". */
function countOf(count: number, all: number): string {
  if (count === all) return all === 1 ? "It is" : "All are";
  return `${count} of ${all} ${count === 1 ? "is" : "are"}`;
}
