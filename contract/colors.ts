// Without imports, so that the console can use it.

/** sRGB, each channel 0 to 1. */
export type Color = readonly [number, number, number];

export const white: Color = [1, 1, 1];
export const black: Color = [0, 0, 0];
const fallback: Color = [0.12, 0.16, 0.22];

export function parseColor(hex: string): Color {
  const digits = /^#?([0-9a-f]{6})$/i.exec(hex.trim())?.[1];
  if (!digits) return fallback;
  const channel = (at: number) => Number.parseInt(digits.slice(at, at + 2), 16) / 255;
  return [channel(0), channel(2), channel(4)];
}

export function toHex(color: Color): string {
  const channel = (value: number) =>
    Math.round(clampUnit(value) * 255)
      .toString(16)
      .padStart(2, "0");
  return `#${color.map(channel).join("")}`;
}

/** WCAG 2 contrast ratio, 1 to 21. */
export function contrast(a: Color, b: Color): number {
  const [darker, lighter] = [luminance(a), luminance(b)].sort((x, y) => x - y) as [number, number];
  return (lighter + 0.05) / (darker + 0.05);
}

export function luminance([red, green, blue]: Color): number {
  return 0.2126 * toLinear(red) + 0.7152 * toLinear(green) + 0.0722 * toLinear(blue);
}

/** Mixes in OKLab, which is perceptually uniform. */
export function mix(from: Color, to: Color, share: number): Color {
  const a = toOklab(from);
  const b = toOklab(to);
  return fromOklab([a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share, a[2] + (b[2] - a[2]) * share]);
}

export function lightness(color: Color): number {
  return toOklab(color)[0];
}

/** How far a color is from grey, in OKLab. */
export function chroma(color: Color): number {
  const [, a, b] = toOklab(color);
  return Math.hypot(a, b);
}

/** The same hue at another OKLab lightness, with scaled chroma. */
export function withLightness(color: Color, target: number, chromaShare = 1): Color {
  const [, a, b] = toOklab(color);
  return fromOklab([target, a * chromaShare, b * chromaShare]);
}

export function colorDifference(a: Color, b: Color): number {
  const [first, second] = [toOklab(a), toOklab(b)];
  return Math.hypot(first[0] - second[0], first[1] - second[1], first[2] - second[2]);
}

/** The preferred color, mixed with white or black just enough to reach the minimum contrast. */
export function readable(preferred: Color, background: Color, minimum: number): Color {
  const target = contrast(white, background) >= contrast(black, background) ? white : black;
  for (let share = 0; share < 1; share += 0.05) {
    const candidate = mix(preferred, target, share);
    if (contrast(quantised(candidate), background) >= minimum) return candidate;
  }
  return target;
}

/** The color of body text on a background: near-white or near-black, tinted with the background's hue. */
export function inkOn(background: Color): Color {
  const light = withLightness(background, 0.985, 0.12);
  const dark = withLightness(background, 0.17, 0.35);
  return readable(contrast(light, background) >= contrast(dark, background) ? light : dark, background, 7);
}

/** Shadow and highlight of a photo in tones of a color: a bright color becomes the highlight, a dark one the shadow. */
export function duotone(color: Color): { shadow: Color; highlight: Color } {
  const bright = lightness(color) > 0.62;
  return {
    shadow: withLightness(color, bright ? 0.2 : Math.min(0.24, lightness(color)), 0.7),
    highlight: bright ? mix(color, white, 0.25) : withLightness(color, 0.95, 0.25),
  };
}

function quantised(color: Color): Color {
  return parseColor(toHex(color));
}

function toLinear(value: number): number {
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}

function fromLinear(value: number): number {
  const bounded = clampUnit(value);
  return bounded <= 0.0031308 ? bounded * 12.92 : 1.055 * bounded ** (1 / 2.4) - 0.055;
}

function clampUnit(value: number): number {
  return Math.min(1, Math.max(0, value));
}

function toOklab(color: Color): Color {
  const [r, g, b] = color.map(toLinear) as [number, number, number];
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

function fromOklab([lightnessValue, a, b]: Color): Color {
  const l = (lightnessValue + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightnessValue - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightnessValue - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    fromLinear(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    fromLinear(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    fromLinear(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  ];
}
