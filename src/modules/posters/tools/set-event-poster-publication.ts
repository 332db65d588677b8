import { z } from "zod";
import { flag, uuid } from "../../../../contract/schema/fields.js";
import { defineEventMutation } from "../../../runner/mutation.js";
import { exampleIds } from "../../../schema/examples.js";
import { getPosterPublication, getPosterUse, savePosterPublication } from "../asset-store.js";
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
