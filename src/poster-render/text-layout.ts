import type { DrawableText, TextUnit } from "./drawable-text.js";

export type TextBox = {
  width: number;
  height: number;
  maxSize: number;
  minSize: number;
  maxLines: number;
  leading: number;
  /** In em. */
  tracking: number;
};

export type FittedText = {
  text: DrawableText;
  lines: TextUnit[][];
  size: number;
  lineHeight: number;
  tracking: number;
  /** Estimated from the fonts' advances; kerning and shaping only make lines shorter. */
  width: number;
  height: number;
};

const sizeStep = 0.96;
const ellipsis: TextUnit = { text: "…", advance: 0.9 };

/** Finds the largest size at which the text fits: with whole words, else with broken words, else truncated with an ellipsis. */
export function fitText(text: DrawableText, wanted: TextBox): FittedText {
  const box = text.joined ? { ...wanted, tracking: 0 } : wanted;
  const tokens = tokenize(text.units);
  for (const breakWords of [false, true]) {
    for (let size = box.maxSize; size >= box.minSize; size = nextSize(size, box.minSize)) {
      const lines = breakLines(tokens, box.width / size, box.tracking, breakWords);
      if (lines && fits(lines.length, size, text, box)) {
        return finish(text, balance(tokens, lines, box.width / size, box.tracking, breakWords), size, box);
      }
    }
  }
  const lines = breakLines(tokens, box.width / box.minSize, box.tracking, true) ?? [];
  const room = Math.max(1, Math.min(box.maxLines, Math.floor(box.height / lineHeightOf(text, box.minSize, box))));
  return finish(text, clamp(lines, room, box.width / box.minSize, box.tracking), box.minSize, box);
}

function nextSize(size: number, minSize: number): number {
  const next = Math.floor(size * sizeStep);
  return size > minSize && next < minSize ? minSize : next;
}

function fits(count: number, size: number, text: DrawableText, box: TextBox): boolean {
  return count <= box.maxLines && count * lineHeightOf(text, size, box) <= box.height;
}

function lineHeightOf(text: DrawableText, size: number, box: TextBox): number {
  return Math.ceil(size * Math.max(box.leading, text.leadingFloor));
}

function finish(text: DrawableText, lines: TextUnit[][], size: number, box: TextBox): FittedText {
  const lineHeight = lineHeightOf(text, size, box);
  const width = Math.max(0, ...lines.map((line) => widthOf(line, box.tracking) * size));
  return { text, lines, size, lineHeight, tracking: box.tracking, width, height: lines.length * lineHeight };
}

const words = new Intl.Segmenter("en", { granularity: "word" });
const breaksAnywhere = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}ー々]/u;
const neverStartsLine = /^[\p{Pe}\p{Pf}、。，．！？：；・ー々ぁぃぅぇぉっゃゅょァィゥェォッャュョ!?,.;:)\]}’”»%…～〜]/u;
const neverEndsLine = /[\p{Ps}\p{Pi}「『（【《〈“‘«]$/u;

/** Splits units into groups that stay on one line; trailing spaces belong to their group. */
export function tokenize(units: TextUnit[]): TextUnit[][] {
  const text = units.map((unit) => unit.text).join("");
  const ends = wordEnds(text);
  const tokens: TextUnit[][] = [];
  let token: TextUnit[] = [];
  let position = 0;
  for (const [index, unit] of units.entries()) {
    token.push(unit);
    position += unit.text.length;
    if (!isGlued(units, index) && mayBreak(unit, units[index + 1], ends.has(position))) {
      tokens.push(token);
      token = [];
    }
  }
  return token.length > 0 ? [...tokens, token] : tokens;
}

/** No line break before a lone separator, within "Hall 4" or "Day 2", or within "Mei-Ling". */
function isGlued(units: TextUnit[], index: number): boolean {
  const unit = units[index]?.text;
  const textOf = (from: number, to: number) =>
    units
      .slice(Math.max(0, from), to)
      .map(({ text }) => text)
      .join("");
  const ahead = textOf(index + 1, index + 7);
  if (unit === "-" || unit === "‐") return !/^\p{L}{6}/u.test(ahead);
  if (unit !== " ") return false;
  const shortNumber = /^\d{1,3}([\s,.;)]|$)/u.test(ahead) && /(^|\s)\p{L}{1,6}$/u.test(textOf(index - 8, index));
  return shortNumber || /^[·•|–—]( |$)/u.test(ahead);
}

