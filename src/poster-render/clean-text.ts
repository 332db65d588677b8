const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

// Built from strings: the `v` flag is newer than the compile target, and classes of marks are unreadable as literals.
const emojiSequence = unicodePattern("^\\p{RGI_Emoji}$", "v");
const drawnAsEmoji = /\p{Emoji_Presentation}|\u{fe0f}|\p{Emoji}\u{200d}|\u{20e3}/u;
const invisible = unicodePattern(
  "\\p{Cc}|\\p{Cf}|\\p{Cs}|\\p{Co}|\\p{Cn}|\\p{Variation_Selector}|\\p{Default_Ignorable_Code_Point}|\\u2800",
  "gu",
);
const joinerScripts = /[\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Tamil}]/u;
// Second and later combining marks on a letter, which would reach into other lines; Arabic letters have up to two.
const stackedMarks = unicodePattern(
  "(?<=\\p{M})(?![\\u064b-\\u0655\\u0670])\\p{Script=Inherited}|(?<=\\p{M}\\p{M})[\\u064b-\\u0655\\u0670]",
  "gu",
);

export type Grapheme = { text: string; emoji: boolean };

/**
 * Splits text into grapheme clusters, without line breaks, control, zero-width and direction-override characters. What no
 * font covers is dropped later, by `toDrawableText`.
 */
export function cleanGraphemes(raw: string, limit: number): Grapheme[] {
  const cleaned: Grapheme[] = [];
  // A grapheme can have any number of code units, so the raw text is truncated before it is segmented.
  const bounded = raw
    .slice(0, limit * 16)
    .normalize("NFC")
    .replaceAll("\u{feff}", "")
    .replace(/[\s\p{Z}]+/gu, " ")
    .trim();
  for (const { segment } of graphemes.segment(bounded)) {
    if (cleaned.length >= limit) break;
    if (isEmoji(segment)) {
      cleaned.push({ text: segment, emoji: true });
      continue;
    }
    const text = visiblePart(segment);
    const afterSpace = cleaned.at(-1)?.text === " ";
    if (text !== "" && !(text === " " && (afterSpace || cleaned.length === 0))) cleaned.push({ text, emoji: false });
  }
  if (cleaned.at(-1)?.text === " ") cleaned.pop();
  return cleaned;
}

export function isEmoji(grapheme: string): boolean {
  return emojiSequence.test(grapheme) || drawnAsEmoji.test(grapheme);
}

function visiblePart(grapheme: string): string {
  const joiners = joinerScripts.test(grapheme) ? grapheme.match(/[\u{200c}\u{200d}]$/u)?.[0] : undefined;
  const visible = grapheme.replace(invisible, "").replace(stackedMarks, "");
  return visible === "" ? "" : visible + (joiners ?? "");
}

function unicodePattern(source: string, flags: string): RegExp {
  return new RegExp(source, flags);
}
