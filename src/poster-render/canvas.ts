import { type Color, colorDifference, contrast, lightness, parseColor, withLightness } from "./colors.js";
import { type DrawableText, type HanStyle, hanStyleOf, type TextFace, toDrawableText } from "./drawable-text.js";
import type { PictureDecoder } from "./pictures.js";
import { type PosterFormat, type PosterInput, type PosterMaterial, posterFormats } from "./poster-input.js";
import { type FittedText, fitText } from "./text-layout.js";

export type TextAlign = "start" | "left" | "center" | "right";
export type PlacedText = { fitted: FittedText; x: number; y: number; width: number; color: Color; align: TextAlign };

/** A poster while a template draws it. */
export type Canvas = {
  format: PosterFormat;
  width: number;
  height: number;
  material: PosterMaterial;
  pictures: PictureDecoder;
  primary: Color;
  /** Always distinguishable from the primary color, even if both given colors are equal. */
  secondary: Color;
  /** SVG markup, drawn below all text. */
  shapes: string[];
  texts: PlacedText[];
  han: HanStyle;
  /** Greater than 1 after an attempt whose lines came out wider than estimated. */
  slack: number;
  /** Cache: fitting needs the same text many times. */
  drawableTexts: Map<string, DrawableText>;
};

export type TextBoxOptions = {
  width: number;
  height?: number;
  size: number;
  minSize?: number;
  lines?: number;
  leading?: number;
  tracking?: number;
};

export function createCanvas({ format, material }: PosterInput, pictures: PictureDecoder, slack: number): Canvas {
  const primary = parseColor(material.primary_color);
  return {
    format,
    ...posterFormats[format],
    material,
    pictures,
    primary,
    secondary: distinctFrom(primary, parseColor(material.secondary_color)),
    shapes: [],
    texts: [],
    han: hanStyleOf(allTexts(material)),
    slack,
    drawableTexts: new Map(),
  };
}

export function typeset(canvas: Canvas, raw: string, face: TextFace, box: TextBoxOptions): FittedText {
  return fitText(drawableText(canvas, raw, face), {
    width: box.width / canvas.slack,
    height: box.height ?? Number.POSITIVE_INFINITY,
    maxSize: box.size,
    minSize: box.minSize ?? box.size,
    maxLines: box.lines ?? 1,
    leading: box.leading ?? 1.2,
    tracking: box.tracking ?? 0,
  });
}

export function drawableText(canvas: Canvas, raw: string, face: TextFace): DrawableText {
  const key = `${face.family} ${face.weight} ${face.uppercase ?? false} ${raw}`;
  const known = canvas.drawableTexts.get(key);
  if (known) return known;
  const made = toDrawableText(raw, face, canvas.han);
  canvas.drawableTexts.set(key, made);
  return made;
}

/** Returns the y coordinate below the text. */
export function place(
  canvas: Canvas,
  fitted: FittedText,
  at: { x: number; y: number; width: number; color: Color; align?: TextAlign },
): number {
  canvas.texts.push({ fitted, x: at.x, y: at.y, width: at.width, color: at.color, align: at.align ?? "left" });
  return at.y + fitted.height;
}

export function draw(canvas: Canvas, ...shapes: string[]): void {
  canvas.shapes.push(...shapes);
}

/** The primary color, unless its contrast is too low for text on this background and the secondary color has more. */
export function mostContrasting({ primary, secondary }: Canvas, background: Color): Color {
  const [first, second] = [contrast(primary, background), contrast(secondary, background)];
  return first < 4 && second > first ? secondary : primary;
}

function distinctFrom(primary: Color, secondary: Color): Color {
  if (colorDifference(primary, secondary) >= 0.14) return secondary;
  return withLightness(secondary, lightness(primary) > 0.55 ? lightness(primary) - 0.32 : lightness(primary) + 0.34);
}

function allTexts(material: PosterMaterial): string[] {
  return [
    material.title,
    material.event_name,
    material.conference_name ?? "",
    material.when,
    material.where ?? "",
    material.organization.name,
    ...material.speakers.slice(0, 40).flatMap(({ name, title, company }) => [name, title ?? "", company ?? ""]),
  ];
}