function wordEnds(text: string): Set<number> {
  const ends = new Set<number>();
  for (const { index, segment } of words.segment(text)) ends.add(index + segment.length);
  return ends;
}

function mayBreak(unit: TextUnit, next: TextUnit | undefined, wordEnd: boolean): boolean {
  if (!next || next.text === " ") return false;
  if (unit.text === " ") return true;
  if (neverStartsLine.test(next.text) || neverEndsLine.test(unit.text)) return false;
  if (unit.artwork !== undefined || next.artwork !== undefined) return true;
  if (/[-‐–—/|]$/u.test(unit.text)) return !/\d/u.test(next.text);
  return wordEnd && (breaksAnywhere.test(unit.text) || breaksAnywhere.test(next.text));
}

function breakLines(
  tokens: TextUnit[][],
  width: number,
  tracking: number,
  breakWords: boolean,
): TextUnit[][] | undefined {
  const lines: TextUnit[][] = [];
  let line: TextUnit[] = [];
  let used = 0;
  for (const token of tokens) {
    if (used + widthOf(token, tracking) <= width) {
      line.push(...token);
      used += lengthOf(token, tracking);
      continue;
    }
    if (line.length > 0) lines.push(line);
    line = [];
    used = 0;
    const fitsAlone = widthOf(token, tracking) <= width;
    if (!fitsAlone && !breakWords) return undefined;
    for (const unit of token) {
      const step = stepOf(unit, tracking);
      if (!fitsAlone && line.length > 0 && used + step > width) {
        lines.push(line);
        line = [];
        used = 0;
      }
      line.push(unit);
      used += step;
    }
  }
  if (line.length > 0) lines.push(line);
  return lines.map(withoutOuterSpaces).filter((each) => each.length > 0);
}

/** Evens out line lengths without adding a line, so that no line holds a single short word. */
function balance(
  tokens: TextUnit[][],
  lines: TextUnit[][],
  width: number,
  tracking: number,
  breakWords: boolean,
): TextUnit[][] {
  if (lines.length < 2 || breakWords) return lines;
  let best = lines;
  let low = width / 2;
  let high = width;
  for (let round = 0; round < 7; round += 1) {
    const middle = (low + high) / 2;
    const narrower = breakLines(tokens, middle, tracking, false);
    if (narrower && narrower.length === lines.length) {
      best = narrower;
      high = middle;
    } else {
      low = middle;
    }
  }
  return best;
}

function clamp(lines: TextUnit[][], room: number, width: number, tracking: number): TextUnit[][] {
  if (lines.length <= room) return lines;
  const kept = lines.slice(0, room);
  const last = [...(kept.pop() ?? [])];
  while (last.length > 0 && widthOf([...last, ellipsis], tracking) > width) last.pop();
  return [...kept, [...withoutOuterSpaces(last), ellipsis]];
}

/** Also drops a separator at the end of a line. */
function withoutOuterSpaces(line: TextUnit[]): TextUnit[] {
  const first = line.findIndex((unit) => unit.text !== " ");
  const last = line.findLastIndex((unit) => !/^[ ·•|]$/u.test(unit.text));
  return first < 0 ? [] : line.slice(first, last + 1);
}

/** Without trailing spaces. */
function widthOf(line: TextUnit[], tracking: number): number {
  const last = line.findLastIndex((unit) => unit.text !== " ");
  return lengthOf(line.slice(0, last + 1), tracking);
}

function lengthOf(units: TextUnit[], tracking: number): number {
  return units.reduce((sum, unit) => sum + stepOf(unit, tracking), 0);
}

/** The layout engine does not apply negative tracking to images. */
function stepOf(unit: TextUnit, tracking: number): number {
  return unit.advance + (unit.artwork === undefined ? tracking : Math.max(0, tracking));
}
