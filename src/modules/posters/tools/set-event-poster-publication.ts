import { z } from "zod";
import { exampleIds } from "../../../schema/examples.js";
import { flag, uuid } from "../../../schema/fields.js";
import { defineEventMutation } from "../../../tools/mutation.js";
import { getPosterPublication, listPostedPlatforms, savePosterPublication } from "../asset-store.js";

export const setEventPosterPublication = defineEventMutation({
  name: "set_event_poster_publication",
  title: "Publish a poster",
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
  beside: async ({ tx, event }, { poster_id: id, published }) =>
    published ? [] : listPostedPlatforms(tx, event.id, id),
  warnings(_proposal, platforms) {
    if (platforms.length === 0) return [];
    const message = `The poster was posted on ${platforms.join(", ")}: what was posted stays there`;
    return [{ code: "poster_was_posted", message, path: "poster.published" }];
  },
  store: (context, { proposed: { poster } }) =>
    savePosterPublication(context.tx, context.event.id, poster.id, poster.published),
});
