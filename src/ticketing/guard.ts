import { Transform } from "node:stream";
import { ServiceError } from "../platform/errors.js";

const shortestKey = 8;

/**
 * Ends an answer that grows beyond its limit. It also overwrites the platform's key with asterisks, should the platform
 * ever send it back: with it, a caller would reach the events of everyone. The length of the answer stays the same.
 */
export function guardAnswer(options: { limitBytes: number; apiKey: string }): Transform {
  const mask = maskOf(options.apiKey);
  let seen = 0;
  return new Transform({
    transform(piece: Buffer, _encoding, done) {
      seen += piece.length;
      if (seen > options.limitBytes) done(new Error("the answer is too large"));
      else done(null, mask.next(piece));
    },
    flush(done) {
      done(null, mask.rest());
    },
    // Before the first byte is passed on this is the answer; after it, the connection ends in the middle of one.
    destroy(error, done) {
      done(error && brokenOff());
    },
  });
}

export function brokenOff(): ServiceError {
  return new ServiceError("bad_gateway", "The ticketing platform broke its answer off, or garbled it");
}

type Mask = { next(piece: Buffer): Buffer; rest(): Buffer };

/** Overwrites the key where it stands in bytes that are all there. */
export function maskKey(text: Buffer, apiKey: string): Buffer {
  // A text this short can be in an answer by chance, and is no key.
  if (apiKey.length < shortestKey) return text;
  for (let at = text.indexOf(apiKey); at !== -1; at = text.indexOf(apiKey, at + apiKey.length)) {
    text.fill("*", at, at + apiKey.length);
  }
  return text;
}

function maskOf(apiKey: string): Mask {
  const key = Buffer.from(apiKey);
  let held: Buffer = Buffer.alloc(0);
  if (key.length < shortestKey) return { next: (piece) => piece, rest: () => held };
  return {
    next(piece) {
      const text = maskKey(held.length === 0 ? piece : Buffer.concat([held, piece]), apiKey);
      const end = text.length - lengthOfBegunKey(text, key);
      held = end === text.length ? held.subarray(0, 0) : Buffer.from(text.subarray(end));
      return text.subarray(0, end);
    },
    rest: () => held,
  };
}

/** How many bytes at the end could be the start of a key that goes on in the next piece. */
function lengthOfBegunKey(text: Buffer, key: Buffer): number {
  for (let length = Math.min(key.length - 1, text.length); length > 0; length -= 1) {
    const at = text.length - length;
    if (text[at] === key[0] && text.subarray(at).equals(key.subarray(0, length))) return length;
  }
  return 0;
}
