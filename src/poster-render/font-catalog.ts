import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { readWoffFont, type WoffFont } from "./woff-font.js";

/** One file of a family. Families are split by Unicode range, and only the subsets that a poster needs are read. */
export type FontSubset = { id: string; font: WoffFont };
export type Face = { family: FontFamily; weight: number };
export type FontFamily = keyof typeof families;

/** Weights in use, lightest first; any other weight falls back to the nearest. */
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
  "noto-sans-bengali": [500, 700, 800],
  "noto-sans-tamil": [500, 700, 800],
  "noto-sans-georgian": [500, 700, 800],
  "noto-sans-armenian": [500, 700, 800],
  "noto-sans-arabic": [500, 700, 800],
} as const;

const require = createRequire(import.meta.url);
const subsetLimit = 160;
const openSubsets = new Map<string, FontSubset>();
const openRanges = new Map<FontFamily, { subset: string; ranges: [number, number][] }[]>();

/** The subset of this face that covers the character. */
export function findSubset(face: Face, codePoint: number): FontSubset | undefined {
  for (const { subset, ranges } of rangesOf(face.family)) {
    if (!ranges.some(([first, last]) => codePoint >= first && codePoint <= last)) continue;
    const open = openSubset(face, subset);
    if (open.font.has(codePoint)) return open;
  }
  return undefined;
}

function openSubset(face: Face, subset: string): FontSubset {
  const id = `${face.family}-${subset}-${nearestWeight(face)}`;
  const known = openSubsets.get(id);
  if (known) return known;
  if (openSubsets.size >= subsetLimit) openSubsets.clear();
  const file = join(packageFolder(face.family), "files", `${id}-normal.woff`);
  const opened = { id, font: readWoffFont(readFileSync(file)) };
  openSubsets.set(id, opened);
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
  const parsed = Object.entries(listed).map(([subset, ranges]) => ({
    subset: subset.replace(/^\[(.*)\]$/, "$1"),
    ranges: ranges.split(",").map(parseRange),
  }));
  // Latin first: it resolves almost every lookup.
  parsed.sort((a, b) => Number(b.subset === "latin") - Number(a.subset === "latin"));
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
