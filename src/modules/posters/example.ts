import type { z } from "zod";
import type { poster } from "../../../contract/schema/posters.js";
import { exampleIds, exampleImageUrl } from "../../schema/examples.js";

export const posterExample: z.output<typeof poster> = {
  id: exampleIds.poster,
  event_id: exampleIds.event,
  conference_id: exampleIds.conference,
  image_url: exampleImageUrl("209dbba0492680a99496346851ae918a503ef0add47a2e0fd42f47308c6023a5"),
  thumbnail_url: exampleImageUrl("6294ea8bc1da68509379b66f41006d30e03ff24977f5582f3706cc030b034e67"),
  title: "Software That Lasts",
  published: true,
  sort_order: 0,
  metadata: {
    style: "headline",
    format: "portrait",
    width: 1080,
    height: 1350,
    when: "Day 1 · 09:30–10:45",
    where: "Doca Central, Main Hall, Lisbon",
    speakers: [{ name: "Inês Carvalho", title: "Chief Architect", company: "Tidewater Labs", role: "speaker" }],
    caption_ideas: ["Three rewrites, one registry, no lost record: Inês Carvalho opens Meridian."],
    hashtags: ["#MeridianLisbon", "#Keynote"],
    alt_text: "Poster of Tidewater Labs for “Software That Lasts” at Meridian Lisbon.",
    language: "en",
  },
  posted_urls: {
    linkedin: "https://linkedin.example.com/feed/update/1451203838",
    mastodon: "https://social.example.org/statuses/1338496029",
  },
  created_at: "2026-10-23T20:45:00.000Z",
};

/** What an agent reports after it has posted the poster on another platform. */
export const posterPatchExample = { posted_urls: { bluesky: "https://bluesky.example.com/post/1022303774" } };

export const patchedPosterExample: z.output<typeof poster> = {
  ...posterExample,
  posted_urls: { ...posterExample.posted_urls, ...posterPatchExample.posted_urls },
};
