import { z } from "zod";
import { uuid } from "../../../../contract/schema/fields.js";
import { postedUrlsPatch } from "../../../../contract/schema/posters.js";
import { defineEventMutation } from "../../../runner/mutation.js";
import { exampleIds } from "../../../schema/examples.js";
import { getEditablePoster } from "../asset-store.js";
import { mergePostedUrls } from "../rules.js";
import { savePostedUrls } from "../store.js";

/** What agents report with PATCH /api/svc/posters/{id}, for people who post by hand. */
export const setEventPosterLinks = defineEventMutation({
  name: "set_event_poster_links",
  title: "Note where a poster was posted",
  group: "production",
  description:
    "Note the links of posts that somebody made by hand, or remove a wrong one. Merged by platform: null removes one.",
  scope: "events:write",
  role: "admin",
  example: {
    event_id: exampleIds.event,
    poster_id: exampleIds.poster,
    posted_urls: { LinkedIn: "https://www.linkedin.com/posts/1" },
  },
  event: "host_or_co_host",
  destructive: true,
  input: z.object({ poster_id: uuid, posted_urls: postedUrlsPatch }),
  read: async ({ tx, event, baseUrl }, { poster_id }) => {
    const { id, title, published, posted_urls } = await getEditablePoster(tx, event.id, poster_id, baseUrl);
    return { poster: { id, title, published, posted_urls } };
  },
  propose({ poster }, { posted_urls: patch }) {
    return { poster: { ...poster, posted_urls: mergePostedUrls(poster.posted_urls, patch) } };
  },
  async store({ tx, baseUrl }, { proposed: { poster } }) {
    await savePostedUrls(tx, poster.id, poster.posted_urls, baseUrl);
  },
});
