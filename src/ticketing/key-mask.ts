/** A shorter key could match unrelated response text, so it is not masked. */
const shortestMaskedKey = 8;

/** Finds the platform's key in what the platform sends: a caller who learned it could reach every event. */
export type KeyMask = {
  /** Replaces the key in place with asterisks, so that the length stays the same. */
  mask(bytes: Buffer): Buffer;
  isIn(text: string): boolean;
  /** The length of the longest text that is masked. */
  longest: number;
};

/** Covers the key as it is, with any of its characters escaped as in JSON or URLs, in base64 and in hex. */
export function createKeyMask(apiKey: string): KeyMask {
  const key = Buffer.from(apiKey);
  if (key.length < shortestMaskedKey) return { mask: (bytes) => bytes, isIn: () => false, longest: 1 };
  const forms = [[...key].map(escapedByte).join(""), key.toString("hex").replace(/[a-f]/g, anyCase)];
  for (const shift of [0, 1, 2]) forms.push(base64Form(key, shift));
  const pattern = new RegExp(forms.join("|"), "g");
  return {
    mask(bytes) {
      // Latin-1 has one character per byte.
      for (const { 0: found, index } of bytes.toString("latin1").matchAll(pattern)) {
        bytes.fill("*", index, index + found.length);
      }
      return bytes;
    },
    isIn: (text) => text.search(pattern) !== -1,
    longest: key.length * "\\u0000".length,
  };
}

function escapedByte(byte: number): string {
  const character = String.fromCharCode(byte);
  const hex = byte.toString(16).padStart(2, "0").replace(/[a-f]/g, anyCase);
  const literal = `\\x${byte.toString(16).padStart(2, "0")}`;
  return `(?:${character === "/" ? "\\\\?" : ""}${literal}|\\\\u00${hex}|%${hex})`;
}

/** The characters that the key determines alone, if `shift` bytes of a group of three precede it. */
function base64Form(key: Buffer, shift: number): string {
  const encoded = Buffer.concat([Buffer.alloc(shift), key]).toString("base64");
  const determined = encoded.slice(Math.ceil((shift * 8) / 6), Math.floor(((shift + key.length) * 8) / 6));
  return determined.replaceAll("+", "(?:[+-]|%2[bB])").replaceAll("/", "(?:\\\\?/|_|%2[fF])");
}

function anyCase(letter: string): string {
  return `[${letter}${letter.toUpperCase()}]`;
}
