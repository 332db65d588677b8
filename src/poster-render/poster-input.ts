import type { PosterFormat, PosterTemplate } from "../../contract/poster-designs.js";

/** Portraits that a template draws; with more speakers than that, it draws none or counts the rest. */
export const portraitLimits = { headline: 0, lineup: 12, geometric: 6, editorial: 6 } as const;

export type PosterSpeaker = {
  name: string;
  title: string | null;
  company: string | null;
  role: "speaker" | "moderator" | "panelist" | "host";
  photo: Uint8Array | null;
};

/** In the language of the poster. */
export type PosterWords = { with: string; more: string; moderator: string; host: string };

export type PosterMaterial = {
  title: string;
  event_name: string;
  conference_name: string | null;
  /** Already formatted, e.g. "Day 2 · Thu 18:30–20:00". */
  when: string;
  where: string | null;
  speakers: PosterSpeaker[];
  organization: { name: string; logo: Uint8Array | null };
  /** Names of organizations that host together with it. */
  co_hosts: string[];
  /** Drawn as a QR code with the call to action. */
  link: { url: string; call_to_action: string } | null;
  /** The few words that the poster adds itself. */
  words: PosterWords;
  /** #rrggbb; text stays readable on any two colors. */
  primary_color: string;
  secondary_color: string;
};

export type PosterInput = { template: PosterTemplate; format: PosterFormat; material: PosterMaterial };

/** Both images are PNG. */
export type RenderedPoster = {
  image: Buffer;
  thumbnail: Buffer;
  /** Smaller still, for the preview of a tool; a WebP. */
  miniature: Buffer;
  width: number;
  height: number;
  thumbnail_width: number;
  thumbnail_height: number;
  /** Pictures that cannot be decoded or have too many pixels; of speakers by their index. */
  unusable_logo: boolean;
  unusable_photos: number[];
};
