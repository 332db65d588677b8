import * as colors from "../../../contract/colors.ts";

/** Tokens that an organization's brand colour sets; CSS uses its own accent where one is missing. */
export type Accent = { fill: string; on: string };

type Theme = "light" | "dark";

/** What text in the accent stands on, and what --accent-soft is mixed with: see tokens.css. */
const surfaces: Record<Theme, string> = { light: "#faf9f7", dark: "#282421" };
const mixedWith: Record<Theme, string> = { light: "#ffffff", dark: "#1e1b19" };
const softShare = 0.1;
const onColors = ["#ffffff", "#15120f"] as const;

/** WCAG 2.2: 4.5 for text. The accent is used for links and, under text, for buttons. */
const textContrast = 4.5;

/** How far the lightness may move before the colour is no longer recognizable as the brand's. */
const maximumShift = 0.32;
const minimumChroma = 0.03;
const step = 0.01;

/** The brand colour, darkened or lightened until it is readable in the theme; undefined where that would change it too much. */
export function accentFor(brand: string, theme: Theme): Accent | undefined {
  if (!/^#[0-9a-f]{6}$/i.test(brand)) return undefined;
  const color = colors.parseColor(brand);
  if (colors.chroma(color) < minimumChroma) return undefined;
  const direction = theme === "light" ? -step : step;
  for (let shift = 0; Math.abs(shift) <= maximumShift; shift += direction) {
    const fill = colors.toHex(colors.withLightness(color, colors.lightness(color) + shift));
    const on = onColors.find((text) => contrast(text, fill) >= textContrast);
    const isReadable = [surfaces[theme], softOf(fill, theme)].every((under) => contrast(fill, under) >= textContrast);
    if (isReadable && on !== undefined) return { fill, on };
  }
  return undefined;
}

/** --accent-soft, under the accent's own text in badges and avatars. */
function softOf(fill: string, theme: Theme): string {
  return colors.toHex(colors.mix(colors.parseColor(mixedWith[theme]), colors.parseColor(fill), softShare));
}

/** The contrast of two colours that are written as #rrggbb. */
export function contrast(one: string, other: string): number {
  return colors.contrast(colors.parseColor(one), colors.parseColor(other));
}
