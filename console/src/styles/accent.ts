/** Tokens that an organization's brand colour sets; CSS uses its own accent where one is missing. */
export type Accent = { fill: string; on: string };

const surfaces = { light: "#faf9f7", dark: "#282421" } as const;
const onColors = ["#ffffff", "#15120f"] as const;

/** WCAG 2.2: 4.5 for text. The accent is used for links and, under text, for buttons. */
const textContrast = 4.5;

/** How far the lightness may move before the colour is no longer recognizable as the brand's. */
const maximumShift = 0.32;
const minimumChroma = 0.03;
const step = 0.01;

/** The brand colour, darkened or lightened until it is readable in the theme; undefined where that would change it too much. */
export function accentFor(brand: string, theme: "light" | "dark"): Accent | undefined {
  const rgb = parseHex(brand);
  if (rgb === undefined) return undefined;
  const [lightness, a, b] = toOklab(rgb);
  if (Math.hypot(a, b) < minimumChroma) return undefined;
  const direction = theme === "light" ? -step : step;
  for (let shift = 0; Math.abs(shift) <= maximumShift; shift += direction) {
    const fill = toHex(fromOklab([lightness + shift, a, b]));
    const on = onColors.find((color) => contrast(color, fill) >= textContrast);
    const isReadable = [surfaces[theme], softOf(fill, theme)].every((under) => contrast(fill, under) >= textContrast);
    if (isReadable && on !== undefined) return { fill, on };
  }
  return undefined;
}

/** --accent-soft, under the accent's own text in badges and avatars: see tokens.css. */
function softOf(fill: string, theme: "light" | "dark"): string {
  const [accent, surface] = [fill, { light: "#ffffff", dark: "#1e1b19" }[theme]].map((hex) =>
    toOklab(parseHex(hex) ?? [0, 0, 0]),
  ) as [Triple, Triple];
  return toHex(fromOklab(surface.map((value, index) => value * 0.9 + (accent[index] ?? 0) * 0.1) as Triple));
}

export function contrast(one: string, other: string): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

type Triple = [number, number, number];

function luminance(hex: string): number {
  const [red, green, blue] = (parseHex(hex) ?? [0, 0, 0]).map(toLinear) as Triple;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function parseHex(hex: string): Triple | undefined {
  const match = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(hex);
  return match === null ? undefined : (match.slice(1).map((part) => Number.parseInt(part, 16) / 255) as Triple);
}

function toHex(rgb: Triple): string {
  const byte = (value: number) => Math.round(Math.min(1, Math.max(0, value)) * 255);
  return `#${rgb.map((value) => byte(value).toString(16).padStart(2, "0")).join("")}`;
}

const toLinear = (value: number) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
const fromLinear = (value: number) => (value <= 0.0031308 ? value * 12.92 : 1.055 * value ** (1 / 2.4) - 0.055);

/** OKLab by Björn Ottosson: equal steps of lightness look equal in every hue. */
function toOklab(rgb: Triple): Triple {
  const [r, g, b] = rgb.map(toLinear) as Triple;
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

function fromOklab([lightness, a, b]: Triple): Triple {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const linear: Triple = [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
  return linear.map((value) => fromLinear(Math.max(0, value))) as Triple;
}
