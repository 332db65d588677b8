import type { PosterFormat, PosterTemplate } from "../../../contract/poster-designs.js";
import { type PosterSpeaker, type PosterWords, portraitLimits } from "../../poster-render/poster-input.js";
import type { Image } from "../images/store.js";

/** What the poster tools need besides the database. */
export type PosterServices = {
  /** Renders off the event loop, in bounded time and memory, in the organization's share. The same job gives the same files. */
  drawPoster(job: PosterJob, organizationId: string): Promise<DrawnPoster>;
  /** A poster that was made elsewhere, from a URL of this service or a public one over https, in the organization's share. */
  loadPoster(url: string, organizationId: string): Promise<LoadedPoster>;
  /** A URL that shows the drawing of a preview for a while, from any process. */
  previewUrl(preview: PosterPreview, image: DrawnImage): Promise<{ url: string; expires_at: string }>;
  /** What the images of an organization's posters may add up to. */
  imageQuotaBytes: number;
};

/** Everything that a poster shows. Pictures are URLs: of the service's own images, or public ones over https. */
export type PosterJob = {
  template: string;
  format: string;
  title: string;
  event_name: string;
  conference_name: string;
  when: string;
  where: string;
  organization: { name: string; logo_url: string | null };
  co_hosts: string[];
  link: { url: string; call_to_action: string } | null;
  words: PosterWords;
  /** #rrggbb */
  primary_color: string;
  secondary_color: string;
  speakers: (Omit<PosterSpeaker, "photo"> & { photo_url: string | null })[];
};

/** What a drawing is made again from. */
export type PosterPreview = { organization_id: string; event_id: string; choice: DraftChoice };

/** What a poster shows of the event, and how. */
export type DraftChoice = {
  template?: PosterTemplate | undefined;
  format: PosterFormat;
  title?: string | undefined;
  speaker_ids?: string[] | undefined;
  language?: string | undefined;
  link?: string | undefined;
  call_to_action?: string | undefined;
};

export type DrawnPoster = LoadedPoster & {
  image: DrawnImage;
  thumbnail: DrawnImage;
  /** Pictures that could not be loaded, and why; the poster shows initials or the name instead. */
  missing: string[];
};

export type LoadedPoster = {
  image: Image;
  thumbnail: Image;
  /** A small WebP for the preview of a tool, which is not stored. */
  miniature: Buffer;
  width: number;
  height: number;
};

/** By the SHA-256 of its bytes, in hex. */
export type DrawnImage = Image & { contentType: "image/png" };

/** For clients that cannot see the designs. */
export const templateUses: Record<PosterTemplate, string> = {
  headline: "Large title on the brand colour, speakers as a list. For long titles and events without speakers",
  lineup: "Portraits or initials of up to 12 speakers in a grid. For line-ups and panels",
  geometric: "Pattern of shapes on a dark background, up to 6 portraits. For parties and community events",
  editorial: "Serif title on light paper, up to 6 portraits, more as names. For keynotes and talks",
};

export const formatUses: Record<PosterFormat, string> = {
  portrait: "Instagram and LinkedIn feeds, print",
  square: "Any feed",
  story: "Stories and reels",
  landscape: "Link previews, X, event pages",
};

/** Photos that a template shows; no more are fetched. */
export const photoLimits: Record<PosterTemplate, number> = portraitLimits;

/** What is behind the organization's logo. */
export const logoBackgrounds: Record<PosterTemplate, "brand" | "dark" | "paper"> = {
  headline: "brand",
  lineup: "brand",
  geometric: "dark",
  editorial: "paper",
};

export const defaultColors = { primary: "#1f3a5f", secondary: "#f2b134" };
