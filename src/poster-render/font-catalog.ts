import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { projectRoot } from "../infra/project-root.js";
import { readWoffFont, type WoffFont } from "./woff-font.js";

/** One file of a family. Families are split by Unicode range, and only the subsets that a poster needs are read. */
export type FontSubset = { id: string; font: WoffFont };
export type Face = { family: FontFamily; weight: number };
export type FontFamily = keyof typeof fontWeights;

/** Weights in use, lightest first; any other weight falls back to the nearest. `npm run fonts` adds the files of a new one. */
export const fontWeights = {
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

type Subset = { subset: string; ranges: [number, number][] };

export const fontsFolder = fileURLToPath(new URL("fonts/", projectRoot));
const subsetLimit = 160;
const openSubsets = new Map<string, FontSubset>();
const knownSubsets = new Map<FontFamily, Subset[]>();

/** The subset of this face that covers the character. */
export function findSubset(face: Face, codePoint: number): FontSubset | undefined {
  for (const { subset, ranges } of subsetsOf(face.family)) {
    if (!ranges.some(([first, last]) => codePoint >= first && codePoint <= last)) continue;
    const open = openSubset(face, subset);
    if (open.font.has(codePoint)) return open;
  }
  return undefined;
}

function openSubset(face: Face, subset: string): FontSubset {
  const id = subsetFile(face.family, subset, nearestWeight(face));
  const known = openSubsets.get(id);
  if (known) return known;
  if (openSubsets.size >= subsetLimit) openSubsets.clear();
  const opened = { id, font: readWoffFont(readFileSync(join(fontsFolder, face.family, id))) };
  openSubsets.set(id, opened);
  return opened;
}

export const subsetFile = (family: string, subset: string, weight: number) =>
  `${family}-${subset}-${weight}-normal.woff`;

function nearestWeight({ family, weight }: Face): number {
  const available: readonly number[] = fontWeights[family];
  return available.reduce((best, each) => (Math.abs(each - weight) <= Math.abs(best - weight) ? each : best));
}

function subsetsOf(family: FontFamily): Subset[] {
  const known = knownSubsets.get(family);
  if (known) return known;
  const subsets = readSubsets(join(fontsFolder, family));
  // Latin first: it resolves almost every lookup.
  subsets.sort((a, b) => Number(b.subset === "latin") - Number(a.subset === "latin"));
  knownSubsets.set(family, subsets);
  return subsets;
}

export function readSubsets(folder: string): Subset[] {
  const listed = JSON.parse(readFileSync(join(folder, "unicode.json"), "utf8")) as Record<string, string>;
  return Object.entries(listed).map(([subset, ranges]) => ({
    subset: subset.replace(/^\[(.*)\]$/, "$1"),
    ranges: ranges.split(",").map(parseRange),
  }));
}

function parseRange(text: string): [number, number] {
  const [first = "", last = first] = text.trim().replace(/^U\+/i, "").split("-");
  return [Number.parseInt(first, 16), Number.parseInt(last, 16)];
}
