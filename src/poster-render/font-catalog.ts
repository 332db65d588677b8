import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { readWoffFont, type WoffFont } from "./woff-font.js";

/** One file of a family: a family is split into slices by Unicode range, and only the slices a poster needs are read. */
export type FontSlice = { id: string; font: WoffFont };
export type Face = { family: FontFamily; weight: number };
export type FontFamily = keyof typeof families;

/** The weights a family is used in, lightest first; any other weight is drawn in the nearest one. */
const families = {
  inter: [400, 500, 600, 700, 800],
  "bricolage-grotesque": [600, 800],
  unbounded: [600, 800],
  fraunces: [400, 600],
  "zen-kaku-gothic-new": [500, 700, 900],
  "noto-sans-sc": [500, 700, 900],
  "nanum-gothic": [400, 700, 800],
  cairo: [500, 700, 800],
  "noto-sans-hebrew": [500, 700, 800],
  "noto-sans-thai": [500, 700, 800],
  "noto-sans-devanagari": [500, 700, 800],
} as const;

const require = createRequire(import.meta.url);
const sliceLimit = 160;
const openSlices = new Map<string, FontSlice>();
const openRanges = new Map<FontFamily, { slice: string; ranges: [number, number][] }[]>();

/** The slice of this face that draws the character, if there is one. */
export function findSlice(face: Face, codePoint: number): FontSlice | undefined {
  for (const { slice, ranges } of rangesOf(face.family)) {
    if (!ranges.some(([first, last]) => codePoint >= first && codePoint <= last)) continue;
    const open = openSlice(face, slice);
    if (open.font.has(codePoint)) return open;
  }
  return undefined;
}

function openSlice(face: Face, slice: string): FontSlice {
  const id = `${face.family}-${slice}-${nearestWeight(face)}`;
  const known = openSlices.get(id);
  if (known) return known;
  if (openSlices.size >= sliceLimit) openSlices.clear();
  const file = join(packageFolder(face.family), "files", `${id}-normal.woff`);
  const opened = { id, font: readWoffFont(readFileSync(file)) };
  openSlices.set(id, opened);
  return opened;
}

function nearestWeight({ family, weight }: Face): number {
  const available: readonly number[] = families[family];
  return available.reduce((best, each) => (Math.abs(each - weight) <= Math.abs(best - weight) ? each : best));
}

function rangesOf(family: FontFamily) {
  const known = openRanges.get(family);
  if (known) return known;
  const listed = JSON.parse(readFileSync(join(packageFolder(family), "unicode.json"), "utf8")) as Record<
    string,
    string
  >;
  const parsed = Object.entries(listed).map(([slice, ranges]) => ({
    slice: slice.replace(/^\[(.*)\]$/, "$1"),
    ranges: ranges.split(",").map(parseRange),
  }));
  // Latin first: almost every look-up ends there.
  parsed.sort((a, b) => Number(b.slice === "latin") - Number(a.slice === "latin"));
  openRanges.set(family, parsed);
  return parsed;
}

function parseRange(text: string): [number, number] {
  const [first = "", last = first] = text.trim().replace(/^U\+/i, "").split("-");
  return [Number.parseInt(first, 16), Number.parseInt(last, 16)];
}

function packageFolder(family: FontFamily): string {
  return dirname(require.resolve(`@fontsource/${family}/package.json`));
}
