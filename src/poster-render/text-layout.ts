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
  /** Breaks lines only at separators, so that dates and times stay whole. */
  whole: boolean;
  /** Gives up some size for lines of similar length. */
  even: boolean;
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
  const words = tokenize(text.units);
  for (const tokens of box.whole ? [joinWhole(words), words] : [words]) {
    const fitting = (size: number) => fitsAt(tokens, size, text, box);
    const largest = sizesOf(box).find(fitting);
    if (largest === undefined) continue;
    const even = (size: number) => size <= largest && size >= largest * leastEvenShare && fitting(size);
    const candidates = box.even ? sizesOf(box).filter(even) : [largest];
    const plans = candidates.map((size) => evenLines(tokens, size, largest, box));
    const best = plans.reduce((one, other) => (other.cost < one.cost ? other : one));
    return finish(text, best.lines, best.size, box);
  }
  for (const size of sizesOf(box)) {
    const lines = breakLines(words, box.width / size, box.tracking, true);
    if (lines && fits(lines.length, size, text, box)) return finish(text, lines, size, box);
  }
  const lines = breakLines(words, box.width / box.minSize, box.tracking, true) ?? [];
  const room = Math.max(1, Math.min(box.maxLines, Math.floor(box.height / lineHeightOf(text, box.minSize, box))));
  return finish(text, clamp(lines, room, box.width / box.minSize, box.tracking), box.minSize, box);
}

function sizesOf({ maxSize, minSize }: TextBox): number[] {
  const sizes = [];
  for (let size = maxSize; size > minSize; size = Math.floor(size * sizeStep)) sizes.push(size);
  return [...sizes, minSize];
}

function fitsAt(tokens: TextUnit[][], size: number, text: DrawableText, box: TextBox): boolean {
  const lines = breakLines(tokens, box.width / size, box.tracking, false);
  return lines !== undefined && fits(lines.length, size, text, box);
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

const wordSegmenter = new Intl.Segmenter("en", { granularity: "word" });
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
  for (const { index, segment } of wordSegmenter.segment(text)) ends.add(index + segment.length);
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

/** Joins the words between separators. */
function joinWhole(tokens: TextUnit[][]): TextUnit[][] {
  const joined: TextUnit[][] = [];
  let open: TextUnit[] | undefined;
  for (const token of tokens) {
    if (open) open.push(...token);
    else {
      open = [...token];
      joined.push(open);
    }
    if (/[·•|–—]\s*$/u.test(token.map(({ text }) => text).join(""))) open = undefined;
  }
  return joined;
}

/** The least share of the largest size that even lines are worth. */
const leastEvenShare = 0.78;
const unevenCost = 2.2;
const danglingCost = 0.05;
/** A line should not end with a short word that belongs to the next: "by the | River". */
const dangles = /(^|\s)\p{Ll}{1,3}\s*$/u;

/** The breaks with the most even line lengths, without more lines than needed; the cost compares sizes. */
function evenLines(tokens: TextUnit[][], size: number, largest: number, box: TextBox) {
  const width = box.width / size;
  const count = breakLines(tokens, width, box.tracking, false)?.length ?? 1;
  const starts = [0];
  for (const token of tokens) starts.push((starts.at(-1) ?? 0) + lengthOf(token, box.tracking));
  const lengths = tokens.map((token) => widthOf(token, box.tracking));
  const ends = tokens.map((token) => (dangles.test(token.map(({ text }) => text).join("")) ? danglingCost : 0));
  const lineCost = (from: number, to: number) => {
    const used = (starts[to - 1] ?? 0) - (starts[from] ?? 0) + (lengths[to - 1] ?? 0);
    if (used > width + 1e-9) return Number.POSITIVE_INFINITY;
    return (1 - used / width) ** 2 + (to < tokens.length ? (ends[to - 1] ?? 0) : 0);
  };
  // best[lines][to]: the cheapest way to set the tokens before `to` in that many lines.
  let best = tokens.map((_, index) => ({ cost: lineCost(0, index + 1), breaks: [0] }));
  for (let line = 2; line <= count; line += 1) {
    best = tokens.map((_, index) => {
      let cheapest = { cost: Number.POSITIVE_INFINITY, breaks: [0] };
      for (let from = line - 1; from <= index; from += 1) {
        const before = best[from - 1];
        const cost = (before?.cost ?? Number.POSITIVE_INFINITY) + lineCost(from, index + 1);
        if (before && cost < cheapest.cost) cheapest = { cost, breaks: [...before.breaks, from] };
      }
      return cheapest;
    });
  }
  const breaks = best.at(-1)?.breaks ?? [0];
  const lines = breaks.map((from, index) => withoutOuterSpaces(tokens.slice(from, breaks[index + 1]).flat()));
  const widths = lines.map((line) => widthOf(line, box.tracking));
  const widest = Math.max(...widths, 1e-9);
  const uneven = widths.reduce((sum, each) => sum + (1 - each / widest) ** 2, 0) / Math.max(1, widths.length);
  const dangling = breaks.slice(1).reduce((sum, from) => sum + (ends[from - 1] ?? 0), 0);
  const cost = 1 - size / largest + unevenCost * uneven + dangling;
  return { lines: lines.filter((line) => line.length > 0), size, cost };
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
