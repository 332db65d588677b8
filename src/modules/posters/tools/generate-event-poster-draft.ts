import { randomUUID } from "node:crypto";
import { z } from "zod";
import { canonicalJson } from "../../../../contract/canonical-json.js";
import { fieldError } from "../../../../contract/errors.js";
import type { PosterTemplate } from "../../../../contract/poster-designs.js";
import { callToAction, captionIdeas, hashtags, language, posterLink } from "../../../../contract/schema/captions.js";
import { flag, line, uuidList } from "../../../../contract/schema/fields.js";
import { posterFormat, posterTemplate } from "../../../../contract/schema/posters.js";
import { defineEventMutation, type PrepareContext } from "../../../runner/mutation.js";
import type { EventToolContext } from "../../../runner/tool.js";
import { exampleIds } from "../../../schema/examples.js";
import { findNewPosters, listPosterLines, type NewPoster, type PosterLine } from "../asset-store.js";
import { factsOf, posterJob, posterMetadata, templateFor } from "../draft-rules.js";
import {
  changedMeanwhile,
  type Drawing,
  type Drawings,
  drawPosters,
  hashOf,
  missingFrom,
  pathsOf,
  shownDrawings,
  storeDrawings,
} from "../drawings.js";
import { type EventMaterial, getMaterial, maximumSpeakers } from "../material-store.js";
import type { DraftChoice, PosterJob, PosterServices } from "../poster-job.js";
import { addPosters } from "../store.js";

type Prepared = Drawings & { material: EventMaterial; baseUrl: string };

type Material = Pick<PosterJob, "when" | "where" | "co_hosts"> & {
  template?: string;
  templates?: string[];
  organization: string;
  colors: string[];
  speakers: string[];
  /** From the hashes of the drawings, which cover the rest, such as pictures whose content changed. */
  drawing: string | null;
};

type DraftPoster = Omit<NewPoster, "id" | "created_at"> & { id: string | null; created_at: string | null };

/** `poster` for one template, `drafts` for several; and all posters of the event. */
type Draft = {
  material: Material;
  poster?: DraftPoster | null;
  drafts?: DraftPoster[];
  posters: PosterLine[];
};

