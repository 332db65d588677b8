import { posterFormats } from "../contract/poster-designs.js";
import { wordsIn } from "../src/modules/posters/poster-words.js";
import type { PosterMaterial } from "../src/poster-render/poster-input.js";
import { daysBefore } from "./calendar.js";
import type { DemoPoster } from "./content.js";
import type { DemoSource, PosterRow } from "./demo-document.js";
import { demoImageUrl } from "./image-manifest.js";
import { eventId, stableId, stableNumber } from "./stable-id.js";

export function buildPosters({ content, manifest, baseUrl, now }: DemoSource): PosterRow[] {
  return content.posters.map((poster) => {
    const { event } = poster;
    const id = posterId(poster);
    const files = manifest.posters[id];
    const image = demoImageUrl(baseUrl, files?.image);
    if (image === null) {
      throw new Error(`demo/images.json: no image for poster ${id} of ${event.key}; run npm run demo:images`);
    }
    const material = posterMaterial(poster, null);
    return {
      id,
      event: eventId(event.key),
      image_url: image,
      thumbnail_url: demoImageUrl(baseUrl, files?.thumbnail),
      title: material.title,
      published: poster.published,
      sort_order: poster.sort_order,
      metadata: metadataOf(poster, material),
      posted_urls: postedUrlsOf(poster, id),
      // The posters of one event are drawn together.
      created_at: daysBefore(now, 5 + stableNumber(`drawn ${event.key}`, 35), stableNumber(event.key, 1440)),
    };
  });
}

export function posterId({ event, template, format, title = "" }: DemoPoster): string {
  return stableId(`poster ${event.key} ${template} ${format} ${title}`);
}

/** What the poster shows: the day of the conference instead of a date, because dates depend on when the demo is loaded. */
export function posterMaterial({ event, ...poster }: DemoPoster, logo: Uint8Array | null): PosterMaterial {
  const { conference, host } = event;
  const title = poster.title ?? event.name;
  return {
    title,
    // Avoids "Opening Keynote: Software That Lasts" below the title "Software That Lasts".
    event_name: event.name.endsWith(`: ${title}`) ? event.name.slice(0, -title.length - 2) : event.name,
    conference_name: conference.short_name,
    when: `Day ${event.day} · ${event.from}–${event.to}`,
    where: `${event.venue.name}, ${conference.city}`,
    speakers: poster.speakers.map(({ name, title, company, role }) => ({ name, title, company, role, photo: null })),
    organization: { name: host.name, logo },
    co_hosts: event.co_hosts.map(({ name }) => name),
    link: null,
    words: wordsIn(poster.captions.language),
    primary_color: host.brand_primary_color,
    secondary_color: host.brand_secondary_color,
  };
}

function metadataOf({ event, captions, template, format }: DemoPoster, material: PosterMaterial) {
  return {
    style: template,
    format,
    ...posterFormats[format],
    palette: { primary: material.primary_color, secondary: material.secondary_color },
    when: material.when,
    where: material.where,
    speakers: material.speakers.map(({ name, title, company, role }) => ({ name, title, company, role })),
    caption_ideas: [
      ...captions.captions,
      `${event.name} at ${material.conference_name}. ${material.when}, ${material.where}.`,
    ],
    hashtags: [event.conference.hashtag, ...captions.hashtags],
    alt_text: altText(material),
    language: captions.language,
    generator: { name: "event-platform poster renderer", template, material: "demo" },
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

function postedUrlsOf({ posted_on }: DemoPoster, id: string): Record<string, string> | null {
  if (posted_on.length === 0) return null;
  return Object.fromEntries(
    posted_on.map(({ key, post_url }) => [
      key,
      `${post_url}${1_000_000_000 + stableNumber(`${key} ${id}`, 900_000_000)}`,
    ]),
  );
}
