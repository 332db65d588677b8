import { z } from "zod";
import {
  type PosterFormat,
  type PosterTemplate,
  posterFormats,
  posterTemplates,
} from "../../poster-render/poster-input.js";

/** Which design is good for what, for an agent that cannot see them. */
export const templateUses: Record<PosterTemplate, string> = {
  headline: "Big title on the brand colour, speakers as a list. Good for long titles and for no speakers",
  lineup: "Portraits or initials of up to 12 speakers in a grid. Good for line-ups and panels",
  geometric: "Pattern of shapes on a dark ground, up to 3 portraits. Good for parties and community events",
  editorial: "Serif title on light paper, up to 3 portraits. Good for keynotes and talks",
};

export const formatUses: Record<PosterFormat, string> = {
  portrait: "Feeds of Instagram and LinkedIn, print",
  square: "Any feed",
  story: "Stories and reels",
  landscape: "Link previews, X, event pages",
};

export const posterTemplate = z.enum(posterTemplates);

export const posterFormat = z.enum(Object.keys(posterFormats) as [PosterFormat, ...PosterFormat[]]);

/** How many photos a template has room for; no more are fetched. */
export const photosShown: Record<PosterTemplate, number> = { headline: 0, lineup: 12, geometric: 3, editorial: 3 };

/** What the organization's logo stands on. */
export const logoGrounds: Record<PosterTemplate, "brand" | "dark" | "paper"> = {
  headline: "brand",
  lineup: "brand",
  geometric: "dark",
  editorial: "paper",
};

export const defaultColors = { primary: "#1f3a5f", secondary: "#f2b134" };
