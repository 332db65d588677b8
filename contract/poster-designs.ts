/** Sizes in pixels. */
export const posterFormats = {
  portrait: { width: 1080, height: 1350 },
  square: { width: 1080, height: 1080 },
  story: { width: 1080, height: 1920 },
  landscape: { width: 1200, height: 630 },
} as const;

export const posterTemplates = ["headline", "lineup", "geometric", "editorial"] as const;

/** How many posters are drawn again with one call: each takes up to a few seconds, and a request ends after half a minute. */
export const maximumRedrawn = 6;

export type PosterFormat = keyof typeof posterFormats;
export type PosterTemplate = (typeof posterTemplates)[number];

/** The format whose sides have the ratio of a picture, nearly. */
export function formatOf(picture: { width: number; height: number }): PosterFormat | undefined {
  const formats = Object.entries(posterFormats) as [PosterFormat, { width: number; height: number }][];
  const ratio = picture.width / picture.height;
  return formats.find(([, { width, height }]) => Math.abs(ratio / (width / height) - 1) < 0.02)?.[0];
}
