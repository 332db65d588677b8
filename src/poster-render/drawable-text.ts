import { cleanGraphemes, type Grapheme } from "./clean-text.js";
import { findEmojiArtwork } from "./emoji-artwork.js";
import { type Face, type FontFamily, type FontSubset, findSubset } from "./font-catalog.js";

/** Families for scripts in which the right one depends on other texts of the poster. */
export type ScriptStyle = { han: "japanese" | "chinese" | "korean"; arabic: "plain" | "vocalized" };

/** A grapheme that a font or an emoji drawing covers, with its advance in em; without a subset of its own, the text's base. */
export type TextUnit = { text: string; advance: number; subset?: FontSubset; artwork?: string };

export type DrawableText = {
  units: TextUnit[];
  /** Sets the baseline, which must not differ between lines. */
  base: FontSubset;
  /** Of the first letter. */
  direction: "ltr" | "rtl" | undefined;
  /** The least line height, in em, for scripts with marks far above or below the letters. */
  leadingFloor: number;
  /** Joined letters must not be tracked. */
  joined: boolean;
};

export type TextFace = { family: FontFamily; weight: number; uppercase?: boolean };

/** Marks without a precomposed letter: the text is readable without them, and few fonts have them. */
const attachesMarks = /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]\p{M}/u;
const vowelMarks = /[\u{64b}-\u{655}\u{670}\u{6d6}-\u{6ed}]/u;

const graphemeLimit = 480;
const emojiAdvance = 1;
const hanFamilies = {
  japanese: ["zen-kaku-gothic-new", "noto-sans-sc", "nanum-gothic"],
  chinese: ["noto-sans-sc", "zen-kaku-gothic-new", "nanum-gothic"],
  korean: ["nanum-gothic", "noto-sans-sc", "zen-kaku-gothic-new"],
} as const satisfies Record<ScriptStyle["han"], FontFamily[]>;
/** Cairo has few vowel marks, and a word must not mix two families. */
const arabicFamilies = {
  plain: ["cairo", "noto-sans-arabic"],
  vocalized: ["noto-sans-arabic", "cairo"],
} as const satisfies Record<ScriptStyle["arabic"], FontFamily[]>;
const otherFamilies = [
  "noto-sans-hebrew",
  "noto-sans-thai",
  "noto-sans-devanagari",
  "noto-sans-bengali",
  "noto-sans-tamil",
  "noto-sans-georgian",
  "noto-sans-armenian",
] as const;

/** Keeps only what can be drawn, so that no character shows as an empty box. */
export function toDrawableText(raw: string, face: TextFace, style: ScriptStyle): DrawableText {
  const graphemes = cleanGraphemes(face.uppercase ? raw.toLocaleUpperCase("en") : raw, graphemeLimit);
  const faces = faceChain(graphemes, face, style);
  const units: TextUnit[] = [];
  for (const grapheme of graphemes) {
    for (const unit of drawable(grapheme, faces)) {
      if (unit.text === " " && (units.length === 0 || units.at(-1)?.text === " ")) continue;
      units.push(unit);
    }
  }
  while (units.at(-1)?.text === " ") units.pop();
  const text = units.map((unit) => unit.text).join("");
  return {
    units,
    base: baseOf(faces),
    direction: directionOf(text),
    leadingFloor: leadingFloor(text),
    joined: /[\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Tamil}]/u.test(text),
  };
}

/** Chinese, Japanese and Korean share code points but not glyphs, so one style is chosen for the whole poster. */
export function scriptStyleOf(texts: string[]): ScriptStyle {
  const all = texts.join(" ");
  const arabic = vowelMarks.test(all) ? "vocalized" : "plain";
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(all)) return { han: "japanese", arabic };
  return { han: /\p{Script=Hangul}/u.test(all) ? "korean" : "chinese", arabic };
}

export function directionOf(text: string): "ltr" | "rtl" | undefined {
  const letter = text.match(/\p{L}/u)?.[0];
  if (letter === undefined) return undefined;
  return /[\p{Script=Arabic}\p{Script=Hebrew}]/u.test(letter) ? "rtl" : "ltr";
}

export function initialsOf(name: string): string {
  const graphemes = cleanGraphemes(name, 80);
  const words = graphemes
    .map((grapheme) => (grapheme.emoji ? " " : grapheme.text))
    .join("")
    .split(/[\s·・.,()"“”'’-]+/u)
    .filter((word) => /[\p{L}\p{N}]/u.test(word));
  const first = Array.from(words[0] ?? "")[0] ?? graphemes[0]?.text ?? "";
  const last = words.length > 1 ? (Array.from(words.at(-1) ?? "")[0] ?? "") : "";
  // Two joined Arabic letters read as a word and two Han characters as a name, so only the first is used.
  return /[\p{Lo}]/u.test(first) ? first : (first + last).toLocaleUpperCase("en");
}

function faceChain(graphemes: Grapheme[], { family, weight }: TextFace, style: ScriptStyle): Face[] {
  const letters = graphemes.filter(({ text }) => /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]/u.test(text));
  // One face for all European letters, so that no word mixes two faces.
  const complete = letters.every(({ text }) => subsetFor(text, [{ family, weight }]) !== undefined);
  const european: FontFamily[] = complete ? [family, "inter"] : ["inter", family];
  const others = [...arabicFamilies[style.arabic], ...otherFamilies, ...hanFamilies[style.han]];
  return [...new Set<FontFamily>([...european, ...others])].map((each) => ({ family: each, weight }));
}

function drawable({ text, emoji }: Grapheme, faces: Face[]): TextUnit[] {
  if (emoji) {
    const artwork = findEmojiArtwork(text);
    return artwork ? [{ text, advance: emojiAdvance, artwork }] : [];
  }
  const simpler = text.normalize("NFKC");
  const bare = simpler.normalize("NFD").replace(/\p{M}/gu, "");
  for (const attempt of attachesMarks.test(text) ? [bare] : [text, simpler, bare]) {
    const subset = subsetFor(attempt, faces);
    if (!subset) continue;
    const advance = Array.from(attempt).reduce((sum, each) => sum + subset.font.advance(each.codePointAt(0) ?? 0), 0);
    return [{ text: attempt, advance, subset }];
  }
  const artwork = findEmojiArtwork(text);
  return artwork ? [{ text, advance: emojiAdvance, artwork }] : [];
}

/** A base and its marks must come from one file, or the marks are misplaced. */
function subsetFor(text: string, faces: Face[]): FontSubset | undefined {
  const [first, ...rest] = Array.from(text, (each) => each.codePointAt(0) ?? 0);
  if (first === undefined) return undefined;
  for (const face of faces) {
    const subset = findSubset(face, first);
    if (subset && rest.every((codePoint) => subset.font.has(codePoint))) return subset;
  }
  return undefined;
}

function baseOf(faces: Face[]): FontSubset {
  const base = faces[0] && findSubset(faces[0], 0x20);
  if (!base) throw new Error("a poster font has no space");
  return base;
}

function leadingFloor(text: string): number {
  if (vowelMarks.test(text)) return 1.55;
  if (/[\p{Script=Arabic}\p{Script=Thai}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Tamil}]/u.test(text))
    return 1.4;
  if (/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Hebrew}]/u.test(text))
    return 1.16;
  return /\p{Lu}\p{M}|\p{M}\p{M}/u.test(text.normalize("NFD")) ? 1.12 : 0;
}