export const generateEventPosterDraft = defineEventMutation({
  name: "generate_event_poster_draft",
  title: "Draw a poster",
  group: "production",
  description:
    "Draw posters in the host's colours and with its logo. The preview has the drawings and, in `previews`, their URLs; image_url works after the commit.",
  scope: "events:write",
  role: "admin",
  example: {
    event_id: exampleIds.event,
    template: "headline",
    format: "square",
    title: "Software That Lasts",
    caption_ideas: ["Three rewrites, one registry, no lost record."],
    hashtags: ["#MeridianLisbon"],
    language: "en",
    link: "https://events.example.com/keynote",
  },
  event: "host_or_co_host",
  destructive: false,
  // Photos and logos are fetched from where they are.
  openWorld: true,
  input: z.object({
    template: posterTemplate
      .exactOptional()
      .meta({ description: "default: lineup if there are speakers, otherwise headline" }),
    templates: z
      .array(posterTemplate)
      .min(1)
      .max(posterTemplate.options.length)
      .refine((given) => new Set(given).size === given.length, { error: "expected each template once" })
      .exactOptional()
      .meta({ description: "to draw several at once" }),
    format: posterFormat.default("portrait"),
    title: line(200).exactOptional().meta({ description: "default: the event's name" }),
    speaker_ids: uuidList(maximumSpeakers).exactOptional().meta({ description: "default: all, in order" }),
    caption_ideas: captionIdeas.exactOptional(),
    hashtags: hashtags.exactOptional(),
    language: language.exactOptional(),
    link: posterLink.exactOptional(),
    call_to_action: callToAction.exactOptional(),
    publish: flag
      .exactOptional()
      .meta({ type: "boolean", description: "with the commit; otherwise later, with set_event_poster_publication" }),
  }),
  async prepare(context: PrepareContext<EventToolContext, PosterServices>, input): Promise<Prepared> {
    const { db, baseUrl, event } = context;
    const material = await getMaterial(db, event.id, baseUrl, input.speaker_ids);
    const planned = choicesOf(material, input).map((choice) => ({
      id: randomUUID(),
      choice,
      job: posterJob(material, choice),
    }));
    return { material, baseUrl, ...(await drawPosters(context, planned)) };
  },
  async read(context, input, { material, drawings }): Promise<Draft> {
    const { tx, event, baseUrl } = context;
    const ids = drawings.map(({ id }) => id);
    const [now, posters, found] = await Promise.all([
      getMaterial(tx, event.id, baseUrl, input.speaker_ids),
      listPosterLines(tx, event.id),
      findNewPosters(tx, event.id, ids, baseUrl),
    ]);
    const isCurrent = canonicalJson(now) === canonicalJson(material);
    const drafts = drawings.flatMap(({ id }) => found.find((poster) => poster.id === id) ?? []);
    return {
      material: { ...shownMaterial(now, drawings), ...(isCurrent ? {} : { drawing: null }) },
      ...(input.templates === undefined ? { poster: drafts[0] ?? null } : { drafts }),
      posters,
    };
  },
  propose(current, input, { drawings, baseUrl }) {
    if (current.material.drawing === null) throw changedMeanwhile(current);
    const last = current.posters.at(-1);
    const first = last === undefined ? 0 : Math.floor(last.sort_order) + 1;
    const drafts = drawings.map(({ job, drawn }, index) => ({
      id: null,
      ...pathsOf(drawn, baseUrl),
      title: job.title,
      published: input.publish ?? false,
      sort_order: first + index,
      alt_text: posterMetadata(job, drawn, input).alt_text,
      created_at: null,
    }));
    const [poster = null] = drafts;
    const lines = drafts.map(({ id, title, sort_order, published }) => ({ id, title, sort_order, published }));
    return {
      ...current,
      ...(input.templates === undefined ? { poster } : { drafts }),
      posters: [...current.posters, ...lines],
    };
  },
  // The posters come last, whatever was added meanwhile.
  basis: ({ posters: _, ...shown }) => shown,
  related: async (_context, { publish }, drawings) => ({
    ...(publish ? { note: "The commit publishes: attendees and posting agents see it at once." } : {}),
    ...shownDrawings(drawings),
  }),
  explain: (related) => related,
  async store({ tx, event }, { input, proposed, prepared }) {
    await storeDrawings(tx, event.id, prepared);
    const posters = proposed.drafts ?? [proposed.poster];
    const rows = prepared.drawings.map(({ id, job, drawn }, index) => ({
      id,
      published: input.publish ?? false,
      sort_order: posters[index]?.sort_order ?? index,
      title: job.title,
      ...pathsOf(drawn),
      metadata: posterMetadata(job, drawn, input),
      drawn_from: factsOf(prepared.material),
    }));
    await addPosters(tx, event.id, rows);
  },
  report: ({ prepared }) => ({ missing: missingFrom(prepared) }),
});

/** One choice for each poster, with its template. */
function choicesOf(
  material: EventMaterial,
  input: DraftChoice & { templates?: PosterTemplate[] | undefined },
): DraftChoice[] {
  const { template, templates, format, title, speaker_ids, language: spoken, link, call_to_action } = input;
  if (template !== undefined && templates !== undefined) {
    throw fieldError("templates", "expected either template or templates, not both");
  }
  if (call_to_action !== undefined && link === undefined) {
    throw fieldError("call_to_action", "needs a link: it is drawn next to the QR code");
  }
  const chosen = templates ?? [template ?? templateFor(material)];
  return chosen.map((each) => ({
    template: each,
    format,
    title,
    speaker_ids,
    language: spoken,
    link,
    call_to_action,
  }));
}

/** What the drawings depend on besides the title, which each poster has. */
function shownMaterial(material: EventMaterial, drawings: Drawing[]): Material {
  const [first, ...others] = drawings;
  if (first === undefined) throw new Error("a draft without a drawing");
  const job = posterJob(material, first.choice);
  const templates = drawings.map(({ choice }) => choice.template ?? job.template);
  return {
    ...(others.length === 0 ? { template: job.template } : { templates }),
    when: job.when,
    where: job.where,
    organization: job.organization.name,
    co_hosts: job.co_hosts,
    colors: [job.primary_color, job.secondary_color],
    speakers: job.speakers.map(({ name }) => name),
    drawing: hashOf(drawings),
  };
}
