import { type PosterMaterial, posterFormats } from "../src/poster-render/poster-input.js";
import { conferences } from "./content/conferences.js";
import { getEventSeed } from "./content/events.js";
import { posterCaptions } from "./content/poster-captions.js";
import { type Platform, type PosterSeed, posters } from "./content/poster-seeds.js";
import { daysBefore } from "./demo-calendar.js";

import { imageUrl } from "./demo-images.js";
import type { DemoSource } from "./demo-source.js";
import type { PosterRow } from "./import-document.js";
import { posterId, posterMaterial } from "./poster-material.js";
import { stableId, stableNumber } from "./stable-id.js";

const postAddresses: Record<Platform, string> = {
  x: "https://x.example.com/status/",
  linkedin: "https://linkedin.example.com/feed/update/",
  bluesky: "https://bluesky.example.com/post/",
  mastodon: "https://social.example.org/statuses/",
  instagram: "https://instagram.example.com/p/",
  threads: "https://threads.example.com/post/",
};

const frenchEvents = new Set(["soiree", "translation-sprint"]);

export function buildPosters({ now, manifest, baseUrl }: DemoSource): PosterRow[] {
  return posters.map((seed) => {
    const id = posterId(seed);
    const files = manifest.posters[id];
    const image = imageUrl(baseUrl, files?.image);
    if (image === null) throw new Error(`demo/images.json has no image for the poster ${id}: draw the images again`);
    const material = posterMaterial(seed, null);
    return {
      id,
      event: stableId(`event ${seed.event}`),
      image_url: image,
      thumbnail_url: imageUrl(baseUrl, files?.thumbnail),
      title: material.title,
      published: seed.state !== "draft",
      sort_order: seed.order,
      metadata: metadataOf(seed, material),
      posted_urls: postedUrlsOf(seed, id),
      // The posters of an event are drawn in one go, so they share the moment.
      created_at: daysBefore(now, 5 + stableNumber(`drawn ${seed.event}`, 35), stableNumber(seed.event, 1440)),
    };
  });
}

function metadataOf(seed: PosterSeed, material: PosterMaterial): Record<string, unknown> {
  const event = getEventSeed(seed.event);
  const hashtag = conferences.find(({ slug }) => slug === event.conference)?.hashtag ?? "";
  const wording = posterCaptions[seed.event];
  return {
    style: seed.template,
    format: seed.format,
    ...posterFormats[seed.format],
    palette: { primary: material.primary_color, secondary: material.secondary_color },
    when: material.when,
    where: material.where,
    speakers: material.speakers.map(({ name, title, company, role }) => ({ name, title, company, role })),
    caption_ideas: [
      ...(wording?.captions ?? []),
      `${event.name} at ${material.conference_name}. ${material.when}, ${material.where}.`,
    ],
    hashtags: [hashtag, ...(wording?.hashtags ?? [])],
    alt_text: altText(material),
    language: frenchEvents.has(seed.event) ? "fr" : "en",
    generator: { name: "event-platform poster renderer", template: seed.template, material: "demo" },
  };
}

function altText(material: PosterMaterial): string {
  const { title, event_name, conference_name, when, where, organization, speakers } = material;
  const names = speakers.map(({ name }) => name).filter((name) => name !== title);
  const featured = names.length < speakers.length ? title : `“${title}”`;
  const subject = title === event_name ? `“${event_name}”` : `${featured}, part of “${event_name}”`;
  const cast = names.length === 0 ? "" : ` With ${new Intl.ListFormat("en").format(names)}.`;
  return `Poster of ${organization.name} for ${subject} at ${conference_name}: ${when}, ${where}.${cast}`;
}

function postedUrlsOf(seed: PosterSeed, id: string): Record<string, string> | null {
  if (typeof seed.state === "string") return null;
  return Object.fromEntries(
    seed.state.map((platform) => [
      platform,
      `${postAddresses[platform]}${1_000_000_000 + stableNumber(`${platform} ${id}`, 900_000_000)}`,
    ]),
  );
}
