import { fieldError } from "../../../contract/errors.js";
import { platformNames } from "../../../contract/platform-names.js";
import { maximumPlatforms, platformKey, platformNameOf } from "../../../contract/schema/posters.js";
import { shortText, someOf } from "../../../contract/shortened.js";

export type PostedUrls = Record<string, string>;

/**
 * RFC 7396 by platform: null removes, a URL adds or replaces, what is not named stays. The newest spelling of a platform is
 * kept. Null if there are no links.
 */
export function mergePostedUrls(current: PostedUrls | null, patch: Record<string, string | null>): PostedUrls | null {
  const merged = new Map(Object.entries(current ?? {}).map((link) => [platformKey(link[0]), link]));
  for (const [name, url] of Object.entries(patch)) {
    if (url === null) merged.delete(platformKey(name));
    else merged.set(platformKey(name), [platformNameOf(name), url]);
  }
  if (merged.size > maximumPlatforms) {
    throw fieldError(
      "posted_urls",
      `a poster keeps links of at most ${maximumPlatforms} platforms, this would make ${merged.size}; remove some with null`,
    );
  }
  return merged.size === 0 ? null : Object.fromEntries(merged.values());
}

/** What posters show of their event. */
export type PosterFacts = {
  name: string;
  start_time: string;
  end_time: string;
  timezone: string;
  venue: string | null;
  city: string;
  speakers: { id: string; name: string }[];
};

/** As people write it, where it is a well-known one. */
export const spelledPlatform = (name: string): string =>
  platformNames.find((known) => platformKey(known) === platformKey(name)) ?? name;

const namedTitles = 5;
const titleLength = 60;

export const nameOf = ({ title }: { title: string | null }) =>
  `“${shortText(title, titleLength) ?? "without a title"}”`;

/** The titles of some of the posters. Variants of one poster often have the same. */
export function titlesOf(posters: { title: string | null }[]): string {
  const counts = new Map<string, number>();
  for (const poster of posters) counts.set(nameOf(poster), (counts.get(nameOf(poster)) ?? 0) + 1);
  const titles = [...counts].map(([title, count]) => (count === 1 ? title : `${title} (${count})`));
  return someOf(titles, namedTitles);
}

/** What can be old on a poster. */
export type StalePart = "name" | "time" | "place" | "speakers";

/** The speakers of an event whom the metadata of a poster names: those that it shows, where it is not recorded what it does. */
export function speakersNamed(
  { speakers: named }: { speakers?: unknown },
  speakers: PosterFacts["speakers"],
): PosterFacts["speakers"] {
  const entries: unknown[] = Array.isArray(named) ? named : [];
  const known = new Set(
    entries.flatMap((entry) => (isNamed(entry) ? [entry.id, entry.name] : [entry])).map((text) => fold(text)),
  );
  return speakers.filter(({ id, name }) => known.has(fold(id)) || known.has(fold(name)));
}

const isNamed = (entry: unknown): entry is { id?: unknown; name?: unknown } =>
  typeof entry === "object" && entry !== null;

const fold = (text: unknown) => (typeof text === "string" ? text.trim().toLowerCase() : undefined);

/** Whether a poster shows a speaker by a name, or a speaker, that the event no longer has. */
export function hasStaleSpeaker(shown: PosterFacts["speakers"], now: PosterFacts): boolean {
  const names = new Map(now.speakers.map(({ id, name }) => [id, name]));
  return shown.some(({ id, name }) => names.get(id) !== name);
}

/**
 * What a poster shows that is no longer so: nothing if it is not known what the poster shows. A speaker who was added since is
 * missing on the poster, but nothing on it is wrong.
 */
export function stalePartsOf(drawnFrom: PosterFacts | null, now: PosterFacts): StalePart[] {
  if (drawnFrom === null) return [];
  const parts: [StalePart, boolean][] = [
    ["name", drawnFrom.name !== now.name],
    [
      "time",
      Date.parse(drawnFrom.start_time) !== Date.parse(now.start_time) ||
        Date.parse(drawnFrom.end_time) !== Date.parse(now.end_time) ||
        drawnFrom.timezone !== now.timezone,
    ],
    ["place", drawnFrom.venue !== now.venue || drawnFrom.city !== now.city],
    ["speakers", hasStaleSpeaker(drawnFrom.speakers, now)],
  ];
  return parts.filter(([, isStale]) => isStale).map(([part]) => part);
}

/** A poster of a list, and what is old on it. */
export type MarkedPoster<Poster> = Omit<Poster, "drawn_from"> & { stale: StalePart[] };

/** Marks what is old on each poster of an event. */
export function markStale<Poster extends { drawn_from: PosterFacts | null }>(
  posters: Poster[],
  now: PosterFacts,
): MarkedPoster<Poster>[] {
  return posters.map(({ drawn_from, ...poster }) => ({ ...poster, stale: stalePartsOf(drawn_from, now) }));
}
