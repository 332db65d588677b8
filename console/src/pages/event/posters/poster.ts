import { infiniteQueryOptions } from "@tanstack/react-query";
import type { EventPoster } from "../../../../../contract/console/event.ts";
import type { StalePart } from "../../../../../contract/console/organization.ts";
import { call } from "../../../api/client.ts";
import { eventKey } from "../../../api/query-keys.ts";
import { listOf } from "../../../format/counts.ts";
import { sizeOf } from "../../../format/poster-size.ts";

/** "Shows an old time and place" */
export const staleNote = (stale: StalePart[]): string => `Shows an old ${listOf(stale)}`;

export const postersQuery = (organizationId: string, eventId: string) =>
  infiniteQueryOptions({
    queryKey: eventKey(organizationId, eventId, "posters"),
    queryFn: ({ pageParam, signal }) =>
      call("eventPosters", { organization: organizationId, event: eventId, query: { cursor: pageParam } }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
  });

export const linksOf = ({ posted_urls }: EventPoster): { platform: string; url: string }[] =>
  Object.entries(posted_urls ?? {}).map(([platform, url]) => ({ platform, url }));

export const titleOf = ({ title }: EventPoster): string => title ?? "Untitled poster";

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
export function describePoster(poster: EventPoster) {
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
