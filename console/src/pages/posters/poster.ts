import { infiniteQueryOptions } from "@tanstack/react-query";
import { get, path } from "../../api/client.ts";
import type { Page } from "../../api/pages.ts";
import { eventKey } from "../../api/query-keys.ts";
import { listOf } from "../../format/counts.ts";
import { sizeOf } from "../../format/poster-size.ts";

export type Poster = {
  id: string;
  title: string | null;
  image_url: string;
  thumbnail_url: string | null;
  published: boolean;
  /** Whatever the maker of the poster wrote down: nothing in it can be relied on. */
  metadata: Record<string, unknown>;
  posted_urls: Record<string, string> | null;
  created_at: string;
  /** What is old on it. */
  stale: StalePart[];
};

export type StalePart = "name" | "time" | "place" | "speakers";

/** "Shows an old time and place" */
export const staleNote = (stale: StalePart[]): string => `Shows an old ${listOf(stale)}`;

export const postersQuery = (organizationId: string, eventId: string) =>
  infiniteQueryOptions({
    queryKey: eventKey(organizationId, eventId, "posters"),
    queryFn: ({ pageParam, signal }) => {
      const cursor = pageParam === null ? "" : `?${new URLSearchParams({ cursor: pageParam })}`;
      const base = path`/api/console/organizations/${organizationId}/events/${eventId}/posters`;
      return get<Page<Poster>>(`${base}${cursor}`, signal);
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor,
  });

export const linksOf = ({ posted_urls }: Poster): { platform: string; url: string }[] =>
  Object.entries(posted_urls ?? {}).map(([platform, url]) => ({ platform, url }));

export const titleOf = ({ title }: Poster): string => title ?? "Untitled poster";

export const templateNames: Record<string, string> = {
  headline: "Headline",
  lineup: "Line-up",
  geometric: "Geometric",
  editorial: "Editorial",
};

export const formatNames: Record<string, string> = {
  portrait: "Portrait",
  square: "Square",
  story: "Story",
  landscape: "Landscape",
};

/** The parts of the metadata that pages show, where they are what they should be. */
export function describePoster(poster: Poster) {
  const { metadata } = poster;
  const format = text(metadata.format);
  const size = sizeOf({ width: metadata.width, height: metadata.height, format });
  const style = text(metadata.style);
  return {
    size,
    format: format === null ? null : (formatNames[format] ?? format),
    template: style === null ? null : (templateNames[style] ?? style),
    altText: text(metadata.alt_text),
    language: text(metadata.language) ?? undefined,
    captions: texts(metadata.caption_ideas),
    hashtags: texts(metadata.hashtags).map((tag) => (tag.startsWith("#") ? tag : `#${tag}`)),
  };
}

const text = (value: unknown): string | null => (typeof value === "string" && value !== "" ? value : null);

const texts = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((item): item is string => text(item) !== null) : [];
