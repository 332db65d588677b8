import { Transform } from "node:stream";

const shortestKey = 8;

/**
 * Overwrites the platform's key in an answer with asterisks, should the platform ever send it back: with it, a caller
 * would reach the events of everyone. The length of the answer stays the same.
 */
export function maskKey(apiKey: string): Transform {
  const key = Buffer.from(apiKey);
  // A text this short can be in an answer by chance, and is no key.
  if (key.length < shortestKey) return new Transform({ transform: (piece, _encoding, done) => done(null, piece) });
  let held: Buffer = Buffer.alloc(0);
  return new Transform({
    transform(piece: Buffer, _encoding, done) {
      const text = held.length === 0 ? piece : Buffer.concat([held, piece]);
      for (let at = text.indexOf(key); at !== -1; at = text.indexOf(key, at + key.length)) {
        text.fill("*", at, at + key.length);
      }
      const begun = lengthOfBegunKey(text, key);
      held = Buffer.from(text.subarray(text.length - begun));
      done(null, text.subarray(0, text.length - begun));
    },
    flush(done) {
      done(null, held);
    },
  });
}

/** How many bytes at the end could be the start of a key that goes on in the next piece. */
function lengthOfBegunKey(text: Buffer, key: Buffer): number {
  for (let length = Math.min(key.length - 1, text.length); length > 0; length -= 1) {
    if (text.subarray(text.length - length).equals(key.subarray(0, length))) return length;
  }
  return 0;
}
