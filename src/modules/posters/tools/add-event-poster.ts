import { randomUUID } from "node:crypto";
import { z } from "zod";
import { maximumAltText } from "../../../../contract/nouns.js";
import { captionIdeas, hashtags, language } from "../../../../contract/schema/captions.js";
import { line, webUrl } from "../../../../contract/schema/fields.js";
import { defineEventMutation, type PrepareContext } from "../../../runner/mutation.js";
import { type EventToolContext, resultImages } from "../../../runner/tool.js";
import { exampleIds, exampleImageUrl } from "../../../schema/examples.js";
import { imagePath, imageStore, requireHostImageQuota } from "../../images/store.js";
import { findNewPosters, listPosterLines, type NewPoster, type PosterLine } from "../asset-store.js";
import { finishedPosterMetadata } from "../draft-rules.js";
import { getMaterial } from "../material-store.js";
import type { LoadedPoster, PosterServices } from "../poster-job.js";
import { addPosters } from "../store.js";

/** What the new poster is made of. The picture by its hash, because another one may come to its address. */
type Material = { title: string; picture: string; width: number; height: number; alt_text: string };

type AddedPoster = {
  material: Material;
  poster: (Omit<NewPoster, "id" | "created_at"> & { id: string | null; created_at: string | null }) | null;
  posters: PosterLine[];
};

type Prepared = {
  id: string;
  title: string;
  loaded: LoadedPoster;
  metadata: ReturnType<typeof finishedPosterMetadata>;
  baseUrl: string;
  quotaBytes: number;
};

export const addEventPoster = defineEventMutation({
  name: "add_event_poster",
  title: "Add a finished poster",
  group: "production",
  addition: true,
  description:
    "Add a finished poster as a draft. image_url: of an upload in the console, or a public https address, which is copied.",
  scope: "events:write",
  role: "admin",
  example: {
    event_id: exampleIds.event,
    image_url: exampleImageUrl("209dbba0492680a99496346851ae918a503ef0add47a2e0fd42f47308c6023a5"),
    title: "Software That Lasts",
    alt_text: "A lighthouse in the colours of Tidewater Labs, with the title and the date.",
  },
  event: "host_or_co_host",
  destructive: false,
  // The picture is fetched from where it is.
  openWorld: true,
  input: z.object({
    image_url: webUrl,
    title: line(200).exactOptional().meta({ description: "default: the event's name" }),
    alt_text: line(maximumAltText).exactOptional().meta({ description: "what the picture shows" }),
    caption_ideas: captionIdeas.exactOptional(),
    hashtags: hashtags.exactOptional(),
    language: language.exactOptional(),
  }),
  async prepare(context: PrepareContext<EventToolContext, PosterServices>, input): Promise<Prepared> {
    const { db, services, baseUrl, event, caller } = context;
    const { image_url, ...texts } = input;
    const loaded = await services.loadPoster(image_url, caller.organizationId);
    const quotaBytes = services.imageQuotaBytes;
    // Checked again when the images are stored; here, so that a preview does not promise what its commit refuses.
    await requireHostImageQuota(db, event.id, [loaded.image, loaded.thumbnail], quotaBytes);
    const material = await getMaterial(db, event.id, baseUrl);
    const title = texts.title ?? material.event_name;
    const metadata = finishedPosterMetadata(material, loaded, texts);
    return { id: randomUUID(), title, loaded, metadata, baseUrl, quotaBytes };
  },
  async read({ tx, event, baseUrl }, _input, { id, title, loaded, metadata }): Promise<AddedPoster> {
    const [[poster = null], posters] = await Promise.all([
      findNewPosters(tx, event.id, [id], baseUrl),
      listPosterLines(tx, event.id),
    ]);
    const { width, height, alt_text } = metadata;
    const picture = loaded.image.hash.slice(0, 16);
    return { material: { title, picture, width, height, alt_text }, poster, posters };
  },
  propose(current, _input, { title, loaded, metadata, baseUrl }) {
    const last = current.posters.at(-1);
    const line = {
      id: null,
      title,
      sort_order: last === undefined ? 0 : Math.floor(last.sort_order) + 1,
      published: false,
    };
    const poster = {
      ...line,
      image_url: baseUrl + imagePath(loaded.image),
      thumbnail_url: baseUrl + imagePath(loaded.thumbnail),
      alt_text: metadata.alt_text,
      created_at: null,
    };
    return { ...current, poster, posters: [...current.posters, line] };
  },
  // The poster comes last, whatever was added meanwhile.
  basis: ({ material }) => material,
  async store({ tx, event }, { proposed: { poster }, prepared: { id, title, loaded, metadata, quotaBytes } }) {
    const images = [loaded.image, loaded.thumbnail];
    await requireHostImageQuota(tx, event.id, images, quotaBytes);
    await imageStore(tx).save(images);
    const row = {
      id,
      title,
      published: false,
      sort_order: poster?.sort_order ?? 0,
      image_url: imagePath(loaded.image),
      thumbnail_url: imagePath(loaded.thumbnail),
      metadata,
      // It is not known what the poster shows, so it never counts as old.
      drawn_from: null,
    };
    await addPosters(tx, event.id, [row]);
  },
  report: ({ proposed: { poster }, prepared: { loaded } }) =>
    typeof poster?.id === "string" ? {} : { [resultImages]: [{ contentType: "image/webp", bytes: loaded.miniature }] },
});
