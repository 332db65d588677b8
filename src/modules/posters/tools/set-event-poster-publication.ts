import { z } from "zod";
import { flag, uuid } from "../../../schema/fields.js";
import { defineMutation } from "../../../tools/mutation.js";
import { eventOf } from "../../../tools/tool.js";
import { getPosterPublication, savePosterPublication } from "../asset-store.js";

export const setEventPosterPublication = defineMutation({
  name: "set_event_poster_publication",
  title: "Publish a poster",
  group: "production",
  description:
    "Publish one poster, so that attendees and posting agents see it, or take it back with published: false. get_event_asset_workspace lists posters.",
  scope: "events:write",
  role: "admin",
  event: "host_or_co_host",
  destructive: false,
  input: z.object({ event_id: uuid, poster_id: uuid, published: flag }),
  read: async (context, { poster_id: id }) => ({
    poster: await getPosterPublication(context.tx, eventOf(context).id, id, context.baseUrl),
  }),
  propose: ({ poster }, { published }) => ({ poster: { ...poster, published } }),
  store: (context, { proposed: { poster } }) =>
    savePosterPublication(context.tx, eventOf(context).id, poster.id, poster.published),
});
