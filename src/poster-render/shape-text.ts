import bidiFactory from "bidi-js";
import { BufferFlag, Direction, Feature, Buffer as ShapingBuffer, shape } from "harfbuzzjs";
import { toHex } from "../../contract/colors.js";
import type { PlacedText } from "./canvas.js";
import type { TextUnit } from "./drawable-text.js";
import type { FontSubset } from "./font-catalog.js";
import { n } from "./svg-shapes.js";
import type { FittedText } from "./text-layout.js";

/** A line of text as drawn; `room` is the width it was given. */
export type ShapedLine = {
  text: string;
  left: number;
  top: number;
  width: number;
  height: number;
  room: number;
  size: number;
};

// The package exports the function itself; its types say that it is a property of the module.
const bidi = (bidiFactory as unknown as typeof bidiFactory.default)();

/** Shapes every line (kerning, joined scripts, right-to-left) into outlines, so that rasterizing needs no fonts. */
export function shapeText(texts: PlacedText[]): { markup: string; lines: ShapedLine[] } {
  const lines: ShapedLine[] = [];
  const markup: string[] = [];
  for (const { fitted, x, y, width: room, color, align } of texts) {
    const { size, lineHeight } = fitted;
    for (const [index, units] of fitted.lines.entries()) {
      const { width, glyphs } = shapeLine(units, fitted);
      const left = x + { left: 0, center: (room - width) / 2, right: room - width }[align];
      const top = y + index * lineHeight;
      const { ascent, descent } = fitted.text.base.font;
      const baseline = top + (lineHeight - (ascent + descent) * size) / 2 + ascent * size;
      markup.push(`<g fill="${toHex(color)}" transform="translate(${n(left)} ${n(baseline)})">${glyphs}</g>`);
      const text = units.map((unit) => unit.text).join("");
      lines.push({ text, left, top, width, height: lineHeight, room, size });
    }
  }
  return { markup: markup.join(""), lines };
}

/** Units of one direction and one font, or one emoji. */
type Run = { text: string; level: number; subset: FontSubset; artwork: string | undefined };

function shapeLine(units: TextUnit[], { text, size, tracking }: FittedText): { width: number; glyphs: string } {
  const base = text.direction ?? "ltr";
  let width = 0;
  const parts = inVisualOrder(splitRuns(units, text.base, base)).map((run) => {
    const part =
      run.artwork === undefined ? shapeRun(run, size, tracking, width) : drawArtwork(run.artwork, size, width);
    width += part.width;
    return part.markup;
  });
  // Space between letters, so not after the last.
  return { width: Math.max(0, width - tracking * size), glyphs: parts.join("") };
}

function splitRuns(units: TextUnit[], base: FontSubset, direction: "ltr" | "rtl"): Run[] {
  const { levels } = bidi.getEmbeddingLevels(units.map((unit) => unit.text).join(""), direction);
  const runs: Run[] = [];
  let position = 0;
  for (const { text, subset = base, artwork } of units) {
    const level = levels[position] ?? 0;
    position += text.length;
    const last = runs.at(-1);
    const continues = last?.artwork === undefined && artwork === undefined;
    if (last && continues && last.level === level && last.subset === subset) last.text += text;
    else runs.push({ text, level, subset, artwork });
  }
  return runs;
}

/** Rule L2 of the bidirectional algorithm: from the highest level down, sequences at or above it are reversed. */
function inVisualOrder(runs: Run[]): Run[] {
  const ordered = [...runs];
  for (let level = Math.max(0, ...runs.map((run) => run.level)); level > 0; level -= 1) {
    for (let start = 0; start < ordered.length; start += 1) {
      let end = start;
      while (end < ordered.length && (ordered[end]?.level ?? 0) >= level) end += 1;
      if (end > start) ordered.splice(start, end - start, ...ordered.slice(start, end).reverse());
      start = Math.max(start, end - 1);
    }
  }
  return ordered;
}

const withoutLigatures = ["liga", "clig"].map((tag) => new Feature(tag, 0));

function shapeRun(run: Run, size: number, tracking: number, from: number): { width: number; markup: string } {
  const { shaper, unitsPerEm } = run.subset.font;
  const buffer = new ShapingBuffer();
  buffer.addText(run.text);
  buffer.setFlags(BufferFlag.REMOVE_DEFAULT_IGNORABLES);
  buffer.guessSegmentProperties();
  buffer.setDirection(run.level % 2 === 1 ? Direction.RTL : Direction.LTR);
  shape(shaper, buffer, tracking === 0 ? [] : withoutLigatures);
  const positions = buffer.getGlyphPositions();
  const infos = buffer.getGlyphInfos();
  const paths: string[] = [];
  let at = 0;
  for (const [index, { codepoint, cluster }] of infos.entries()) {
    const { xAdvance, xOffset, yOffset } = positions[index] ?? { xAdvance: 0, xOffset: 0, yOffset: 0 };
    const outline = shaper.glyphToPath(codepoint);
    if (outline !== "") paths.push(`<path transform="translate(${n(at + xOffset)} ${n(yOffset)})" d="${outline}"/>`);
    at += xAdvance + (infos[index + 1]?.cluster === cluster ? 0 : tracking * unitsPerEm);
  }
  const scale = size / unitsPerEm;
  const transform = `translate(${n(from)} 0) scale(${scale.toFixed(6)} ${(-scale).toFixed(6)})`;
  return { width: at * scale, markup: `<g transform="${transform}">${paths.join("")}</g>` };
}

/** How far an emoji reaches below the baseline, in em. */
const emojiDepth = 0.14;

function drawArtwork(artwork: string, size: number, from: number): { width: number; markup: string } {
  const viewBox = /viewBox="[\d. -]+"/.exec(artwork)?.[0] ?? 'viewBox="0 0 36 36"';
  const box = `x="${n(from)}" y="${n(-size * (1 - emojiDepth))}" width="${n(size)}" height="${n(size)}" ${viewBox}`;
  return { width: size, markup: artwork.replace(/<svg[^>]*>/, `<svg ${box}>`) };
}
