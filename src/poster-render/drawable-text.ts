import { cleanGraphemes, type Grapheme } from "./clean-text.js";
import { findEmojiArtwork } from "./emoji-artwork.js";
import { type Face, type FontFamily, type FontSubset, findSubset } from "./font-catalog.js";

export type HanStyle = "japanese" | "chinese" | "korean";

/** A grapheme that a bundled font or an emoji drawing covers, with its advance in em. */
export type TextUnit = { text: string; advance: number; artwork?: string };

export type DrawableText = {
  units: TextUnit[];
  /** In the order in which the layout engine tries them. */
  subsets: FontSubset[];
  rightToLeft: boolean;
  /** The least line height, in em, for scripts with marks far above or below the letters. */
  leadingFloor: number;
  /** Joined letters must not be tracked. */
  joined: boolean;
};

export type TextFace = { family: FontFamily; weight: number; uppercase?: boolean };

/** Marks without a precomposed letter: the text is readable without them, and the layout engine misplaces them. */
const attachesMarks = /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Arabic}]\p{M}/u;

const graphemeLimit = 480;
const emojiAdvance = 1;
const hanFamilies = {
  japanese: ["zen-kaku-gothic-new", "noto-sans-sc", "nanum-gothic"],
  chinese: ["noto-sans-sc", "zen-kaku-gothic-new", "nanum-gothic"],
  korean: ["nanum-gothic", "noto-sans-sc", "zen-kaku-gothic-new"],
} as const satisfies Record<HanStyle, FontFamily[]>;
// Cairo has its dots in the letters; the layout engine misplaces those of fonts that attach them as marks.
const otherFamilies = ["cairo", "noto-sans-hebrew", "noto-sans-thai", "noto-sans-devanagari"] as const;

/** Keeps only what can be drawn, so that no character shows as an empty box. */
export function toDrawableText(raw: string, face: TextFace, han: HanStyle): DrawableText {
  const graphemes = cleanGraphemes(face.uppercase ? raw.toLocaleUpperCase("en") : raw, graphemeLimit);
  const faces = faceChain(graphemes, face, han);
  const used = new Set<FontSubset>();
  const units: TextUnit[] = [];
  for (const grapheme of graphemes) {
    for (const unit of drawable(grapheme, faces, used)) {
      if (unit.text === " " && (units.length === 0 || units.at(-1)?.text === " ")) continue;
      units.push(unit);
    }
  }
  while (units.at(-1)?.text === " ") units.pop();
  const text = units.map((unit) => unit.text).join("");
  return {
    units,
    subsets: inChainOrder(used, faces),
    rightToLeft: startsRightToLeft(text),
    leadingFloor: leadingFloor(text),
    joined: /[\p{Script=Arabic}\p{Script=Devanagari}]/u.test(text),
  };
}

/** Chinese, Japanese and Korean share code points but not glyphs, so one style is chosen for the whole poster. */
export function hanStyleOf(texts: string[]): HanStyle {
  const all = texts.join(" ");
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(all)) return "japanese";
  return /\p{Script=Hangul}/u.test(all) ? "korean" : "chinese";
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

function faceChain(graphemes: Grapheme[], { family, weight }: TextFace, han: HanStyle): Face[] {
  const letters = graphemes.filter(({ text }) => /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]/u.test(text));
  // One face for all European letters, so that no word mixes two faces.
  const complete = letters.every(({ text }) => subsetFor(text, [{ family, weight }]) !== undefined);
  const european: FontFamily[] = complete ? [family, "inter"] : ["inter", family];
  return [...new Set<FontFamily>([...european, ...otherFamilies, ...hanFamilies[han]])].map((each) => ({
    family: each,
    weight,
  }));
}

function drawable({ text, emoji }: Grapheme, faces: Face[], used: Set<FontSubset>): TextUnit[] {
  if (emoji) {
    const artwork = findEmojiArtwork(text);
    return artwork ? [{ text, advance: emojiAdvance, artwork }] : [];
  }
  const simpler = text.normalize("NFKC");
  const bare = simpler.normalize("NFD").replace(/\p{M}/gu, "");
  for (const attempt of attachesMarks.test(text) ? [bare] : [text, simpler, bare]) {
    const subset = subsetFor(attempt, faces);
    if (!subset) continue;
    used.add(subset);
    const advance = Array.from(attempt).reduce((sum, each) => sum + subset.font.advance(each.codePointAt(0) ?? 0), 0);
    return [{ text: attempt, advance }];
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

function inChainOrder(used: Set<FontSubset>, faces: Face[]): FontSubset[] {
  const rank = (subset: FontSubset) => faces.findIndex(({ family }) => subset.id.startsWith(`${family}-`));
  // The Latin file comes first even if unused: it sets the baseline, which must not differ between lines.
  const [face] = faces;
  const base = face && findSubset(face, 0x20);
  if (base) used.add(base);
  return [...used].sort(
    (a, b) => rank(a) - rank(b) || Number(b === base) - Number(a === base) || (a.id < b.id ? -1 : 1),
  );
}

function startsRightToLeft(text: string): boolean {
  const strong = text.match(/\p{L}/u)?.[0];
  return strong !== undefined && /[\p{Script=Arabic}\p{Script=Hebrew}]/u.test(strong);
}

function leadingFloor(text: string): number {
  if (/[\p{Script=Arabic}\p{Script=Thai}\p{Script=Devanagari}]/u.test(text)) return 1.4;
  if (/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Hebrew}]/u.test(text))
    return 1.16;
  return /\p{Lu}\p{M}|\p{M}\p{M}/u.test(text.normalize("NFD")) ? 1.12 : 0;
}
