import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fontsFolder } from "./font-catalog.js";

/** Lines of a name, a tab and an SVG document, each after a line break. */
export const emojiFile = "emoji.tsv";

const artworkLimit = 256;
const artworkByEmoji = new Map<string, string | null>();

/** An emoji as an SVG document. A sequence that the artwork lacks falls back to the first part that it has. */
export function findEmojiArtwork(emoji: string): string | undefined {
  const known = artworkByEmoji.get(emoji);
  if (known !== undefined) return known ?? undefined;
  if (artworkByEmoji.size >= artworkLimit) artworkByEmoji.clear();
  const found = candidates(emoji)
    .map(readArtwork)
    .find((artwork) => artwork !== undefined);
  artworkByEmoji.set(emoji, found ?? null);
  return found;
}

function candidates(emoji: string): string[] {
  const withoutTone = emoji.replace(/[\u{1f3fb}-\u{1f3ff}]/gu, "");
  const parts = withoutTone.split("\u{200d}").filter((part) => /\p{Extended_Pictographic}|\p{RI}{2}/u.test(part));
  const names = [emoji, withoutTone, ...parts].flatMap((sequence) => [
    fileName(sequence),
    fileName(sequence.replaceAll("\u{fe0f}", "")),
  ]);
  return [...new Set(names)];
}

function fileName(sequence: string): string {
  return Array.from(sequence, (character) => (character.codePointAt(0) ?? 0).toString(16)).join("-");
}

let artwork: Buffer | undefined;

function readArtwork(name: string): string | undefined {
  artwork ??= readFileSync(join(fontsFolder, "twemoji", emojiFile));
  const start = `\n${name}\t`;
  const at = artwork.indexOf(start);
  return at === -1 ? undefined : artwork.toString("utf8", at + start.length, artwork.indexOf("\n", at + 1));
}
