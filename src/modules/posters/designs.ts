import type { PosterFormat, PosterTemplate } from "../../../contract/poster-designs.js";
import { portraitLimits } from "../../poster-render/poster-input.js";

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
