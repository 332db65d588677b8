import { randomUUID } from "node:crypto";
import { z } from "zod";
import { canonicalJson } from "../../../../contract/canonical-json.js";
import { fieldError, ServiceError } from "../../../../contract/errors.js";
import type { PosterTemplate } from "../../../../contract/poster-designs.js";
import { callToAction, captionIdeas, hashtags, language, posterLink } from "../../../../contract/schema/captions.js";
import { flag, line, uuidList } from "../../../../contract/schema/fields.js";
import { posterFormat, posterTemplate } from "../../../../contract/schema/posters.js";
import { defineEventMutation, type PrepareContext } from "../../../runner/mutation.js";
import { type EventToolContext, resultImages } from "../../../runner/tool.js";
import { exampleIds } from "../../../schema/examples.js";
import { imagePath, imageStore, requireHostImageQuota } from "../../images/store.js";
import { findNewPosters, listPosterLines, type NewPoster, type PosterLine } from "../asset-store.js";
import { factsOf, posterJob, posterMetadata, templateFor } from "../draft-rules.js";
import { type EventMaterial, getMaterial, maximumSpeakers } from "../material-store.js";
import type { DraftChoice, DrawnPoster, PosterJob, PosterServices } from "../poster-job.js";
import { addPosters } from "../store.js";

/** One poster of the call: what it is drawn from, and the drawing. */
type Drawing = { id: string; choice: DraftChoice; job: PosterJob; drawn: DrawnPoster };

type Preview = { template: string; url: string; expires_at: string };

type Prepared = {
  material: EventMaterial;
  drawings: Drawing[];
  previews: Preview[];
  baseUrl: string;
  quotaBytes: number;
};

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
    "Draw posters in the host's colours and with its logo. The preview contains the drawings and, in `previews`, their URLs; image_url works after the commit.",
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
    const { db, services, baseUrl, event, caller } = context;
    const material = await getMaterial(db, event.id, baseUrl, input.speaker_ids);
    const drawings: Drawing[] = [];
    // One after another: the organization's share of the drawing is for all of its people.
    for (const choice of choicesOf(material, input)) {
      const job = posterJob(material, choice);
      drawings.push({ id: randomUUID(), choice, job, drawn: await services.drawPoster(job, caller.organizationId) });
    }
    const quotaBytes = services.imageQuotaBytes;
    // Checked again when the images are stored; here, so that a preview does not promise what its commit refuses.
    await requireHostImageQuota(db, event.id, imagesOf(drawings), quotaBytes);
    const previews = await Promise.all(
      drawings.map(async ({ choice, job, drawn }) => {
        const preview = { organization_id: caller.organizationId, event_id: event.id, choice };
        return { template: job.template, ...(await services.previewUrl(preview, drawn.image)) };
      }),
    );
    return { material, drawings, previews, baseUrl, quotaBytes };
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
      image_url: baseUrl + imagePath(drawn.image),
      thumbnail_url: baseUrl + imagePath(drawn.thumbnail),
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
  async store({ tx, event }, { input, proposed, prepared: { material, drawings, quotaBytes } }) {
    const images = imagesOf(drawings);
    await requireHostImageQuota(tx, event.id, images, quotaBytes);
    await imageStore(tx).save(images);
    const posters = proposed.drafts ?? [proposed.poster];
    const rows = drawings.map(({ id, job, drawn }, index) => ({
      id,
      published: input.publish ?? false,
      sort_order: posters[index]?.sort_order ?? index,
      title: job.title,
      // Stored as paths, so that they follow PUBLIC_URL.
      image_url: imagePath(drawn.image),
      thumbnail_url: imagePath(drawn.thumbnail),
      metadata: posterMetadata(job, drawn, input),
      drawn_from: factsOf(material),
    }));
    await addPosters(tx, event.id, rows);
  },
  report({ proposed, input: { publish }, prepared: { drawings, previews } }) {
    const missing = [...new Set(drawings.flatMap(({ drawn }) => drawn.missing))];
    const posters = proposed.drafts ?? [proposed.poster];
    if (posters.some((poster) => typeof poster?.id === "string")) return { missing };
    const images = drawings.map(({ drawn: { miniature } }) => ({ contentType: "image/webp", bytes: miniature }));
    const note = "The commit publishes: attendees and posting agents see it at once.";
    return { ...(publish ? { note } : {}), missing, previews, [resultImages]: images };
  },
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

function imagesOf(drawings: Drawing[]) {
  return drawings.flatMap(({ drawn }) => [drawn.image, drawn.thumbnail]);
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
    drawing: drawings.map(({ drawn }) => drawn.image.hash.slice(0, 16)).join(" "),
  };
}

function changedMeanwhile(current: Draft): ServiceError {
  return new ServiceError(
    "version_conflict",
    "The event, its speakers or its host's brand changed while the poster was drawn: preview again with dry_run: true",
    { details: { current } },
  );
}
