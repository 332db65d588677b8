import { z } from "zod";
import { fieldError } from "../../../../contract/errors.js";
import { line, uuid } from "../../../../contract/schema/fields.js";
import { metadataPatch, sortOrder } from "../../../../contract/schema/posters.js";
import { defineEventMutation } from "../../../runner/mutation.js";
import { exampleIds } from "../../../schema/examples.js";
import { getEditablePoster, savePoster } from "../asset-store.js";
import { mergeMetadata } from "../metadata-rules.js";

export const updateEventPoster = defineEventMutation({
  name: "update_event_poster",
  title: "Edit a poster's texts and order",
  group: "production",
  addition: true,
  description:
    "Change a poster's title, order or metadata (caption_ideas, hashtags, language). The image stays as it was drawn.",
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
