import type { Color } from "../../../contract/colors.js";
import type { Rect } from "../svg-shapes.js";

export type EditorialLayout = {
  text: Rect;
  /** If undefined, the portraits are between headline and date. */
  portraits: Rect | undefined;
  title: number;
  body: number;
  titleShare: number;
};

export type EditorialColors = { paper: Color; ink: Color; title: Color; muted: Color; tiles: [Color, Color] };

export const serif = { family: "fraunces", weight: 600 } as const;
