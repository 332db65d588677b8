import type { Conference, EventSummary, Poster } from "./service-client.js";

export type Caption = { text: string; altText: string };

/** The poster with its event and conference; both are undefined if the lists did not include them. */
export type Subject = { poster: Poster; event: EventSummary | undefined; conference: Conference | undefined };

const captionLimits: Record<string, number> = { x: 280, bluesky: 300, mastodon: 500, threads: 500, instagram: 2_200 };
const defaultLimit = 2_000;

/** Metadata is free-form: known fields are used if present, none is required. */
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
    { text: headline, dropOrder: 0 },
    { text: occasion, dropOrder: 1 },
    {
      text: speakers.length === 0 ? "" : `🎤 ${new Intl.ListFormat(supported(language)).format(speakers)}`,
      dropOrder: 5,
    },
    { text: when ? `📅 ${when}` : "", dropOrder: 2 },
    { text: where ? `📍 ${where}` : "", dropOrder: 4 },
    { text: event?.luma_url ? `🎟 ${event.luma_url}` : "", dropOrder: 3 },
    { text: readHashtags(metadata.hashtags, conference).join(" "), dropOrder: 6 },
  ];
  return {
    text: shorten(parts, captionLimits[platform.toLowerCase()] ?? defaultLimit),
    altText: readText(metadata.alt_text) ?? [`Poster: ${title}`, occasion, when, where].filter(Boolean).join(". "),
  };
}

/** The part with the highest `dropOrder` is omitted first; 0 is kept, truncated if necessary. */
type Part = { text: string; dropOrder: number };

function shorten(parts: Part[], limit: number): string {
  const kept = parts.filter(({ text }) => text !== "");
  for (;;) {
    const text = kept.map((part) => part.text).join("\n");
    const characters = [...text];
    if (characters.length <= limit) return text;
    if (kept.length === 1) return `${characters.slice(0, limit - 1).join("")}…`;
    const last = kept.reduce((one, other) => (other.dropOrder > one.dropOrder ? other : one));
    kept.splice(kept.indexOf(last), 1);
  }
}

/** Start to end, in the event's time zone. */
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
  // Intl formats ranges with thin spaces, which some networks render as boxes.
  return (end < start ? format.format(start) : format.formatRange(start, end)).replace(/[\u2009\u202f]/g, " ");
}

/** The local time zone data can be older than the service's. */
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
