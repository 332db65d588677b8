import { type Color, contrast, difference, lightness, parseColor, withLightness } from "./colors.js";
import { type HanStyle, hanStyleOf, type LegibleText, makeLegible, type TextFace } from "./legible-text.js";
import { type PosterFormat, type PosterInput, type PosterMaterial, posterFormats } from "./poster-input.js";
import type { Align, Scene } from "./scene.js";
import { type FittedText, fitText } from "./text-layout.js";

/** Everything a template works with. */
export type Stage = {
  format: PosterFormat;
  width: number;
  height: number;
  material: PosterMaterial;
  primary: Color;
  /** Always tellable from the primary colour, even where the two given colours are equal. */
  secondary: Color;
  scene: Scene;
  han: HanStyle;
  /** Above 1 where a first attempt came out wider than estimated. */
  slack: number;
  /** Fitting asks for the same text again and again. */
  legible: Map<string, LegibleText>;
};

export type TextBoxWish = {
  width: number;
  height?: number;
  size: number;
  minSize?: number;
  lines?: number;
  leading?: number;
  tracking?: number;
};

export function openStage({ format, material }: PosterInput, slack: number): Stage {
  const primary = parseColor(material.primary_color);
  return {
    format,
    ...posterFormats[format],
    material,
    primary,
    secondary: distinctFrom(primary, parseColor(material.secondary_color)),
    scene: { markup: [], texts: [] },
    han: hanStyleOf(allTexts(material)),
    slack,
    legible: new Map(),
  };
}

export function typeset(stage: Stage, raw: string, face: TextFace, wish: TextBoxWish): FittedText {
  const maxLines = wish.lines ?? 1;
  const leading = wish.leading ?? 1.2;
  return fitText(legibleText(stage, raw, face), {
    width: wish.width / stage.slack,
    height: wish.height ?? Number.POSITIVE_INFINITY,
    maxSize: wish.size,
    minSize: wish.minSize ?? wish.size,
    maxLines,
    leading,
    tracking: wish.tracking ?? 0,
  });
}

export function legibleText(stage: Stage, raw: string, face: TextFace): LegibleText {
  const key = `${face.family} ${face.weight} ${face.uppercase ?? false} ${raw}`;
  const known = stage.legible.get(key);
  if (known) return known;
  const made = makeLegible(raw, face, stage.han);
  stage.legible.set(key, made);
  return made;
}

/** Returns the y below the text. */
export function place(
  stage: Stage,
  fitted: FittedText,
  at: { x: number; y: number; width: number; color: Color; align?: Align },
): number {
  stage.scene.texts.push({ fitted, x: at.x, y: at.y, width: at.width, color: at.color, align: at.align ?? "left" });
  return at.y + fitted.height;
}

export function draw(stage: Stage, ...markup: string[]): void {
  stage.scene.markup.push(...markup);
}

/** The primary colour, unless it is too faint for text on this background and the secondary colour is not. */
export function mostContrasting({ primary, secondary }: Stage, background: Color): Color {
  const [first, second] = [contrast(primary, background), contrast(secondary, background)];
  return first < 4 && second > first ? secondary : primary;
}

function distinctFrom(primary: Color, secondary: Color): Color {
  if (difference(primary, secondary) >= 0.14) return secondary;
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
