import { type Color, colorDifference, contrast, lightness, parseColor, withLightness } from "../../contract/colors.js";
import { type PosterFormat, posterFormats } from "../../contract/poster-designs.js";
import {
  type DrawableText,
  directionOf,
  type ScriptStyle,
  scriptStyleOf,
  type TextFace,
  toDrawableText,
} from "./drawable-text.js";
import type { PictureDecoder } from "./pictures.js";
import type { PosterInput, PosterMaterial } from "./poster-input.js";
import { n, type Rect } from "./svg-shapes.js";
import { type FittedText, fitText } from "./text-layout.js";

export type TextAlign = "start" | "center" | "end";
export type PlacedText = {
  fitted: FittedText;
  x: number;
  y: number;
  width: number;
  color: Color;
  align: "left" | "center" | "right";
};

/** A poster while a template draws it, from left to right: a right-to-left poster is mirrored as a whole. */
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
  style: ScriptStyle;
  rightToLeft: boolean;
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
  whole?: boolean;
  even?: boolean;
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
    style: scriptStyleOf(allTexts(material)),
    rightToLeft: isRightToLeft(material),
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
    whole: box.whole ?? false,
    even: box.even ?? false,
  });
}

export function drawableText(canvas: Canvas, raw: string, face: TextFace): DrawableText {
  const key = `${face.family} ${face.weight} ${face.uppercase ?? false} ${raw}`;
  const known = canvas.drawableTexts.get(key);
  if (known) return known;
  const made = toDrawableText(raw, face, canvas.style);
  canvas.drawableTexts.set(key, made);
  return made;
}

/** Returns the y coordinate below the text. */
export function place(
  canvas: Canvas,
  fitted: FittedText,
  at: { x: number; y: number; width: number; color: Color; align?: TextAlign },
): number {
  const { y, width, color } = at;
  const align = at.align ?? "start";
  const atStart = canvas.rightToLeft ? "right" : "left";
  const atEnd = canvas.rightToLeft ? "left" : "right";
  const x = canvas.rightToLeft ? canvas.width - at.x - width : at.x;
  canvas.texts.push({
    fitted,
    x,
    y,
    width,
    color,
    align: ({ start: atStart, center: "center", end: atEnd } as const)[align],
  });
  return y + fitted.height;
}

export function draw(canvas: Canvas, ...shapes: string[]): void {
  canvas.shapes.push(...shapes);
}

/** Draws what must not be mirrored, such as a photo, at its place in the mirrored poster. */
export function drawUpright(canvas: Canvas, { x, width }: Rect, markup: string): void {
  draw(
    canvas,
    canvas.rightToLeft ? `<g transform="translate(${n(2 * x + width)} 0) scale(-1 1)">${markup}</g>` : markup,
  );
}

/** All shapes as SVG, mirrored if the poster is read from right to left. */
export function shapesOf({ shapes, rightToLeft, width }: Canvas): string {
  return rightToLeft ? `<g transform="translate(${width} 0) scale(-1 1)">${shapes.join("")}</g>` : shapes.join("");
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

/** By the first text with letters, which is usually the headline. */
function isRightToLeft({ title, event_name, conference_name, organization }: PosterMaterial): boolean {
  const texts = [title, event_name, conference_name ?? "", organization.name];
  return texts.map(directionOf).find((direction) => direction !== undefined) === "rtl";
}

function allTexts(material: PosterMaterial): string[] {
  return [
    material.title,
    material.event_name,
    material.conference_name ?? "",
    material.when,
    material.where ?? "",
    material.organization.name,
    ...material.co_hosts,
    ...material.speakers.slice(0, 40).flatMap(({ name, title, company }) => [name, title ?? "", company ?? ""]),
  ];
}
