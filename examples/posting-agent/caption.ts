import type { Conference, EventSummary, Poster } from "./service-client.js";

export type Caption = { text: string; altText: string };

/** What the poster is about: the event and conference are unknown when they were not in the lists. */
export type Subject = { poster: Poster; event: EventSummary | undefined; conference: Conference | undefined };

const captionLimits: Record<string, number> = { x: 280, bluesky: 300, mastodon: 500, threads: 500, instagram: 2_200 };
const defaultLimit = 2_000;

/** Metadata is free-form: what it offers is used, and nothing is expected of it. */
export function writeCaption({ poster, event, conference }: Subject, platform: string): Caption {
  const { metadata } = poster;
  const language = readText(metadata.language) ?? "en";
  const title = poster.title ?? event?.name ?? "A new poster";
  const headline = readTexts(metadata.caption_ideas)[0] ?? readText(metadata.caption) ?? title;
  const occasion = [event?.name, conference?.name]
    .filter((name) => name !== undefined && name !== headline)
    .join(" · ");
  const when = event && formatTimes(event, language);
  const where = event && [event.venue, event.venue_address].filter((part) => part !== null).join(", ");
  const speakers = readSpeakers(metadata.speakers);
  const parts: Part[] = [
    { text: headline, dropAs: 0 },
    { text: occasion, dropAs: 1 },
    { text: speakers.length === 0 ? "" : `🎤 ${new Intl.ListFormat(supported(language)).format(speakers)}`, dropAs: 5 },
    { text: when ? `📅 ${when}` : "", dropAs: 2 },
    { text: where ? `📍 ${where}` : "", dropAs: 4 },
    { text: event?.luma_url ? `🎟 ${event.luma_url}` : "", dropAs: 3 },
    { text: readHashtags(metadata.hashtags, conference).join(" "), dropAs: 6 },
  ];
  return {
    text: shorten(parts, captionLimits[platform.toLowerCase()] ?? defaultLimit),
    altText: readText(metadata.alt_text) ?? [`Poster: ${title}`, occasion, when, where].filter(Boolean).join(". "),
  };
}

/** The part with the highest number is left out first; 0 stays, cut where it must be. */
type Part = { text: string; dropAs: number };

function shorten(parts: Part[], limit: number): string {
  const kept = parts.filter(({ text }) => text !== "");
  for (;;) {
    const text = kept.map((part) => part.text).join("\n");
    const characters = [...text];
    if (characters.length <= limit) return text;
    if (kept.length === 1) return `${characters.slice(0, limit - 1).join("")}…`;
    const last = kept.reduce((one, other) => (other.dropAs > one.dropAs ? other : one));
    kept.splice(kept.indexOf(last), 1);
  }
}

/** From start to end, on the clock of the place where the event happens. */
function formatTimes({ start_time, end_time, timezone }: EventSummary, language: string): string {
  const format = new Intl.DateTimeFormat(supported(language), {
    weekday: "long",
    year: "numeric",
    month: "long",
    day: "numeric",
    hour: "numeric",
    minute: "2-digit",
    timeZone: isKnownTimeZone(timezone) ? timezone : "UTC",
    timeZoneName: "short",
  });
  const [start, end] = [new Date(start_time), new Date(end_time)];
  // Intl puts thin spaces into ranges, which some networks show as boxes.
  return (end < start ? format.format(start) : format.formatRange(start, end)).replace(/[\u2009\u202f]/g, " ");
}

/** This program's time zone data can be older than the service's. */
function isKnownTimeZone(timezone: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: timezone }) !== undefined;
  } catch {
    return false;
  }
}

function supported(language: string): string {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(language)[0] ?? "en";
  } catch {
    return "en";
  }
}

function readHashtags(value: unknown, conference: Conference | undefined): string[] {
  const own = readTexts(value);
  const words = own.length > 0 || conference === undefined ? own : [conference.short_name];
  const tags = words.map((word) => word.replace(/[^\p{L}\p{M}\p{N}_]/gu, "")).filter((word) => word !== "");
  return [...new Set(tags)].map((tag) => `#${tag}`);
}

function readSpeakers(value: unknown): string[] {
  if (!Array.isArray(value)) return [];
  return value
    .map((item: unknown) => readText(item) ?? readText((item as { name?: unknown } | null)?.name))
    .filter((name) => name !== undefined);
}

function readTexts(value: unknown): string[] {
  return Array.isArray(value) ? value.map(readText).filter((text) => text !== undefined) : [];
}

function readText(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
}
