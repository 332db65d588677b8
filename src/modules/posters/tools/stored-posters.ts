import { z } from "zod";
import { fieldError, ServiceError } from "../../../../contract/errors.js";
import { flag, line, uuid } from "../../../../contract/schema/fields.js";
import { metadataPatch, sortOrder } from "../../../../contract/schema/posters.js";
import { unknownId } from "../../../runner/known-ids.js";
import { defineEventMutation } from "../../../runner/mutation.js";
import { exampleIds } from "../../../schema/examples.js";
import {
  type EditablePoster,
  findEditablePoster,
  getEditablePoster,
  getPosterPublication,
  getPosterUse,
  listPosterLines,
  type PosterLine,
  removePoster,
  savePoster,
  savePosterPublication,
} from "../asset-store.js";
import { publicationWarnings } from "../warnings.js";

export const setEventPosterPublication = defineEventMutation({
  name: "set_event_poster_publication",
  title: "Publish or unpublish a poster",
  group: "production",
  description: "Publish a poster for attendees and posting agents, or unpublish it with published: false.",
  scope: "events:write",
  role: "admin",
  example: { event_id: exampleIds.event, poster_id: exampleIds.poster, published: false },
  event: "host_or_co_host",
  destructive: false,
  input: z.object({ poster_id: uuid, published: flag }),
  read: async (context, { poster_id: id }) => ({
    poster: await getPosterPublication(context.tx, context.event.id, id, context.baseUrl),
  }),
  propose: ({ poster }, { published }) => ({ poster: { ...poster, published } }),
  related: ({ tx, event }, { poster_id: id }) => getPosterUse(tx, event.id, id),
  warnings: ({ input: { published } }, use) => publicationWarnings(published, use),
  store: (context, { proposed: { poster } }) =>
    savePosterPublication(context.tx, context.event.id, poster.id, poster.published),
});

export const updateEventPoster = defineEventMutation({
  name: "update_event_poster",
  title: "Edit a poster's texts and order",
  group: "production",
  addition: true,
  description: "Change a poster's title, order or metadata (caption_ideas, hashtags, language). The image stays.",
  scope: "events:write",
  role: "admin",
  example: {
    event_id: exampleIds.event,
    poster_id: exampleIds.poster,
    metadata: { caption_ideas: ["Doors open at 9."], hashtags: ["#MeridianLisbon"] },
  },
  event: "host_or_co_host",
  destructive: true,
  input: z.object({
    poster_id: uuid,
    title: line(300).nullable().exactOptional(),
    sort_order: sortOrder.exactOptional(),
    metadata: metadataPatch.exactOptional(),
  }),
  read: async ({ tx, event, baseUrl }, { poster_id }) => {
    const { id, title, published, sort_order, metadata } = await getEditablePoster(tx, event.id, poster_id, baseUrl);
    return { poster: { id, title, published, sort_order, metadata } };
  },
  propose({ poster }, { title, sort_order, metadata }) {
    if (title === undefined && sort_order === undefined && metadata === undefined) {
      throw fieldError("title", "expected at least one of title, sort_order and metadata");
    }
    return {
      poster: {
        ...poster,
        ...(title === undefined ? {} : { title }),
        ...(sort_order === undefined ? {} : { sort_order }),
        ...(metadata === undefined ? {} : { metadata: mergeMetadata(poster.metadata, metadata) }),
      },
    };
  },
  store: ({ tx, event }, { proposed: { poster } }) => savePoster(tx, event.id, poster),
});

type PosterRemoval = { poster: EditablePoster | null; posters: PosterLine[] };

export const removeEventPoster = defineEventMutation({
  name: "remove_event_poster",
  title: "Remove a poster draft",
  group: "production",
  addition: true,
  description: "Remove a draft that was never posted. Unpublish a published poster first.",
  scope: "events:write",
  role: "admin",
  example: { event_id: exampleIds.event, poster_id: exampleIds.poster },
  event: "host_or_co_host",
  destructive: true,
  input: z.object({ poster_id: uuid }),
  async read({ tx, event, baseUrl }, { poster_id }): Promise<PosterRemoval> {
    const [poster = null, posters] = await Promise.all([
      findEditablePoster(tx, event.id, poster_id, baseUrl),
      listPosterLines(tx, event.id),
    ]);
    return { poster, posters };
  },
  propose({ poster, posters }, { poster_id }) {
    if (poster === null) throw unknownId("poster", poster_id);
    if (poster.published) {
      throw new ServiceError(
        "conflict",
        "This poster is published, and attendees see it: unpublish it with set_event_poster_publication first",
      );
    }
    const platforms = Object.keys(poster.posted_urls ?? {});
    if (platforms.length > 0) {
      throw new ServiceError(
        "conflict",
        `This poster was posted on ${platforms.slice(0, 5).join(", ")}, and those links are kept: it stays as an unpublished poster`,
      );
    }
    return { poster: null, posters: posters.filter(({ id }) => id !== poster_id) };
  },
  basis: ({ poster }) => poster,
  store: ({ tx, event }, { input: { poster_id } }) => removePoster(tx, event.id, poster_id),
});

const maximumMetadataBytes = 16_384;

/** What the service itself knows about the image. */
const describesImage = ["style", "format", "width", "height", "generator"];

/** RFC 7396 by name, for the first level: null removes, another value adds or replaces, what is not named stays. */
function mergeMetadata(current: Record<string, unknown>, patch: Record<string, unknown>): Record<string, unknown> {
  const fixed = describesImage.find((name) => name in patch);
  if (fixed !== undefined) {
    throw fieldError(`metadata.${fixed}`, "describes the image and cannot be changed: draw another poster instead");
  }
  const merged = new Map(Object.entries(current));
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) merged.delete(name);
    else merged.set(name, value);
  }
  const metadata = Object.fromEntries(merged);
  const bytes = Buffer.byteLength(JSON.stringify(metadata));
  if (bytes > maximumMetadataBytes && bytes > Buffer.byteLength(JSON.stringify(current))) {
    throw fieldError(
      "metadata",
      `expected at most ${maximumMetadataBytes} bytes of JSON in all, this would make ${bytes}; remove entries with null`,
    );
  }
  return metadata;
}
