import { randomUUID } from "node:crypto";
import { z } from "zod";
import { ServiceError } from "../../../platform/errors.js";
import { exampleIds } from "../../../schema/examples.js";
import { line, uuidList } from "../../../schema/fields.js";
import { canonicalJson } from "../../../tools/canonical-json.js";
import { defineEventMutation, type PrepareContext } from "../../../tools/mutation.js";
import type { EventToolContext } from "../../../tools/tool.js";
import { imagePath, imageStore } from "../../images/store.js";
import { addPoster, findLastSortOrder, findNewPoster, type NewPoster } from "../asset-store.js";
import { posterFormat, posterTemplate } from "../designs.js";
import { posterJob, posterMetadata } from "../draft-rules.js";
import { requireImageQuota } from "../image-quota.js";
import { type EventMaterial, getMaterial, maximumSpeakers } from "../material-store.js";
import type { DrawnPoster, PosterJob, PosterServices } from "../poster-job.js";

type Prepared = {
  id: string;
  material: EventMaterial;
  job: PosterJob;
  drawn: DrawnPoster;
  baseUrl: string;
  quotaBytes: number;
};

type Material = Pick<PosterJob, "template" | "title" | "when" | "where"> & {
  organization: string;
  colors: string[];
  speakers: string[];
  drawing: string | null;
};

type Draft = {
  material: Material;
  last_sort_order: number | null;
  poster: (Omit<NewPoster, "id" | "created_at"> & { id: string | null; created_at: string | null }) | null;
};

export const generateEventPosterDraft = defineEventMutation({
  name: "generate_event_poster_draft",
  title: "Draw a poster",
  group: "production",
  description:
    "Draw a poster of the event in the host's colours and with its logo: a PNG and a thumbnail, stored as an unpublished poster. Their URLs work after the commit. `missing` names pictures that could not be fetched. Then set_event_poster_publication.",
  scope: "events:write",
  role: "admin",
  example: { event_id: exampleIds.event, template: "headline", format: "square", title: "Software That Lasts" },
  event: "host_or_co_host",
  destructive: false,
  openWorld: true,
  input: z.object({
    template: posterTemplate.exactOptional().meta({ description: "default: lineup with speakers, headline without" }),
    format: posterFormat.default("portrait"),
    title: line(200).exactOptional().meta({ description: "default: the event's name" }),
    speaker_ids: uuidList(maximumSpeakers)
      .refine((ids) => new Set(ids).size === ids.length, { error: "expected each speaker once" })
      .exactOptional()
      .meta({ description: "default: all, in order" }),
  }),
  async prepare(context: PrepareContext<EventToolContext, PosterServices>, input): Promise<Prepared> {
    const { db, services, baseUrl } = context;
    const material = await getMaterial(db, context.event.id, baseUrl, input.speaker_ids);
    const job = posterJob(material, input);
    const drawn = await services.drawPoster(job, context.caller.organizationId);
    const quotaBytes = services.imageQuotaBytes;
    // Checked again when the images are stored; here, so that a preview does not promise what its commit refuses.
    await requireImageQuota(db, context.event.id, [drawn.image, drawn.thumbnail], quotaBytes);
    return { id: randomUUID(), material, job, drawn, baseUrl, quotaBytes };
  },
  async read(context, input, { id, material, job, drawn }): Promise<Draft> {
    const { event } = context;
    const now = await getMaterial(context.tx, event.id, context.baseUrl, input.speaker_ids);
    const isCurrent = canonicalJson(now) === canonicalJson(material);
    return {
      material: isCurrent
        ? shownMaterial(job, drawn)
        : { ...shownMaterial(posterJob(now, input), drawn), drawing: null },
      last_sort_order: await findLastSortOrder(context.tx, event.id, id),
      poster: (await findNewPoster(context.tx, event.id, id, context.baseUrl)) ?? null,
    };
  },
  propose(current, _input, { job, drawn, baseUrl }) {
    if (current.material.drawing === null) throw changedMeanwhile();
    const sort_order = current.last_sort_order === null ? 0 : Math.floor(current.last_sort_order) + 1;
    return {
      ...current,
      poster: {
        id: null,
        image_url: baseUrl + imagePath(drawn.image),
        thumbnail_url: baseUrl + imagePath(drawn.thumbnail),
        title: job.title,
        published: false,
        sort_order,
        alt_text: posterMetadata(job, drawn).alt_text,
        created_at: null,
      },
    };
  },
  async store(context, { proposed: { poster }, prepared: { id, job, drawn, quotaBytes } }) {
    if (poster === null) throw new Error("the proposed state has no poster");
    await requireImageQuota(context.tx, context.event.id, [drawn.image, drawn.thumbnail], quotaBytes);
    await imageStore(context.tx).save([drawn.image, drawn.thumbnail]);
    // Stored as paths, so that they follow PUBLIC_URL.
    const images = { image_url: imagePath(drawn.image), thumbnail_url: imagePath(drawn.thumbnail) };
    await addPoster(context.tx, context.event.id, { ...poster, ...images, id }, posterMetadata(job, drawn));
  },
  report: (_current, _proposed, _input, { drawn }) => ({ missing: drawn.missing }),
});

/**
 * What the drawing depends on. The hash of the drawing covers the rest, such as pictures whose content changed; it is
 * null when the material changed while it was drawn.
 */
function shownMaterial(job: PosterJob, drawn: DrawnPoster): Material {
  return {
    template: job.template,
    title: job.title,
    when: job.when,
    where: job.where,
    organization: job.organization.name,
    colors: [job.primary_color, job.secondary_color],
    speakers: job.speakers.map(({ name }) => name),
    drawing: drawn.image.hash.slice(0, 16),
  };
}

function changedMeanwhile(): ServiceError {
  return new ServiceError(
    "version_conflict",
    "The event, its speakers or its host's brand changed while the poster was drawn. Nothing was changed. Preview again with dry_run: true",
  );
}
